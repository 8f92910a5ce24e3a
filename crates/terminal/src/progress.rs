//! Progress bars, drawn on standard error if it is an interactive terminal.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a bar moves between steps.
const TICK: Duration = Duration::from_millis(120);

/// Whether [`hide`] was called.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on, nobody watches: the terminal belongs to a program that uses hirace as a library.
pub fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// A bar of `steps` steps, with an indicatif template.
#[must_use]
pub fn bar(steps: u64, template: &'static str) -> ProgressBar {
    ProgressBar::with_draw_target(Some(steps), target()).with_style(style(template))
}

/// A bar like [`bar`] of few and long steps: it keeps moving on its own.
#[must_use]
pub fn slow_bar(steps: u64, template: &'static str) -> ProgressBar {
    let bar = bar(steps, template);
    bar.enable_steady_tick(TICK);
    bar
}

/// A spinner: a bar without an end that keeps moving on its own.
#[must_use]
pub fn spinner(template: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target()).with_style(style(template));
    bar.enable_steady_tick(TICK);
    bar
}

/// Whether someone watches standard error: it is a terminal, and not that of a CI job, whose logs keep
/// what a terminal would overwrite.
#[must_use]
pub fn is_watched() -> bool {
    if HIDDEN.load(Ordering::Relaxed) {
        return false;
    }
    let in_ci = std::env::var_os("CI").is_some_and(|it| !it.is_empty() && it != "false");
    !in_ci && std::io::stderr().is_terminal()
}

fn target() -> ProgressDrawTarget {
    match is_watched() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

fn style(template: &'static str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
