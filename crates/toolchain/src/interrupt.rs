//! Ctrl-C and the like: remember the signal, let every wait end, clean up, and die of it.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use hirace_model::error::{Error, Result};

/// The signal that arrived, 0 for none. Unset where nobody called [`install`].
static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on SIGINT, SIGTERM and SIGHUP end whatever is waited for, so that what was found
/// is reported, build directories are removed and started processes stopped. A second one
/// ends the process at once.
pub fn install() {
    let signal = SIGNAL.get_or_init(Arc::default);
    let arrived = Arc::new(AtomicBool::new(false));
    for (number, value) in [(SIGINT, 2), (SIGTERM, 15), (SIGHUP, 1)] {
        // In this order, as only what comes after the first one is a second one. They fail
        // only for signals that cannot be caught, which these are not.
        let _ = flag::register_conditional_default(number, Arc::clone(&arrived));
        let _ = flag::register(number, Arc::clone(&arrived));
        let _ = flag::register_usize(number, Arc::clone(signal), value);
    }
}

/// Ends the process by the signal that arrived, as if it had not been caught.
pub fn die_if_signalled() {
    if let Some(number) = arrived() {
        let _ = signal_hook::low_level::emulate_default_handler(number);
    }
}

/// An error once a signal has arrived.
pub fn check() -> Result<()> {
    match arrived() {
        Some(_) => Err(Error::Interrupted),
        None => Ok(()),
    }
}

/// The signal that has arrived.
#[must_use]
pub fn arrived() -> Option<i32> {
    let number = SIGNAL.get()?.load(Ordering::Relaxed);
    i32::try_from(number).ok().filter(|&number| number != 0)
}

/// Whether a process that a signal ended had it together with us, as Ctrl-C goes to all of a
/// terminal's foreground processes. Ours may come a moment later.
pub fn shared(number: i32) -> bool {
    const MOMENTS: u32 = 10;
    if ![SIGINT, SIGTERM, SIGHUP].contains(&number) || SIGNAL.get().is_none() {
        return false;
    }
    (0..MOMENTS).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        arrived().is_some()
    })
}
