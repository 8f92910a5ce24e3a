//! `cargo xtask test`: every check of the project, one step after the other.
//!
//! A step that fails does not stop the others. A step that cannot run prints the reason and is
//! counted; no step is omitted silently.

mod headers;
mod litmus;
mod programs;
mod python;
mod quick;
mod rumur;
mod rust;
mod test_programs;
mod units;

use std::time::{Duration, Instant};

use anyhow::Result;
use clap::ValueEnum;
use hirace_sample::{Sample, VARIABLE};

use crate::codegen;
use crate::gpu_ptx;
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
    /// What nvcc makes of UI programs for a GPU, on the CPU executor.
    GpuPtx,
    /// The Python package: kernels of Triton and Numba, and pytest.
    Python,
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

    /// Whether the step takes no sample, so that one of the parts of everything runs it.
    fn is_whole(self) -> bool {
        !matches!(
            self,
            Self::Tests
                | Self::Headers
                | Self::HeadersNvcc
                | Self::Programs
                | Self::Litmus
                | Self::GpuPtx
        )
    }

    fn run(self, sample: Sample) -> Result<Tally> {
        match self {
            Self::Fmt => rust::fmt(),
            Self::Clippy => rust::clippy(&[]),
            Self::Docs => rust::docs(),
            Self::Codegen => codegen::check().map(|()| Tally::pass()),
            Self::Tests => test_programs::run(sample),
            Self::Headers => headers::cxx(sample),
            Self::HeadersNvcc => headers::nvcc(sample),
            Self::Programs => programs::check(sample),
            Self::Litmus => litmus::check(sample),
            Self::GpuPtx => gpu_ptx::run(&[], sample, gpu_ptx::SEEDS),
            Self::Python => python::check(),
            Self::Resources => resources::check(),
            Self::Deny => rust::deny(),
            Self::Rumur => rumur::check(),
        }
    }
}

pub use quick::run as quick;

/// The result of a step.
struct Done {
    step: String,
    tally: Tally,
    time: Duration,
}

impl Done {
    /// Runs a step.
    fn of(step: impl Into<String>, run: impl FnOnce() -> Result<Tally>) -> Self {
        let start = Instant::now();
        let step = step.into();
        println!("\n=== {step}");
        let tally = run().unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::fail(format!("{error:#}"))
        });
        let time = start.elapsed();
        Self { step, tally, time }
    }
}

/// Prints the results; returns whether nothing failed.
fn report(done: &[Done]) -> bool {
    print!("\n{}", summary(done));
    let minutes = done.iter().map(|it| it.time.as_secs_f64()).sum::<f64>() / 60.0;
    println!("{minutes:.1} minutes");
    done.iter().all(|done| done.tally.failed.is_empty())
}

/// Runs the named steps, or all of them, and prints the results.
///
/// Returns whether nothing failed.
pub fn run(sample: Sample, only: &[Step]) -> bool {
    println!("sample: {VARIABLE}={sample} repeats it");
    let steps = match only {
        [] => Step::value_variants().to_vec(),
        only => only.to_vec(),
    };
    let run = |step: Step| {
        if only.is_empty() && !sample.is_everything() && step.is_left_to_all() {
            Ok(Tally::skip("runs with `cargo xtask test --all`"))
        } else if step.is_whole() && !sample.takes(step.name(), 1) {
            Ok(Tally::skip("runs with another part"))
        } else {
            step.run(sample)
        }
    };
    let done: Vec<Done> = steps
        .into_iter()
        .map(|step| Done::of(step.name(), || run(step)))
        .collect();
    report(&done)
}

/// One line per step, then what failed and what was skipped, then the totals.
fn summary(done: &[Done]) -> String {
    let mut text = String::from("=== summary\n");
    let mut total = Tally::default();
    for Done { step, tally, time } in done {
        text += &format!(
            "{:7} {:12} {:6.1} s  {tally}\n",
            tally.verdict(),
            step,
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
        let done = |step: Step, tally| Done {
            step: step.name(),
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
