#!/bin/sh
# CANNOT BE UNDONE: a recovery that is still running loses its hold, and a delete in that moment may skip the uninstall; only for when flux-plunger is gone.
# Offered only: the audit does not advise it, it is yours to decide.
#
# team/young: lifts the suspension and takes the uninstall fence off
#
# note[recovery-suspension]: flux-plunger holds `team/young` suspended for a recovery, behind its fence for 30 s
#   spec.suspend: true, held by `flux-plunger` (Apply) since 2026-03-01T11:59:30Z, 30 s before `--now`
#   finalizers: finalizers.fluxcd.io, flux-plunger.cozystack.io/uninstall-fence
#   generation 3, observed 3
#   status.history: young v1 in team, deployed
#   storage team/young: v1 deployed
#
# Decided on a snapshot. The patch is applied whole or not at all, and only while
#   - the object is still the one with the uid 0000-young
#   - nobody has written it since: its resourceVersion is still 41
#   - it is still suspended
#   - the fence stands at the same place among its finalizers
# Before: see that no restore is running that relies on the suspension.
# flux-plunger, where it runs, does the same by itself.
# Refused with 422, whatever the words: one of these no longer holds. Do not change the
# patch: take a new snapshot and run `forebay audit` again. 404: the object is gone.
# After: take a new snapshot in any case and run `forebay audit` again.
set -eu
kubectl patch helmrelease young -n team --type json -p '[{"op":"test","path":"/metadata/uid","value":"0000-young"},{"op":"test","path":"/metadata/resourceVersion","value":"41"},{"op":"test","path":"/spec/suspend","value":true},{"op":"remove","path":"/spec/suspend"},{"op":"test","path":"/metadata/finalizers/1","value":"flux-plunger.cozystack.io/uninstall-fence"},{"op":"remove","path":"/metadata/finalizers/1"}]'
