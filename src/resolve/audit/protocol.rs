//! The proof that the advice is safe: the uninstall fence's protocol as a small state machine,
//! explored to its end. The full protocol loses no release and overrides nobody; each weakened
//! variant does, as `spec/uninstall-fence.md`, section 10, has it.
//!
//! Four take turns in any order. **helm-controller** reads a copy, perhaps an old one, and acts on
//! what it read in two writes. **flux-plunger** acquires once (two writes where the fence is added
//! after), and lets go. A **foreign writer** may twice suspend, co-apply or resume. A **deleter**
//! deletes once. Bounds: one recovery, two foreign writes, no failing uninstall, no crashes.
//! It is a check of the argument, not of the shipped code.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who holds `spec.suspend: true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Owners {
    plunger: bool,
    foreign: bool,
}

impl Owners {
    const NOBODY: Owners = Owners {
        plunger: false,
        foreign: false,
    };

    fn suspended(self) -> bool {
        self.plunger || self.foreign
    }

    fn mine(self) -> bool {
        self.plunger && !self.foreign
    }
}

/// The object as the API server holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    version: u8,
    generation: u8,
    observed: u8,
    deleting: bool,
    helm: bool,
    fence: bool,
    suspend: Owners,
}

/// What helm-controller has read and not yet written back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Helm {
    Idle,
    /// It saw the deletion at a generation: it uninstalled, unless suspended, and will drop its
    /// finalizer, then write the generation that it read.
    DropsFinalizer(u8),
    WritesObserved(u8),
}

/// Where flux-plunger's one recovery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Plunger {
    Idle,
    /// It decided on a version that it read.
    Decided(u8),
    /// It suspended, and the fence is yet to come.
    Unfenced,
    /// It looks after what it suspended.
    Holds,
    /// It decided on a version that it read how to let go.
    LetsGo(Step, u8),
}

/// A way of letting go: an apply that leaves out what is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// Both; what somebody else owns too stays.
    Finish,
    /// The suspension, the fence stays.
    Lift,
    /// The fence.
    DropFence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// `None` once the object is gone.
    object: Option<Object>,
    /// What helm-controller's cache holds: never newer than the object.
    cache: Object,
    helm: Helm,
    plunger: Plunger,
    foreign_writes: u8,
    uninstalled: bool,
    /// Whether somebody else's suspension was on in what helm-controller read when it skipped, or on
    /// the object when it went: then that was their decision.
    theirs: bool,
    overridden: bool,
}

/// A protocol, full or weakened.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "seven precautions, each left out by itself"
)]
struct Variant {
    fenced: bool,
    fence_in_one_write: bool,
    waits_under_foreign: bool,
    waits_for_observed: bool,
    waits_for_finalizer: bool,
    bound_to_the_read: bool,
    lifts_shared: bool,
}

const FULL: Variant = Variant {
    fenced: true,
    fence_in_one_write: true,
    waits_under_foreign: true,
    waits_for_observed: true,
    waits_for_finalizer: true,
    bound_to_the_read: true,
    lifts_shared: false,
};

/// What a variant can come to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// The object gone without an uninstall, and not by anybody's decision.
    orphaned: bool,
    /// Somebody else's suspension lifted.
    overridden: bool,
    /// A deleted object that nobody holds suspended, and neither controller has a step left.
    stuck: bool,
}

fn start() -> State {
    let object = Object {
        version: 0,
        generation: 1,
        observed: 1,
        deleting: false,
        helm: true,
        fence: false,
        suspend: Owners::NOBODY,
    };
    State {
        object: Some(object),
        cache: object,
        helm: Helm::Idle,
        plunger: Plunger::Idle,
        foreign_writes: 0,
        uninstalled: false,
        theirs: false,
        overridden: false,
    }
}

/// Writes the object: a changed spec is a new generation, a deleted one without finalizers is gone.
fn write(state: &State, change: impl FnOnce(&mut Object)) -> Option<State> {
    let before = state.object?;
    let mut after = before;
    change(&mut after);
    if after == before {
        return None;
    }
    after.version += 1;
    if before.suspend.suspended() != after.suspend.suspended() {
        after.generation += 1;
    }
    let mut next = *state;
    next.object = Some(after);
    if after.deleting && !after.helm && !after.fence {
        next.object = None;
        next.theirs |= after.suspend.foreign;
    }
    Some(next)
}

fn deleter(state: &State) -> Option<State> {
    write(state, |object| {
        if !object.deleting {
            object.deleting = true;
            object.generation += 1;
        }
    })
}

/// Suspends where nobody has, applies the same value where somebody has, or takes it away.
fn foreign(state: &State) -> Vec<State> {
    if state.foreign_writes == 2 {
        return Vec::new();
    }
    let writes: [fn(&mut Object); 2] = [
        |object| object.suspend.foreign = true,
        |object| object.suspend = Owners::NOBODY,
    ];
    let counted = |next: State| State {
        foreign_writes: next.foreign_writes + 1,
        ..next
    };
    writes
        .iter()
        .filter_map(|change| write(state, change))
        .map(counted)
        .collect()
}

fn helm(state: &State) -> Vec<State> {
    let Some(object) = state.object else {
        return Vec::new();
    };
    let mut next = Vec::new();
    match state.helm {
        Helm::Idle => {
            if state.cache != object {
                next.push(State {
                    cache: object,
                    ..*state
                });
            }
            let read = state.cache;
            // Nothing to do on a copy that it has handled.
            if read.deleting && (read.helm || read.observed != read.generation) {
                let skips = read.suspend.suspended();
                next.push(State {
                    helm: Helm::DropsFinalizer(read.generation),
                    uninstalled: state.uninstalled || !skips,
                    theirs: state.theirs || skips && read.suspend.foreign,
                    ..*state
                });
            }
        }
        Helm::DropsFinalizer(generation) => {
            let dropped = write(state, |object| object.helm = false).unwrap_or(*state);
            next.push(State {
                helm: Helm::WritesObserved(generation),
                ..dropped
            });
        }
        Helm::WritesObserved(generation) => {
            let written = write(state, |object| object.observed = generation).unwrap_or(*state);
            next.push(State {
                helm: Helm::Idle,
                cache: written.object.unwrap_or(written.cache),
                ..written
            });
        }
    }
    next
}

fn plunger(state: &State, variant: Variant) -> Vec<State> {
    let Some(object) = state.object else {
        return Vec::new();
    };
    let at = |plunger: Plunger| move |next: State| State { plunger, ..next };
    match state.plunger {
        Plunger::Idle if !object.deleting && !object.suspend.suspended() => {
            vec![at(Plunger::Decided(object.version))(*state)]
        }
        Plunger::Decided(version) => {
            acquire(state, variant, version).map_or_else(
                // Refused: it reads again, or leaves it.
                || vec![at(Plunger::Idle)(*state)],
                |next| vec![next],
            )
        }
        Plunger::Unfenced => {
            // What terminates cannot gain a finalizer.
            let fenced = write(state, |object| object.fence |= !object.deleting);
            vec![at(Plunger::Holds)(fenced.unwrap_or(*state))]
        }
        Plunger::Holds => decide(object, variant)
            .map(|step| at(Plunger::LetsGo(step, object.version))(*state))
            .into_iter()
            .collect(),
        Plunger::LetsGo(step, version) => {
            let refused = variant.bound_to_the_read && object.version != version;
            let done = (!refused).then(|| let_go(state, step, variant)).flatten();
            vec![at(Plunger::Holds)(done.unwrap_or(*state))]
        }
        Plunger::Idle => Vec::new(),
    }
}

fn acquire(state: &State, variant: Variant, version: u8) -> Option<State> {
    let object = state.object?;
    if variant.bound_to_the_read && object.version != version {
        return None;
    }
    let together = variant.fenced && variant.fence_in_one_write;
    if object.deleting && together {
        return None;
    }
    let next = write(state, |object| {
        object.suspend.plunger = true;
        object.fence |= together;
    })?;
    Some(State {
        plunger: if variant.fenced && !together {
            Plunger::Unfenced
        } else {
            Plunger::Holds
        },
        ..next
    })
}

/// How to let go of an object as it was read, if it is time.
fn decide(object: Object, variant: Variant) -> Option<Step> {
    let may_lift = object.suspend.mine() || variant.lifts_shared && object.suspend.plunger;
    if !object.deleting {
        return (object.suspend.plunger || object.fence).then_some(Step::Finish);
    }
    if may_lift {
        return Some(Step::Lift);
    }
    let seen = object.observed == object.generation;
    let may_go = if object.suspend.suspended() {
        !variant.waits_under_foreign || seen && !object.helm
    } else {
        (seen || !variant.waits_for_observed) && (!object.helm || !variant.waits_for_finalizer)
    };
    (object.fence && may_go).then_some(Step::DropFence)
}

fn let_go(state: &State, step: Step, variant: Variant) -> Option<State> {
    let lifts = step != Step::DropFence;
    let overrides = lifts && variant.lifts_shared && state.object?.suspend.foreign;
    let next = write(state, |object| {
        if lifts {
            object.suspend.plunger = false;
            object.suspend.foreign &= !variant.lifts_shared;
        }
        object.fence &= step == Step::Lift;
    })?;
    Some(State {
        overridden: state.overridden || overrides,
        ..next
    })
}

fn explore(variant: Variant) -> (Found, usize) {
    let mut seen = BTreeSet::from([start()]);
    let mut waiting = VecDeque::from([start()]);
    let mut found = Found::default();
    while let Some(state) = waiting.pop_front() {
        let mut next = helm(&state);
        next.extend(plunger(&state, variant));
        found.stuck |= next.is_empty() && is_stuck(&state);
        found.orphaned |= state.object.is_none() && !state.uninstalled && !state.theirs;
        found.overridden |= state.overridden;
        next.extend(foreign(&state));
        next.extend(deleter(&state));
        waiting.extend(next.into_iter().filter(|state| seen.insert(*state)));
    }
    (found, seen.len())
}

/// Whether neither controller has a step left and the object still waits for one.
fn is_stuck(state: &State) -> bool {
    state
        .object
        .is_some_and(|object| object.deleting && !object.suspend.suspended())
}

#[test]
fn the_full_protocol_is_safe_and_each_weaker_one_is_not() {
    let safe = Found::default();
    let orphans = || Found {
        orphaned: true,
        ..Found::default()
    };
    let table = BTreeMap::from([
        ("as it is", (FULL, safe)),
        (
            "letting go at once under a foreign suspension",
            (
                Variant {
                    waits_under_foreign: false,
                    ..FULL
                },
                orphans(),
            ),
        ),
        (
            "no fence",
            (
                Variant {
                    fenced: false,
                    ..FULL
                },
                orphans(),
            ),
        ),
        (
            "the fence in a second write",
            (
                Variant {
                    fence_in_one_write: false,
                    ..FULL
                },
                orphans(),
            ),
        ),
        (
            "not waiting for observedGeneration",
            (
                Variant {
                    waits_for_observed: false,
                    ..FULL
                },
                orphans(),
            ),
        ),
        (
            "not waiting for helm-controller's finalizer",
            (
                Variant {
                    waits_for_finalizer: false,
                    ..FULL
                },
                Found::default(),
            ),
        ),
        (
            "a write that is not bound to the read",
            (
                Variant {
                    bound_to_the_read: false,
                    ..FULL
                },
                orphans(),
            ),
        ),
        (
            "lifting a shared suspension",
            (
                Variant {
                    lifts_shared: true,
                    ..FULL
                },
                Found {
                    overridden: true,
                    ..Found::default()
                },
            ),
        ),
    ]);
    for (name, (variant, expected)) in table {
        let (found, states) = explore(variant);
        assert_eq!(found, expected, "{name}: {states} states");
        assert!(states > 100, "{name}: {states} states");
    }
}
