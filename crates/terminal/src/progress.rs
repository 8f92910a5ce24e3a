//! Progress bars, drawn on standard error if it is an interactive terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a bar moves between steps.
const TICK: Duration = Duration::from_millis(120);

/// A bar of `steps` steps, with an indicatif template.
#[must_use]
pub fn bar(steps: u64, template: &'static str) -> ProgressBar {
    ProgressBar::with_draw_target(Some(steps), target()).with_style(style(template))
}

/// A spinner: a bar without an end that keeps moving on its own.
#[must_use]
pub fn spinner(template: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target()).with_style(style(template));
    bar.enable_steady_tick(TICK);
    bar
}

/// Hidden in CI, because its logs keep what a terminal would overwrite.
fn target() -> ProgressDrawTarget {
    let in_ci = std::env::var_os("CI").is_some_and(|it| !it.is_empty() && it != "false");
    match in_ci {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    }
}

fn style(template: &'static str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
