//! The Murphi model, checked with rumur.
//!
//! The machine is proved on 2x2x2 as devices run it, and on smaller grids with whole words and with
//! a driver that drops no access. Each published transition that the machine corrects is put back
//! and must be refuted.

mod checker;
mod history;
mod refute;

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use hirace_fsm::check::Shape;
use hirace_fsm::emit::murphi::Model;
use hirace_fsm::{Masks, Table};

use crate::process::{capture, is_there, run};
use crate::tally::Tally;
use checker::{Checker, Symmetry, Verdict};

/// The hand-written parts of the model.
struct Frame {
    driver: String,
    cover: String,
}

impl Frame {
    fn read() -> Result<Self> {
        let read = |name: &str| {
            let path = crate::root().join("murphi").join(name);
            fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))
        };
        Ok(Self {
            driver: read("driver.m")?,
            cover: read("cover.m")?,
        })
    }

    /// The exact machine on a grid, as devices run it.
    fn model<'a>(&'a self, masks: &'a Masks, shape: Shape) -> Model<'a> {
        Model {
            driver: &self.driver,
            cover: None,
            table: &Table::EXACT,
            masks,
            shape,
            masked: true,
            forgetful: true,
        }
    }
}

/// Proves the machine exact and refutes the published transitions that it corrects.
pub fn check() -> Result<Tally> {
    if let Err(reason) = install() {
        return Ok(Tally::skip(reason));
    }
    let frame = Frame::read()?;
    let masks = Masks::of(&Table::EXACT);
    let checker = Checker::new(crate::root().join("target/murphi"))?;
    let mut tally = Tally::default();
    tally.add(outcome("plain Murphi", plain(&checker, &frame, &masks)));
    for proof in &PROOFS {
        let name = proof.name();
        tally.add(outcome(&name, proof.run(&checker, &frame, &masks)));
    }
    tally.add(refute::all(&checker, &frame, &masks));
    Ok(tally)
}

fn outcome(name: &str, result: Result<String>) -> Tally {
    match result {
        Ok(found) => {
            println!("{name}: {found}");
            Tally::pass()
        }
        Err(error) => {
            println!("{name}: failed: {error:#}");
            Tally::fail(format!("{name}: {error:#}"))
        }
    }
}

/// A grid on which the machine must be exact.
struct Proof {
    blocks: usize,
    warps: usize,
    threads: usize,
    masked: bool,
    forgetful: bool,
    symmetry: Symmetry,
    /// The number of states. With symmetry reduction it depends on rumur's heuristics, but not on
    /// the number of threads.
    states: usize,
}

/// The first is the main proof; it has the `cover` properties, and its number of states is that of
/// rumur 2022.08. The others show that masks and dropped accesses hide nothing.
const PROOFS: [Proof; 5] = [
    Proof {
        blocks: 2,
        warps: 2,
        threads: 2,
        masked: true,
        forgetful: true,
        symmetry: Symmetry::Reduced,
        states: 562_941,
    },
    small(2, 1, 2, false, true, 55_071),
    small(2, 2, 1, false, true, 38_735),
    small(2, 1, 2, true, false, 165_353),
    small(2, 2, 1, true, false, 160_077),
];

const fn small(
    blocks: usize,
    warps: usize,
    threads: usize,
    masked: bool,
    forgetful: bool,
    states: usize,
) -> Proof {
    Proof {
        blocks,
        warps,
        threads,
        masked,
        forgetful,
        symmetry: Symmetry::Full,
        states,
    }
}

impl Proof {
    fn name(&self) -> String {
        let words = if self.masked { "masked" } else { "whole" };
        let accesses = if self.forgetful {
            ""
        } else {
            ", every access kept"
        };
        let Self {
            blocks,
            warps,
            threads,
            ..
        } = self;
        format!("{blocks}x{warps}x{threads}, {words} words{accesses}")
    }

    fn run(&self, checker: &Checker, frame: &Frame, masks: &Masks) -> Result<String> {
        let shape = Shape::new(self.blocks, self.warps, self.threads)?;
        let mut model = frame.model(masks, shape);
        model.masked = self.masked;
        model.forgetful = self.forgetful;
        if self.symmetry == Symmetry::Reduced {
            model.cover = Some(&frame.cover);
        }
        let name = format!(
            "hirace-{shape}{}{}",
            if self.masked { "" } else { "-whole" },
            if self.forgetful { "" } else { "-kept" },
        );
        match checker.check(&name, &model, self.symmetry)? {
            Verdict::Holds {
                states,
                rules,
                covers,
            } => {
                let is_comparable = self.symmetry == Symmetry::Full || checker.is_measured();
                if is_comparable && states != self.states {
                    bail!(
                        "{states} states instead of {}; has the model changed?",
                        self.states
                    );
                }
                let situations = match covers {
                    0 => String::new(),
                    covers => format!(", {covers} situations covered"),
                };
                Ok(format!(
                    "holds, {states} states, {rules} rules fired{situations}"
                ))
            }
            Verdict::Fails { property, history } => bail!("{property}: {history}"),
        }
    }
}

/// Checks that without `cover` the model uses only the language that other Murphis know, as far as
/// rumur's converter can tell: it must find nothing to convert.
fn plain(checker: &Checker, frame: &Frame, masks: &Masks) -> Result<String> {
    let model = frame.model(masks, Shape::new(2, 2, 2)?);
    let source = checker.write("hirace-plain", &model)?;
    let converted = source.with_extension("converted.m");
    let output = capture(
        Command::new("murphi2murphi")
            .args(["--decompose-complex-comparisons", "--remove-liveness"])
            .args(["--to-ascii", "--output"])
            .args([&converted, &source]),
    )?;
    if !output.success {
        bail!("murphi2murphi failed:\n{}", output.text);
    }
    if fs::read(&source)? != fs::read(&converted)? {
        bail!("{} differs from {}", source.display(), converted.display());
    }
    Ok("nothing to convert".to_owned())
}

/// Ensures that rumur is installed, from Debian's archive if we may install packages.
fn install() -> Result<(), String> {
    if is_there("rumur") {
        return Ok(());
    }
    if !is_there("apt-get") {
        return Err("rumur is not installed, and there is no apt-get to install it".to_owned());
    }
    let user = capture(Command::new("id").arg("-u")).map_err(|error| format!("{error:#}"))?;
    if user.text.trim() != "0" {
        return Err("rumur is not installed, and only root can install it".to_owned());
    }
    run(Command::new("apt-get").args(["update", "-qq"]))
        .and_then(|()| run(Command::new("apt-get").args(["install", "-y", "-qq", "rumur"])))
        .map_err(|error| format!("rumur could not be installed: {error:#}"))
}
