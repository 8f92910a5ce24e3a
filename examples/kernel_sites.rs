//! Lists what each function on the device accesses, with hirace as a library:
//!
//! ```sh
//! cargo run --example kernel_sites -- examples/ci
//! ```
//!
//! Takes source files and directories, and runs nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hirace::error::Result;
use hirace::instrument::tree::Collector;
use hirace::instrument::{self, Plan, walk};
use hirace::model::{Backend, Site};
use hirace::toolchain::Arguments;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match listing(&paths) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("failed to list the accesses: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The functions by name, each with its accesses, and what would run unchecked.
fn listing(paths: &[impl AsRef<Path>]) -> Result<String> {
    let arguments = Arguments::default();
    let mut collector = Collector::new(&arguments);
    for path in paths.iter().map(AsRef::as_ref) {
        if path.is_dir() {
            walk::directory(&mut collector, path)?;
        } else {
            collector.named(path)?;
        }
    }
    let tree = collector.finish()?;
    let program = instrument::survey(&tree, Plan::new(Backend::Cpu, &arguments))?;

    let mut functions: BTreeMap<&str, Vec<(&str, &Site)>> = BTreeMap::new();
    for table in program.tables.iter() {
        for site in table.sites.iter().filter(|site| site.kind.is_access()) {
            let accesses = functions.entry(&site.function).or_default();
            accesses.push((&table.path, site));
        }
    }
    let mut text = String::new();
    for (function, accesses) in &functions {
        let kernel = program.kernels.iter().any(|it| it == function);
        let what = if kernel { "kernel" } else { "function" };
        let _ = writeln!(text, "{what} {function}");
        for (file, site) in accesses {
            let kind = format!("{:?}", site.kind).to_lowercase();
            let place = format!("{file}:{}:{}", site.line, site.column);
            let _ = writeln!(text, "  {kind:6}  {}  ({place})", site.text);
        }
    }
    for table in program.tables.iter() {
        for place in &table.notes.not_monitored {
            let _ = writeln!(
                text,
                "not monitored: {}:{}: {}",
                table.path, place.line, place.reason
            );
        }
    }
    if let Some(percent) = program.tables.coverage().percent() {
        let _ = writeln!(text, "{percent} % of the accesses would be checked");
    }
    Ok(text)
}

#[test]
fn accesses_are_listed_by_kernel() {
    let text = listing(&["examples/ci/src"]).expect("it can be read");
    for line in [
        "kernel scan_block\n",
        "  update  sums[t]  (examples/ci/src/prefix_sum.cu:14:5)\n",
        "100 % of the accesses would be checked\n",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}
