//! Checks whole programs of others: the example programs of Debian packages.
//!
//! The corpora say what of third-party code is instrumented; these programs also run, and most of
//! them compare their results with those of a CPU. A report about one of them is either a finding
//! (`docs/findings.md`) or a false alarm.

mod find;
mod outcome;
mod page;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::process::cargo;
use crate::{files, parallel, process};

/// A package: an unpacked source tree.
struct Package {
    name: String,
    version: String,
    root: PathBuf,
    include: Vec<PathBuf>,
}

/// A program and what became of it.
struct Checked {
    program: find::Program,
    outcome: outcome::Outcome,
}

/// Checks the programs whose names contain one of `only`, or all, and prints a table.
///
/// # Errors
/// A download fails, or a package holds no program of these names.
pub fn run(only: &[String], limit: Duration, write: bool) -> Result<()> {
    let packages = fetch()?;
    process::run(cargo().args(["build", "--quiet", "--package", "hirace"]))?;
    let hirace = crate::root().join("target/debug/hirace");
    let mut programs = Vec::new();
    for package in &packages {
        programs.extend(find::programs(package)?);
    }
    programs.retain(|it| only.is_empty() || only.iter().any(|part| it.name.contains(part)));
    if programs.is_empty() {
        bail!("no program is called {}", only.join(", "));
    }
    let checked: Vec<Checked> = parallel::map(programs, |program| {
        let outcome = outcome::check(&hirace, &program, limit)?;
        println!("{}: {}", program.name, outcome.summary());
        Ok(Checked { program, outcome })
    })
    .into_iter()
    .collect::<Result<_>>()?;
    println!("\n{}", page::table(&checked));
    if write {
        page::write(&packages, &checked, only.is_empty())?;
    }
    Ok(())
}

/// Downloads the packages to `target/programs`.
fn fetch() -> Result<Vec<Package>> {
    let directory = crate::root().join("target/programs");
    let scripts = crate::root().join("xtask/python");
    let pins = scripts.join("programs.txt");
    std::fs::create_dir_all(&directory)?;
    process::run(
        Command::new("python3")
            .arg(scripts.join("fetch_debs.py"))
            .args([&pins, &directory]),
    )?;
    let text = files::read_text(&pins)?;
    let lines = text.lines().map(|it| it.split('#').next().unwrap_or(""));
    Ok(lines.filter_map(|line| package(line, &directory)).collect())
}

/// A line of `programs.txt`.
fn package(line: &str, directory: &Path) -> Option<Package> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, version, _, _, _, root, rest @ ..] = words.as_slice() else {
        return None;
    };
    let root = directory.join(name).join(root);
    let include = rest.iter().flat_map(|it| it.split(','));
    Some(Package {
        name: (*name).to_owned(),
        version: (*version).to_owned(),
        include: include.map(|it| root.join(it)).collect(),
        root,
    })
}
