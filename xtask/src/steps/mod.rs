//! `cargo xtask test`: every check of the project, one step after the other.
//!
//! A step that fails does not stop the others. A step that cannot run prints the reason and is
//! counted; no step is omitted silently.

mod headers;
mod litmus;
mod programs;
mod rumur;
mod rust;

use std::time::{Duration, Instant};

use anyhow::Result;
use clap::ValueEnum;

use crate::codegen;
use crate::resources;
use crate::tally::Tally;

/// A group of checks that is run, timed and named as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// The formatting of the Rust sources.
    Fmt,
    /// Rust lints, as errors.
    Clippy,
    /// The documentation of the libraries: links and markup, warnings as errors.
    Docs,
    /// Generated files are up to date.
    Codegen,
    /// Unit, UI and documentation tests.
    Tests,
    /// Each device header alone, with the C++ compiler.
    Headers,
    /// Each device header alone, with nvcc.
    HeadersNvcc,
    /// Each instrumented program, with nvcc.
    Programs,
    /// The programs of litmus tests, with nvcc.
    Litmus,
    /// Registers of checked kernels and the length of a check, with nvcc.
    Resources,
    /// The licences and origins of dependencies.
    Deny,
    /// The Murphi models.
    Rumur,
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether the step runs only if it is named or everything is to run: it takes minutes, and
    /// few changes affect it.
    fn is_left_to_all(self) -> bool {
        matches!(self, Self::Resources | Self::Rumur)
    }

    fn run(self, extent: Extent) -> Result<Tally> {
        match self {
            Self::Fmt => rust::fmt(),
            Self::Clippy => rust::clippy(),
            Self::Docs => rust::docs(),
            Self::Codegen => codegen::check().map(|()| Tally::pass()),
            Self::Tests => rust::tests(extent),
            Self::Headers => headers::cxx(extent),
            Self::HeadersNvcc => headers::nvcc(extent),
            Self::Programs => programs::check(extent),
            Self::Litmus => litmus::check(extent),
            Self::Resources => resources::check(),
            Self::Deny => rust::deny(),
            Self::Rumur => rumur::check(),
        }
    }
}

pub use rust::all_tests;

/// How much of the checks that take long is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A part that stands for the rest.
    Sample,
    /// Everything.
    All,
}

/// The result of a step.
struct Done {
    step: Step,
    tally: Tally,
    time: Duration,
}

/// Runs the named steps, or all of them, and prints the results.
///
/// Returns whether nothing failed.
pub fn run(extent: Extent, only: &[Step]) -> bool {
    let steps = match only {
        [] => Step::value_variants().to_vec(),
        only => only.to_vec(),
    };
    let mut done = Vec::new();
    for (number, &step) in steps.iter().enumerate() {
        println!("\n=== {} ({}/{})", step.name(), number + 1, steps.len());
        let start = Instant::now();
        let tally = match extent {
            Extent::Sample if only.is_empty() && step.is_left_to_all() => {
                Tally::skip("runs with `cargo xtask test --all`")
            }
            _ => step.run(extent).unwrap_or_else(|error| {
                println!("error: {error:#}");
                Tally::fail(format!("{error:#}"))
            }),
        };
        done.push(Done {
            step,
            tally,
            time: start.elapsed(),
        });
    }
    print!("\n{}", summary(&done));
    done.iter().all(|done| done.tally.failed.is_empty())
}

/// One line per step, then what failed and what was skipped, then the totals.
fn summary(done: &[Done]) -> String {
    let mut text = String::from("=== summary\n");
    let mut total = Tally::default();
    for Done { step, tally, time } in done {
        text += &format!(
            "{:7} {:12} {:6.1} s  {tally}\n",
            tally.verdict(),
            step.name(),
            time.as_secs_f64(),
        );
        for name in &tally.failed {
            text += &format!("        failed: {name}\n");
        }
        for reason in &tally.skipped {
            text += &format!("        skipped: {reason}\n");
        }
    }
    for done in done {
        total.passed += done.tally.passed;
        total.failed.extend_from_slice(&done.tally.failed);
        total.skipped.extend_from_slice(&done.tally.skipped);
    }
    text + &format!("{total}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_names_what_failed_and_ends_in_the_totals() {
        let done = |step, tally| Done {
            step,
            tally,
            time: Duration::from_millis(1250),
        };
        let skipped = Tally {
            skipped: vec!["no nvcc".to_owned()],
            ..Tally::default()
        };
        let text = summary(&[
            done(Step::Fmt, Tally::pass()),
            done(Step::Headers, Tally::fail("shadow.h")),
            done(Step::HeadersNvcc, skipped),
        ]);
        assert_eq!(
            text,
            "=== summary\n\
             ok      fmt             1.2 s  1 passed, 0 failed, 0 skipped\n\
             failed  headers         1.2 s  0 passed, 1 failed, 0 skipped\n        \
             failed: shadow.h\n\
             skipped headers-nvcc    1.2 s  0 passed, 0 failed, 1 skipped\n        \
             skipped: no nvcc\n\
             1 passed, 1 failed, 1 skipped\n"
        );
    }
}
