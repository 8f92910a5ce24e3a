//! Measures the static cost of checking: registers, spills and shared memory of the kernels of
//! `bench/`, and the instructions of one checked read, as nvcc compiles them.
//!
//! `docs/gpu-resources.md` has the numbers. The step of `cargo xtask test` fails if they have
//! changed by more than a tolerance, or if a check has more instructions than its [`BUDGETS`]
//! allow.

mod compiler;
mod cubin;
mod ptxas;
mod switches;

use anyhow::{Context as _, Result, anyhow};
use hirace::model::Backend;

use crate::document::write_section;
use crate::files;
use crate::gpu::{self, Contents, KERNELS};
use crate::nvcc::{self, Nvcc};
use crate::tally::Tally;
use compiler::{Compiler, inputs};
use ptxas::Usage;
use switches::Switched;

/// Stores unchanged shadow words like changed ones.
const NO_SHORTCUT: &str = "-DHIRACE_SHORTCUT=0";

/// The measured architectures: Ampere and Hopper.
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

const DOCUMENT: &str = "docs/gpu-resources.md";

/// The number of instructions that an inlined check may add to one aligned read of four bytes, per
/// space; and the number that may be executed to find that there is nothing to check.
const BUDGETS: [(&str, usize); 3] = [("global", 74), ("shared", 54), ("skipped", 20)];

/// Writes the document, or only prints the tables.
pub fn run(write: bool) -> Result<()> {
    let nvcc = nvcc::locate().map_err(|reason| anyhow!(reason))?;
    let text = Measured::take(&nvcc)?.tables(&nvcc);
    println!("{text}");
    match write {
        true => write_section(DOCUMENT, "resources", &text),
        false => Ok(()),
    }
}

/// Compares the document and the budgets with the code that nvcc generates now.
pub fn check() -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let measured = Measured::take(&nvcc)?;
    let document = files::read_text(&crate::root().join(DOCUMENT))?;
    let mut tally = measured.within_budget();
    if !document.contains(&build_of(&nvcc)) {
        let reason = format!("{DOCUMENT} is for another nvcc: {}", nvcc.version);
        tally.add(Tally::skip(reason));
        return Ok(tally);
    }
    let fast_paths = measured.fast_paths.iter().map(FastPath::row);
    for row in fast_paths.chain(measured.switched.iter().map(Switched::row)) {
        tally.add(if document.contains(&row) {
            Tally::pass()
        } else {
            Tally::fail(format!(
                "{DOCUMENT} lacks this line; `cargo xtask resources --write` adds it:\n{row}"
            ))
        });
    }
    for kernel in &measured.kernels {
        let row = kernel.row();
        tally.add(match drift(&document, kernel) {
            Ok(()) => Tally::pass(),
            Err(why) => Tally::fail(format!(
                "{}, {}: {why}, where nvcc now has\n{row}\
                 `cargo xtask resources --write` accepts it",
                kernel.name, kernel.architecture
            )),
        });
    }
    Ok(tally)
}

/// The document's line that names its nvcc.
fn build_of(nvcc: &Nvcc) -> String {
    format!("nvcc: {}.", nvcc.version)
}

/// A kernel without and with checks.
struct Kernel {
    name: &'static str,
    architecture: &'static str,
    plain: Usage,
    checked: Usage,
    /// With checks, but without the shortcut for unchanged words.
    without_shortcut: Usage,
}

impl Kernel {
    /// The beginning of its line in the table.
    fn key(&self) -> String {
        format!("| `{}` | {} |", self.name, self.architecture)
    }

    fn row(&self) -> String {
        let cells = COLUMNS.iter().map(|(_, _, pair)| {
            let [before, after] = pair(self);
            format!(" {before} → {after} |")
        });
        format!("{}{}\n", self.key(), cells.collect::<String>())
    }
}

/// A column of the table: its name, how far the document's numbers may be from those of a kernel, and
/// these.
type Column = (&'static str, u32, fn(&Kernel) -> [u32; 2]);

const REGISTERS: u32 = 4;
const BYTES: u32 = 32;

const COLUMNS: [Column; 6] = [
    ("registers", REGISTERS, |it| {
        [it.plain.registers, it.checked.registers]
    }),
    ("spilled, bytes", BYTES, |it| {
        [it.plain.spilled, it.checked.spilled]
    }),
    ("stack, bytes", BYTES, |it| {
        [it.plain.stack, it.checked.stack]
    }),
    ("shared, bytes", 0, |it| {
        [it.plain.shared, it.checked.shared]
    }),
    ("registers, shortcut off → on", REGISTERS, |it| {
        [it.without_shortcut.registers, it.checked.registers]
    }),
    ("spilled, shortcut off → on", BYTES, |it| {
        [it.without_shortcut.spilled, it.checked.spilled]
    }),
];

/// The difference between the document and a kernel, if it exceeds the tolerance.
fn drift(document: &str, kernel: &Kernel) -> Result<(), String> {
    let key = kernel.key();
    let row = document.lines().find_map(|line| line.strip_prefix(&key));
    let row = row.ok_or_else(|| format!("{DOCUMENT} has no line for it"))?;
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    for ((_, tolerance, measured), cell) in COLUMNS.iter().zip(&cells) {
        let pair = cell.split_once(" → ");
        let pair = pair.and_then(|(a, b)| Some([a.parse::<u32>().ok()?, b.parse().ok()?]));
        let pair = pair.ok_or_else(|| format!("{DOCUMENT} has {cell:?} for a pair of numbers"))?;
        for (known, now) in pair.into_iter().zip(measured(kernel)) {
            if known.abs_diff(now) > *tolerance {
                return Err(format!("{DOCUMENT} says {known}"));
            }
        }
    }
    Ok(())
}

/// Instructions of one inlined read, without and with its check.
struct FastPath {
    space: &'static str,
    architecture: &'static str,
    plain: usize,
    checked: usize,
    budget: usize,
}

impl FastPath {
    fn added(&self) -> usize {
        self.checked.saturating_sub(self.plain)
    }

    fn row(&self) -> String {
        let (plain, checked, added) = (self.plain, self.checked, self.added());
        format!(
            "| {} | {} | {plain} | {checked} | {added} | {} |\n",
            self.space, self.architecture, self.budget
        )
    }
}

struct Measured {
    kernels: Vec<Kernel>,
    fast_paths: Vec<FastPath>,
    switched: Vec<Switched>,
}

impl Measured {
    fn take(nvcc: &Nvcc) -> Result<Self> {
        let out = crate::root().join("target/resources");
        let package = out.join("package");
        let contents = Contents {
            backend: Backend::Gpu,
            tests: &[],
            self_test: false,
            kernels: &KERNELS,
        };
        gpu::write(&package, &contents)?;
        let cache = hirace::toolchain::cache::Cache::of_user()?;
        let once = hirace::toolchain::with_functions_once(&nvcc.path, &[], &cache)?;
        let compiler = Compiler {
            nvcc,
            wrapped: Nvcc {
                path: once.context("this nvcc compiles functions for each kernel")?,
                version: nvcc.version.clone(),
            },
            include: package.join("bench/hirace/include"),
            inputs: inputs(nvcc, &package.join("bench"))?,
            out,
        };
        Ok(Self {
            kernels: compiler.kernels(&package.join("bench"))?,
            fast_paths: compiler.fast_paths()?,
            switched: switches::measure(&compiler)?,
        })
    }

    fn within_budget(&self) -> Tally {
        let mut tally = Tally::default();
        for path in &self.fast_paths {
            let added = path.added();
            tally.add(if added <= path.budget {
                Tally::pass()
            } else {
                Tally::fail(format!(
                    "a checked read in {} memory has {added} instructions more on {}, {} allowed",
                    path.space, path.architecture, path.budget
                ))
            });
        }
        tally
    }

    fn tables(&self, nvcc: &Nvcc) -> String {
        let mut text = format!("{}\n\n", build_of(nvcc));
        text += "| memory | architecture | plain | checked | added | allowed |\n|---|---|---|---|---|---|\n";
        text.extend(self.fast_paths.iter().map(FastPath::row));
        text += &format!("\n{}", switches::HEADING);
        text.extend(self.switched.iter().map(Switched::row));
        let names = COLUMNS.map(|it| format!(" {} |", it.0)).concat();
        let line = "---|".repeat(2 + COLUMNS.len());
        text += &format!("\n| kernel | architecture |{names}\n|{line}\n");
        text.extend(self.kernels.iter().map(Kernel::row));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(registers: u32, shared: u32) -> Kernel {
        let plain = Usage {
            registers: 10,
            spilled: 0,
            stack: 0,
            shared: 1024,
        };
        Kernel {
            name: "sum",
            architecture: "sm_90",
            plain,
            checked: Usage {
                registers,
                shared,
                ..plain
            },
            without_shortcut: plain,
        }
    }

    #[test]
    fn a_table_is_up_to_date_within_the_tolerance() {
        let document = format!("text\n{}more\n", kernel(40, 5000).row());
        assert_eq!(drift(&document, &kernel(40, 5000)), Ok(()));
        assert_eq!(drift(&document, &kernel(44, 5000)), Ok(()));
        assert_eq!(drift(&document, &kernel(36, 5000)), Ok(()));
        let changed = format!("{DOCUMENT} says 40");
        assert_eq!(drift(&document, &kernel(45, 5000)), Err(changed.clone()));
        assert_eq!(drift(&document, &kernel(35, 5000)), Err(changed));
        assert!(drift(&document, &kernel(40, 5001)).is_err());
        assert!(drift("", &kernel(40, 5000)).is_err());
        assert!(drift(&document.replace("1024", "?"), &kernel(40, 5000)).is_err());
    }

    #[test]
    fn a_longer_check_is_over_its_budget() {
        let measured = |checked| Measured {
            kernels: Vec::new(),
            fast_paths: vec![FastPath {
                space: "global",
                architecture: "sm_90",
                plain: 10,
                checked,
                budget: 80,
            }],
            switched: Vec::new(),
        };
        assert_eq!(measured(90).within_budget(), Tally::pass());
        assert_eq!(measured(91).within_budget().failed.len(), 1);
    }
}
