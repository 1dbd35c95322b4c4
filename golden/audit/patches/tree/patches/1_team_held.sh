#!/bin/sh
# team/held: lifts the suspension, keeps the fence
#
# error[deleted-while-held]: `team/held` is being deleted while flux-plunger's own suspension is on; helm-controller will skip the uninstall
#   deleted at 2026-03-01T11:59:30Z, 30 s before `--now`
#   spec.suspend: true, held by `flux-plunger` (Apply) since 2026-03-01T11:59:30Z, 30 s before `--now`
#   finalizers: finalizers.fluxcd.io, flux-plunger.cozystack.io/uninstall-fence
#   generation 3, observed 2
#   status.history: held v1 in team, deployed
#   storage team/held: v1 deployed
#
# Decided on a snapshot. The patch is applied whole or not at all, and only while
#   - the object is still the one with the uid 0000-held
#   - nobody has written it since: its resourceVersion is still 41
#   - it is still suspended
# Before: see that no restore is running that relies on the suspension.
# flux-plunger, where it runs, does the same by itself.
# Refused with 422, whatever the words: one of these no longer holds. Do not change the
# patch: take a new snapshot and run `forebay audit` again. 404: the object is gone.
# After: take a new snapshot in any case and run `forebay audit` again.
set -eu
kubectl patch helmrelease held -n team --type json -p '[{"op":"test","path":"/metadata/uid","value":"0000-held"},{"op":"test","path":"/metadata/resourceVersion","value":"41"},{"op":"test","path":"/spec/suspend","value":true},{"op":"remove","path":"/spec/suspend"}]'
