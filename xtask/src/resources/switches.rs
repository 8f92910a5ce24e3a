//! How the switches of the device headers change the code of one checked read.

use anyhow::Result;

use super::ARCHITECTURES;
use super::NO_SHORTCUT;
use super::compiler::Compiler;
use super::cubin::{self, Instructions};

/// The macro that turns each switch off.
const SWITCHES: [&str; 3] = [NO_SHORTCUT, "-DHIRACE_MERGE_LANES=0", "-DHIRACE_SITES=0"];

pub const HEADING: &str = "\
| switched off by | memory | architecture | in line, off → on | in functions, off → on |
|---|---|---|---|---|
";

/// Instructions of one checked read, with a switch off and on.
pub struct Switched {
    switch: &'static str,
    space: &'static str,
    architecture: &'static str,
    off: Instructions,
    on: Instructions,
}

impl Switched {
    pub fn row(&self) -> String {
        let (off, on) = (self.off, self.on);
        format!(
            "| `{}` | {} | {} | {} → {} | {} → {} |\n",
            self.switch, self.space, self.architecture, off.own, on.own, off.called, on.called
        )
    }
}

pub fn measure(compiler: &Compiler) -> Result<Vec<Switched>> {
    let mut all = Vec::new();
    for architecture in ARCHITECTURES {
        let usual = compiler.single_reads(architecture, &[])?;
        for switch in SWITCHES {
            let other = compiler.single_reads(architecture, &[switch])?;
            for space in ["global", "shared"] {
                let kernel = format!("checked_{space}");
                all.push(Switched {
                    switch,
                    space,
                    architecture,
                    off: cubin::instructions(&other, &kernel)?,
                    on: cubin::instructions(&usual, &kernel)?,
                });
            }
        }
    }
    Ok(all)
}
