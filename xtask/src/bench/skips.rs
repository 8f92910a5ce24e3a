//! Counts the checks with each key of `[skip]`.
//!
//! The counts are exact and the same on every machine: they come from the report.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{KERNELS, Kernel};
use crate::document::publish_benchmark;
use crate::{files, process};

/// The keys of `[skip]`.
const KEYS: [&str; 2] = ["stable-reads", "read-only-memory"];

/// Counts for every kernel at its small size; writes the table into `docs/benchmarks.md` if `write`
/// is set.
pub fn run(write: bool) -> Result<()> {
    let graphs = super::Programs::prepare()?.graphs;
    let names = KEYS.map(|key| format!(" `{key}` alone |")).concat();
    let line = "---|".repeat(KEYS.len() + 3);
    let mut table = format!("| kernel | all checked |{names} both |\n|{line}\n");
    for kernel in &KERNELS {
        let all = count(kernel, &graphs, &[])?;
        write!(table, "| `{}` | {all} |", kernel.name)?;
        let alone = KEYS.iter().map(std::slice::from_ref);
        for keys in alone.chain([&KEYS[..]]) {
            let left = count(kernel, &graphs, keys)?;
            let saved = 100.0 * (1.0 - left as f64 / all as f64);
            write!(table, " {left} (−{saved:.0} %) |")?;
        }
        table += "\n";
    }
    publish_benchmark("skips", &table, write)
}

/// The number of accesses that a program checks if only `keys` may skip checks.
fn count(kernel: &Kernel, graphs: &Path, keys: &[&str]) -> Result<u64> {
    let config = crate::root().join("target/bench-skips.toml");
    let lines = KEYS.map(|key| format!("{key} = {}\n", keys.contains(&key)));
    files::write(&config, format!("[skip]\n{}", lines.concat()))?;
    let mut command = Command::new(super::hirace());
    command
        .current_dir(crate::root())
        .args(["check", &format!("bench/{}", kernel.file())])
        .args(["--backend", "cpu", "--jobs", "1", "--config"])
        .arg(&config)
        .arg("--");
    match kernel.graph {
        Some(graph) => command.arg(graphs.join(graph)),
        None => command.arg(kernel.small),
    };
    let report = process::output(&mut command)?;
    accesses(&report)
        .with_context(|| format!("{} printed no number of accesses", process::show(&command)))
}

/// The number of checked accesses in a report's last line, as in `3280 accesses checked`.
fn accesses(report: &str) -> Option<u64> {
    let (before, _) = report.rsplit_once(" accesses checked")?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::accesses;

    #[test]
    fn the_number_is_that_of_the_last_line() {
        let report = "1 accesses checked\nhirace: no race found; 5 kernel launches and 1234567 accesses checked\n";
        assert_eq!(accesses(report), Some(1_234_567));
        assert_eq!(accesses("none"), None);
    }
}
