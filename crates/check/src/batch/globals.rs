//! Which functions of programs share a name with a global function of a header.
//!
//! In a namespace a function hides those outside; at file scope it would have been one more
//! overload. A using declaration restores that. Only the compiler knows what its headers declare,
//! so this compiles a test for each name: it is ambiguous if a header declares it too.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use indicatif::ProgressBar;

use super::{Runnable, unit};
use hirace_model::error::{Error, Result};
use hirace_toolchain::{Compiler, Job};

/// The name of the tests' file in the compiler's messages.
const FILE_NAME: &str = "globals";

/// The names of the programs' functions that headers declare too.
pub(super) fn among(
    programs: &[&Runnable],
    compiler: &Compiler,
    scratch: &Path,
) -> Result<BTreeSet<String>> {
    let names: BTreeSet<&str> = programs
        .iter()
        .flat_map(|it| &it.functions)
        .map(String::as_str)
        .filter(|&it| it != "main")
        .collect();
    let mut text = unit::BEGINNING.to_owned();
    text += &unit::headers(programs.iter().map(|it| &it.flat));
    text += "namespace hirace_names {\n";
    for name in &names {
        let _ = writeln!(text, "extern char {name};");
    }
    text += "}\nusing namespace hirace_names;\n";
    for (line, name) in names.iter().enumerate() {
        let _ = writeln!(
            text,
            "#line {} \"{FILE_NAME}\"\nusing hirace_name_{line} = decltype({name});",
            line + 1
        );
    }
    let file = scratch.join("globals.cu");
    std::fs::write(&file, text).map_err(|source| Error::write(&file, source))?;
    let compiled = compiler.syntax(&Job {
        units: std::slice::from_ref(&file),
        scratch,
        executable: &scratch.join("globals"),
        progress: &ProgressBar::hidden(),
        dependencies: false,
    });
    let output = match compiled {
        Ok(()) => return Ok(BTreeSet::new()),
        Err(Error::Compile { output, .. }) => output,
        Err(other) => return Err(other),
    };
    let lines: BTreeSet<usize> = output
        .lines()
        .filter_map(|line| line.strip_prefix(FILE_NAME)?.strip_prefix(':'))
        .filter_map(|line| line.split(':').next()?.parse().ok())
        .collect();
    Ok(names
        .iter()
        .enumerate()
        .filter(|(line, _)| lines.contains(&(line + 1)))
        .map(|(_, name)| (*name).to_owned())
        .collect())
}
