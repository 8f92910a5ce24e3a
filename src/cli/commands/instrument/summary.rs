//! The summary that `hirace instrument` prints.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::Instrumented;
use hirace_instrument::tree::Role;
use hirace_model::Backend;
use hirace_report::human::{self, count};
use hirace_toolchain::{Arguments, gpu, quoted};

/// The maximum number of places that a section lists.
const LIST_LIMIT: usize = 10;

/// The summary as text.
pub(super) fn of(
    program: &Instrumented,
    directory: &Path,
    backend: Backend,
    user: &Arguments,
) -> String {
    let instrumented = program
        .files
        .iter()
        .filter(|copy| copy.instrumented)
        .count();
    if instrumented == 0 {
        return format!(
            "hirace: no kernel in {}, and nothing else to instrument: copied unchanged to {}\n",
            count(program.files.len() as u64, "file"),
            directory.display(),
        );
    }
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
    lines.extend(how_to_build(program, directory, backend, user));
    let mut text = String::new();
    for line in lines {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The compiler's command line for the files that the user named.
fn how_to_build(
    program: &Instrumented,
    directory: &Path,
    backend: Backend,
    user: &Arguments,
) -> Option<String> {
    let named = program.files.iter().filter(|it| it.role == Role::Named);
    if !named.clone().any(|it| it.instrumented) {
        return None;
    }
    let is_unit = |path: &Path| {
        let extension = path.extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| !it.starts_with('h') && it != "cuh")
    };
    let units = named.map(|it| &it.path).filter(|path| is_unit(path));
    let include = directory.join("include");
    let (mut words, user): (Vec<&str>, Vec<&str>) = match backend {
        Backend::Gpu => (vec!["nvcc"], user.raw.iter().map(String::as_str).collect()),
        Backend::Cpu => (vec!["c++"], user.for_host()),
    };
    let standard = user.iter().any(|it| it.starts_with("-std"));
    words.extend((!standard).then_some("-std=c++17"));
    let architecture = format!("-arch={}", architecture());
    match backend {
        Backend::Gpu if user.iter().any(|it| names_architecture(it)) => {}
        Backend::Gpu => words.push(&architecture),
        Backend::Cpu => words.extend(["-O2", "-pthread"]),
    }
    if backend == Backend::Gpu {
        words.extend(gpu::register_limit(user.iter().copied()));
    }
    let mut line: Vec<String> = words.into_iter().map(str::to_owned).collect();
    // The copies of headers hide the originals.
    let searched = program.searched.iter().map(|it| directory.join(it));
    let toolkit = (backend == Backend::Cpu).then(|| include.join("hirace/toolkit"));
    let directories = std::iter::once(include).chain(toolkit).chain(searched);
    line.extend(directories.flat_map(|it| ["-I".to_owned(), it.display().to_string()]));
    let is_cpu = backend == Backend::Cpu;
    line.extend(
        ["-x", "c++"]
            .iter()
            .filter(|_| is_cpu)
            .map(ToString::to_string),
    );
    line.extend(units.map(|it| directory.join(it).display().to_string()));
    if is_cpu && !user.is_empty() {
        line.extend(["-x", "none"].map(str::to_owned));
    }
    line.extend(user.into_iter().map(str::to_owned));
    let line: Vec<String> = line.iter().map(|it| quoted(it)).collect();
    Some(format!("build it with: {}", line.join(" ")))
}

fn names_architecture(option: &str) -> bool {
    Arguments::parse(&[option.to_owned()]).has_architecture
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
