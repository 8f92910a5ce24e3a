//! Ctrl-C and the like: remember the signal, let every wait end, clean up, and die of it.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::error::{Error, Result};

/// The signal that arrived, 0 for none. Unset where nobody called [`install`].
static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on SIGINT, SIGTERM and SIGHUP end whatever is waited for, so that build
/// directories are removed and started processes stopped.
pub fn install() {
    let signal = SIGNAL.get_or_init(Arc::default);
    for (number, value) in [(SIGINT, 2), (SIGTERM, 15), (SIGHUP, 1)] {
        // Fails only for signals that cannot be caught, which these are not.
        let _ = signal_hook::flag::register_usize(number, Arc::clone(signal), value);
    }
}

/// Ends the process by the signal that arrived, as if it had not been caught.
pub fn die_if_signalled() {
    if let Some(number) = arrived() {
        let _ = signal_hook::low_level::emulate_default_handler(number);
    }
}

/// An error once a signal has arrived.
pub(crate) fn check() -> Result<()> {
    match arrived() {
        Some(_) => Err(Error::Interrupted),
        None => Ok(()),
    }
}

fn arrived() -> Option<i32> {
    let number = SIGNAL.get()?.load(Ordering::Relaxed);
    i32::try_from(number).ok().filter(|&number| number != 0)
}
