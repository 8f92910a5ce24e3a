//! The summary that `hirace instrument` prints.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::Instrumented;
use hirace_instrument::tree::Role;
use hirace_model::Backend;
use hirace_report::human::{self, count};
use hirace_toolchain::gpu;

/// The maximum number of places that a section lists.
const LIST_LIMIT: usize = 10;

/// The summary as text.
pub(super) fn of(program: &Instrumented, directory: &Path, backend: Backend) -> String {
    let instrumented = program
        .files
        .iter()
        .filter(|copy| copy.instrumented)
        .count();
    // Kernels are device functions, too.
    let functions = program
        .device_functions
        .saturating_sub(program.kernels.len());
    let mut lines = vec![format!(
        "hirace: {}, {} and {} instrumented in {instrumented} of {}, in {}",
        count(program.kernels.len() as u64, "kernel"),
        count(functions as u64, "device function"),
        count(program.launches as u64, "launch"),
        count(program.files.len() as u64, "file"),
        directory.display(),
    )];
    let notes = || program.tables.iter().map(|table| &table.notes);
    let not_monitored = notes().flat_map(|it| &it.not_monitored);
    let not_monitored = not_monitored.map(|it| format!("{}:{}: {}", it.file, it.line, it.reason));
    section(&mut lines, "not monitored", not_monitored.collect());
    let not_modelled = notes().flat_map(|it| &it.not_modelled);
    let not_modelled = not_modelled.map(|it| format!("{}:{}: {}", it.file, it.line, it.construct));
    section(&mut lines, "not modelled", not_modelled.collect());
    let switched_off = notes().flat_map(|it| it.switched_off.iter().map(human::switched_off));
    section(&mut lines, "switched off", switched_off.collect());
    let warnings = notes().flat_map(|it| it.warnings.iter().map(human::warned));
    section(&mut lines, "warnings", warnings.collect());
    let more_listed = notes().any(|it| !it.not_monitored.is_empty() || !it.switched_off.is_empty());
    let listed = more_listed.then_some("above");
    lines.extend(human::coverage(&program.tables.coverage(), listed));
    lines.extend(how_to_build(program, directory, backend));
    let mut text = String::new();
    for line in lines {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The compiler's command line for the first file that was instrumented.
fn how_to_build(program: &Instrumented, directory: &Path, backend: Backend) -> Option<String> {
    let mut files = program.files.iter();
    let unit = files.find(|copy| copy.role == Role::Named && copy.instrumented)?;
    let include = directory.join("include");
    let file = directory.join(&unit.path);
    Some(match backend {
        Backend::Gpu => format!(
            "build it with: nvcc -std=c++17 -arch={} -I {} {}",
            architecture(),
            include.display(),
            file.display()
        ),
        Backend::Cpu => format!(
            "build it with: c++ -x c++ -std=c++17 -O2 -pthread -I {} -I {} {}",
            include.display(),
            include.join("hirace/toolkit").display(),
            file.display()
        ),
    })
}

/// An architecture that nvcc compiles for here, or on another machine: its default may be too old for the
/// checks, and `native` needs a GPU.
fn architecture() -> &'static str {
    match gpu::available() {
        true => "native",
        false => "sm_90",
    }
}

fn section(lines: &mut Vec<String>, title: &str, mut places: Vec<String>) {
    places.sort();
    places.dedup();
    if places.is_empty() {
        return;
    }
    lines.push(format!("{title}:"));
    lines.extend(
        places
            .iter()
            .take(LIST_LIMIT)
            .map(|place| format!("  {place}")),
    );
    if places.len() > LIST_LIMIT {
        lines.push(format!("  and {} more", places.len() - LIST_LIMIT));
    }
}
