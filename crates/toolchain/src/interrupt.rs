//! Ctrl-C and the like: record the signal, end all waits, clean up, and die of the signal.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use hirace_model::error::{Error, Result};

/// The signal that arrived, 0 for none. Unset before [`install`].
static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Signals within this time are one: `timeout`, for example, sends its signal to the process and to its group.
const TOGETHER: Duration = Duration::from_millis(300);

/// From now on SIGINT, SIGTERM and SIGHUP end all waits, so that findings are reported, build
/// directories removed and started processes stopped. A second, later signal ends the process at once.
pub fn install() {
    let mut is_new = false;
    let signal = SIGNAL.get_or_init(|| {
        is_new = true;
        Arc::default()
    });
    // This fails only for signals that cannot be caught, and these can.
    let Some(mut signals) = is_new
        .then(|| Signals::new([SIGINT, SIGTERM, SIGHUP]).ok())
        .flatten()
    else {
        return;
    };
    let signal = Arc::clone(signal);
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for number in signals.forever() {
            match first {
                None => {
                    first = Some(Instant::now());
                    signal.store(usize::try_from(number).unwrap_or(0), Ordering::Relaxed);
                }
                Some(at) if at.elapsed() > TOGETHER => {
                    let _ = emulate_default_handler(number);
                }
                Some(_) => {}
            }
        }
    });
}

/// Ends the process by the signal that arrived, as if it had not been caught.
pub fn die_if_signalled() {
    if let Some(number) = arrived() {
        let _ = emulate_default_handler(number);
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
        std::thread::sleep(Duration::from_millis(5));
        arrived().is_some()
    })
}
