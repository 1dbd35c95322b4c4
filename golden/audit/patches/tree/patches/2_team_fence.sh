#!/bin/sh
# team/fence: takes the uninstall fence off
#
# warning[fence-without-suspension]: the fence on `team/fence` stands without a suspension: a delete would uninstall, then hang until the fence is taken off
#   spec.suspend: not set
#   finalizers: finalizers.fluxcd.io, flux-plunger.cozystack.io/uninstall-fence
#   generation 3, observed 3
#   status.history: fence v1 in team, deployed
#   storage team/fence: v1 deployed
#
# Decided on a snapshot. The patch is applied whole or not at all, and only while
#   - the object is still the one with the uid 0000-fence
#   - nobody has written it since: its resourceVersion is still 41
#   - the fence stands at the same place among its finalizers
# flux-plunger, where it runs, does the same by itself.
# Refused with 422, whatever the words: one of these no longer holds. Do not change the
# patch: take a new snapshot and run `forebay audit` again. 404: the object is gone.
# After: take a new snapshot in any case and run `forebay audit` again.
set -eu
kubectl patch helmrelease fence -n team --type json -p '[{"op":"test","path":"/metadata/uid","value":"0000-fence"},{"op":"test","path":"/metadata/resourceVersion","value":"41"},{"op":"test","path":"/metadata/finalizers/1","value":"flux-plunger.cozystack.io/uninstall-fence"},{"op":"remove","path":"/metadata/finalizers/1"}]'
