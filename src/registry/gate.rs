//! Politeness: how many requests a host gets at once, and when it is left alone.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How many requests a host gets at once.
const AT_ONCE: usize = 4;

/// The door to one host.
#[derive(Debug, Default)]
pub(super) struct Gate {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    inside: usize,
    closed_until: Option<Instant>,
}

/// A place inside; given back when it goes.
#[derive(Debug)]
pub(super) struct Pass(Arc<Gate>);

impl Gate {
    /// Waits until the host may be asked.
    pub(super) fn enter(self: &Arc<Gate>) -> Pass {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            match state.closed_until {
                Some(until) if until > now => {
                    drop(state);
                    thread::sleep(until - now);
                    state = self.lock();
                }
                _ if state.inside < AT_ONCE => {
                    state.inside += 1;
                    return Pass(Arc::clone(self));
                }
                _ => {
                    state = self
                        .freed
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Lets nobody in for a while.
    pub(super) fn close(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut state = self.lock();
        state.closed_until = state.closed_until.max(Some(until));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.lock().inside -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_than_so_many_are_inside() {
        let gate = Arc::new(Gate::default());
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 * AT_ONCE {
                scope.spawn(|| {
                    let _pass = gate.enter();
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= AT_ONCE);
    }

    #[test]
    fn a_closed_gate_opens_by_itself() {
        let gate = Arc::new(Gate::default());
        gate.close(Duration::from_millis(30));
        let start = Instant::now();
        let _pass = gate.enter();
        assert!(start.elapsed() >= Duration::from_millis(30));
    }
}
