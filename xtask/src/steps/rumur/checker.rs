//! A model as a program that explores its states.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use hirace_fsm::emit::murphi::Model;

use super::history;
use crate::process::{Output, capture};

/// The version of rumur whose numbers of states are recorded.
const MEASURED: &str = "v2022.08.20";

/// Which states are treated as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// States that differ only in the numbering of threads, warps and blocks, as far as rumur's
    /// heuristics notice. All cores share the work.
    Reduced,
    /// None: the number of states depends on the model alone.
    Full,
    /// Like `Reduced`, but on one core, so that the history found is among the shortest and always
    /// the same.
    Shortest,
}

/// The result of a check.
#[derive(Debug)]
pub enum Verdict {
    /// Every invariant holds and every `cover` property is hit.
    Holds {
        /// States explored.
        states: usize,
        /// Transitions between them.
        rules: usize,
        /// `cover` properties, all of them hit.
        covers: usize,
    },
    /// A property fails.
    Fails {
        /// In rumur's words.
        property: String,
        /// A history that leads to the failing state.
        history: String,
    },
}

/// rumur, the C compiler, and the directory for their files.
pub struct Checker {
    out: PathBuf,
    version: String,
}

impl Checker {
    pub fn new(out: PathBuf) -> Result<Self> {
        fs::create_dir_all(&out).with_context(|| format!("failed to create {}", out.display()))?;
        let version = capture(Command::new("rumur").arg("--version"))?.text;
        Ok(Self { out, version })
    }

    /// Whether this rumur is the version whose numbers of states are recorded.
    pub fn is_measured(&self) -> bool {
        self.version.contains(MEASURED)
    }

    /// Writes a model to a file and returns its path.
    pub fn write(&self, name: &str, model: &Model) -> Result<PathBuf> {
        let path = self.out.join(format!("{name}.m"));
        fs::write(&path, model.text())
            .with_context(|| format!("failed to write {}", path.display()))?;
        Ok(path)
    }

    /// Explores all states of a model. The program's output is kept beside the model.
    pub fn check(&self, name: &str, model: &Model, symmetry: Symmetry) -> Result<Verdict> {
        let source = self.write(name, model)?;
        let c = source.with_extension("c");
        let program = source.with_extension("");
        let mut rumur = Command::new("rumur");
        rumur.args(["--deadlock-detection", "off"]);
        rumur.args(match symmetry {
            Symmetry::Reduced => ["--symmetry-reduction", "heuristic"].as_slice(),
            Symmetry::Full => &["--symmetry-reduction", "off"],
            Symmetry::Shortest => &["--symmetry-reduction", "heuristic", "--threads", "1"],
        });
        require(rumur.arg("--output").arg(&c).arg(&source))?;
        // The small models take longer to optimise than to run. Without optimisation the program's
        // advice to optimise is a warning. 16-byte compare-and-swap: the checker's hash table is
        // lock-free.
        let optimisation = match symmetry {
            Symmetry::Reduced | Symmetry::Full => ["-O3", "-march=native"],
            Symmetry::Shortest => ["-O0", "-Wno-cpp"],
        };
        require(
            Command::new("cc")
                .args(["-std=c11", "-mcx16", "-pthread"])
                .args(optimisation)
                .arg(&c)
                .arg("-o")
                .arg(&program)
                .arg("-latomic"),
        )?;
        let output = capture(&mut Command::new(&program))?;
        fs::write(source.with_extension("out"), &output.text)?;
        verdict(&output, model).with_context(|| format!("see {}/{name}.out", self.out.display()))
    }
}

/// Runs a command that must succeed; its output is shown only if it fails.
fn require(command: &mut Command) -> Result<()> {
    let output = capture(command)?;
    if !output.success {
        bail!("{}:\n{}", crate::process::show(command), output.text);
    }
    Ok(())
}

fn verdict(output: &Output, model: &Model) -> Result<Verdict> {
    let text = &output.text;
    if let Some(property) = history::failed_property(text) {
        return Ok(Verdict::Fails {
            property: property.to_owned(),
            history: history::read(text, model.shape),
        });
    }
    let covers = || {
        text.lines()
            .map(str::trim)
            .filter(|line| line.starts_with("cover "))
    };
    if let Some(property) = covers().find(|line| line.ends_with(" not hit")) {
        return Ok(Verdict::Fails {
            property: property.to_owned(),
            history: "reached in no history".to_owned(),
        });
    }
    if !output.success || !text.contains("No error found.") {
        bail!("the check did not finish");
    }
    let (states, rules) = text
        .lines()
        .rev()
        .find_map(counts)
        .context("the check does not report its states")?;
    Ok(Verdict::Holds {
        states,
        rules,
        covers: covers().count(),
    })
}

/// Reads `5 states, 7 rules fired in 0s.`
fn counts(line: &str) -> Option<(usize, usize)> {
    let (states, rest) = line.trim().split_once(" states, ")?;
    let (rules, _) = rest.split_once(" rules fired in ")?;
    Some((states.parse().ok()?, rules.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_the_summary_only() {
        assert_eq!(counts("\t5 states, 7 rules fired in 0s."), Some((5, 7)));
        let progress = "\t thread 1: 5 states explored in 2s, with 7 rules fired";
        assert_eq!(counts(progress), None);
    }
}
