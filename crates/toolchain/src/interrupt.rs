//! Ctrl-C and the like: record the signal, end all waits, clean up, and die of the signal.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use hirace_model::error::{Error, Result};

/// The signal that arrived, 0 for none. Unset before [`install`].
static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on SIGINT, SIGTERM and SIGHUP end all waits, so that findings are reported, build
/// directories removed and started processes stopped. A second signal ends the process at once.
pub fn install() {
    let signal = SIGNAL.get_or_init(Arc::default);
    let arrived = Arc::new(AtomicBool::new(false));
    for (number, value) in [(SIGINT, 2), (SIGTERM, 15), (SIGHUP, 1)] {
        // In this order, so that only a second signal finds `arrived` set. Registering fails only
        // for signals that cannot be caught, and these can.
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

/// Returns an error once a signal has arrived.
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

/// Whether the signal that ended a process was also sent to us, as Ctrl-C is sent to all foreground
/// processes of a terminal. It may reach us a moment later.
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
