#!/bin/sh
# CANNOT BE UNDONE: helm-controller will take the release for uninstalled and let its objects stay behind.
# Offered only: the audit does not advise it, it is yours to decide.
#
# team/lost: lifts the suspension, keeps the fence
#
# error[deleted-while-held]: `team/lost` is being deleted while flux-plunger's own suspension is on; helm-controller will skip the uninstall
# error[release-record-missing]: no record of `lost` is left in `team`: helm-controller would take `team/lost` for uninstalled and leave its objects
#   deleted at 2026-03-01T11:59:30Z, 30 s before `--now`
#   spec.suspend: true, held by `flux-plunger` (Apply) since 2026-03-01T11:59:00Z, 1 min before `--now`
#   finalizers: flux-plunger.cozystack.io/uninstall-fence, finalizers.fluxcd.io
#   generation 3, observed 3
#   status.history: lost v1 in team, deployed
#   storage team/lost: no revision
#
# Decided on a snapshot. The patch is applied whole or not at all, and only while
#   - the object is still the one with the uid 0000-lost
#   - nobody has written it since: its resourceVersion is still 41
#   - it is still suspended
# Before: see that no restore is running that relies on the suspension.
# flux-plunger, where it runs, does the same by itself.
# Refused with 422, whatever the words: one of these no longer holds. Do not change the
# patch: take a new snapshot and run `forebay audit` again. 404: the object is gone.
# After: take a new snapshot in any case and run `forebay audit` again.
set -eu
kubectl patch helmrelease lost -n team --type json -p '[{"op":"test","path":"/metadata/uid","value":"0000-lost"},{"op":"test","path":"/metadata/resourceVersion","value":"41"},{"op":"test","path":"/spec/suspend","value":true},{"op":"remove","path":"/spec/suspend"}]'
