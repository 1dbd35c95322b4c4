#!/bin/sh
# CANNOT BE UNDONE: the object is gone at once if it is being deleted, and what its release made stays behind.
# Offered only: the audit does not advise it, it is yours to decide.
#
# team/foreign: takes the uninstall fence off
#
# error[uninstall-already-skipped]: helm-controller has let `team/foreign` go without an uninstall: while any finalizer holds the object, lifting the suspension still makes it uninstall
# warning[deleted-under-foreign-suspension]: `team/foreign` is being deleted under somebody else's suspension: the uninstall was skipped
#   deleted at 2026-03-01T11:59:30Z, 30 s before `--now`
#   spec.suspend: true, held by `flux` (Update) since 2026-03-01T10:00:00Z, 2 h before `--now`
#   finalizers: flux-plunger.cozystack.io/uninstall-fence
#   generation 3, observed 3
#   status.history: foreign v1 in team, deployed
#   storage team/foreign: v1 deployed
#
# Decided on a snapshot. The patch is applied whole or not at all, and only while
#   - the object is still the one with the uid 0000-foreign
#   - nobody has written it since: its resourceVersion is still 41
#   - the fence stands at the same place among its finalizers
# flux-plunger, where it runs, does the same by itself.
# Refused with 422, whatever the words: one of these no longer holds. Do not change the
# patch: take a new snapshot and run `forebay audit` again. 404: the object is gone.
# After: take a new snapshot in any case and run `forebay audit` again.
set -eu
kubectl patch helmrelease foreign -n team --type json -p '[{"op":"test","path":"/metadata/uid","value":"0000-foreign"},{"op":"test","path":"/metadata/resourceVersion","value":"41"},{"op":"test","path":"/metadata/finalizers/0","value":"flux-plunger.cozystack.io/uninstall-fence"},{"op":"remove","path":"/metadata/finalizers/0"}]'
