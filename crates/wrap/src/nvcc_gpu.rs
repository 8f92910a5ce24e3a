//! `hirace nvcc` for a GPU: nvcc itself, with instrumented copies for its inputs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::copies::Copies;
use super::items::{Items, Meaning, Stage, is_cuda};
use super::nvcc::{Line, PREPEND};
use super::nvcc_runtime::Instrumented;
use super::{ALLOW, ALLOWED_BY, depfile, note, probe, status};
use hirace_instrument::rewrite::DeviceLinkage;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::Cache;
use hirace_toolchain::gpu::register_limit;
use hirace_toolchain::{Call, Ended, is_old_standard, temporary_directory};

/// Runs `call`, in which nvcc's own arguments are `arguments`, after `launchers` words. A file that cannot
/// be instrumented is an error, unless it is `allowed` to be built without checks.
pub(super) fn run(
    call: &Call,
    launchers: usize,
    arguments: &[String],
    allowed: bool,
) -> Result<ExitCode> {
    let line = Line::of(arguments);
    let all = line.all();

    let compiles = matches!(all.stage(), Stage::Object | Stage::DeviceCode | Stage::Link);
    let inputs: Vec<(usize, &str)> = line
        .own
        .inputs()
        .into_iter()
        .filter(|(_, input, language)| match language {
            Some(language) => *language == "cu",
            None => is_cuda(input),
        })
        .map(|(index, input, _)| (index, input))
        // nvcc itself reports missing files.
        .filter(|(_, input)| Path::new(input).is_file() && !probe::is_probe(input))
        .collect();
    if !compiles || inputs.is_empty() {
        return Err(call.replace());
    }

    let names: Vec<&str> = inputs.iter().map(|(_, input)| *input).collect();
    let own = (&call.program, arguments);
    let linkage = DeviceLinkage::Unknown;
    let copies = match Copies::make(&names, &all, Backend::Gpu, &own, true, linkage) {
        Ok(Some(copies)) => copies,
        Ok(None) => return Err(call.replace()),
        // The user's text is at fault; nvcc may have a better message, or accept it.
        Err(error @ (Error::Syntax(_) | Error::Binary { .. })) => {
            return as_it_is(call, &all, &names, &error.to_string(), allowed);
        }
        Err(Error::Empty { .. }) => return Err(call.replace()),
        // `hirace instrument` wrote the file, so it already has hooks.
        Err(Error::AlreadyInstrumented { .. }) => return Err(call.replace()),
        Err(error) => return Err(error),
    };
    let cache = Cache::of_user()?;
    let headers = hirace_instrument::headers::cached(&cache)?;
    let leading = &call.arguments[..launchers];
    let instrumented = Instrumented {
        call: with_copies(call, leading, &line, &inputs, &copies, &headers),
        leading,
        all: &all,
        copies: &copies,
        headers: &headers,
        objects: match all.stage() {
            Stage::Object => outputs(&all, &names),
            _ => Vec::new(),
        },
    };
    let (stdout, stderr) = (copies.beside("stdout"), copies.beside("stderr"));
    let ended = instrumented.run(&cache, (&stdout, &stderr))?;
    if ended == Ended::Exited(0) {
        replay(&stdout, &stderr);
        let config: Vec<String> = copies
            .config
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        dependencies(&all, &names, &config, &|name| {
            copies.original(name, &headers)
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let messages = std::fs::read(&stderr).unwrap_or_default();
    let messages = String::from_utf8_lossy(&messages).into_owned();
    drop(copies);
    as_it_is(
        call,
        &all,
        &names,
        &format!("nvcc rejects the instrumented copy:\n{messages}"),
        allowed,
    )
}

/// Compiles the user's own files. nvcc's errors are shown unchanged; without errors, nothing would be
/// checked. If that is `allowed`, a warning says so, now and in every report on the program.
fn as_it_is(
    call: &Call,
    all: &Items,
    inputs: &[&str],
    reason: &str,
    allowed: bool,
) -> Result<ExitCode> {
    let first = reason.lines().next().unwrap_or_default();
    let ended = match noted(call, all, inputs, first)? {
        Some(ended) => ended,
        None => call.run()?,
    };
    if ended != Ended::Exited(0) {
        return Ok(status(ended));
    }
    let unmonitored = format!(
        "not monitored: {}: {}",
        inputs.join(", "),
        reason.trim_end()
    );
    if allowed {
        hirace_terminal::tell(&format!("hirace: warning: {unmonitored}\n"));
        return Ok(ExitCode::SUCCESS);
    }
    // A build system must not take it for the result of a successful call.
    for output in outputs(all, inputs) {
        // Fails only if nvcc wrote no such file.
        let _ = std::fs::remove_file(output);
    }
    Err(Error::Input {
        message: unmonitored,
        help: Some(format!(
            "to build it without checks: `{ALLOW}`, or {ALLOWED_BY}=1 in the environment"
        )),
    })
}

/// The files that a call writes, besides dependencies.
fn outputs(all: &Items, inputs: &[&str]) -> Vec<PathBuf> {
    if let Some(output) = all.last(Meaning::Output) {
        return vec![output.into()];
    }
    if all.stage() == Stage::Link {
        return vec!["a.out".into()];
    }
    let directory = Path::new(all.last(Meaning::OutputDirectory).unwrap_or(""));
    let names = inputs.iter().filter_map(|it| Path::new(it).file_name());
    names
        .map(|it| directory.join(it).with_extension("o"))
        .collect()
}

/// Compiles the user's own files with a note that the program carries; `None` if that fails.
fn noted(call: &Call, all: &Items, inputs: &[&str], reason: &str) -> Result<Option<Ended>> {
    let headers = hirace_instrument::headers::cached(&Cache::of_user()?)?;
    let directory = temporary_directory()?;
    let note = directory.path().join("note.h");
    let text = note::of(inputs, reason);
    std::fs::write(&note, text).map_err(|source| Error::write(&note, source))?;
    let mut own = call.clone();
    own.arguments
        .extend(["-include".into(), listed(&note).into()]);
    own.arguments
        .extend(include(Meaning::SystemInclude, &headers));
    let output = |name| directory.path().join(name);
    let (stdout, stderr) = (output("stdout"), output("stderr"));
    let ended = own.run_quietly(&stdout, &stderr)?;
    if ended != Ended::Exited(0) {
        return Ok(None);
    }
    replay(&stdout, &stderr);
    let ours = |name: &str| {
        let path = Path::new(name);
        path.starts_with(&headers) || path == note
    };
    dependencies(all, inputs, &[], &|name| {
        Some(name.to_owned()).filter(|it| !ours(it))
    })?;
    Ok(Some(ended))
}

/// The call with copies as inputs.
fn with_copies(
    call: &Call,
    leading: &[OsString],
    line: &Line,
    inputs: &[(usize, &str)],
    copies: &Copies,
    headers: &Path,
) -> Call {
    let prepended = prepended(&line.before, copies);
    Call {
        program: call.program.clone(),
        arguments: [leading, &command_line(line, inputs, copies, headers)].concat(),
        environment: prepended.map(|it| (PREPEND, it)).into_iter().collect(),
    }
}

/// nvcc's arguments with copies as inputs, and the copy of each include directory before it.
fn command_line(
    line: &Line,
    inputs: &[(usize, &str)],
    copies: &Copies,
    headers: &Path,
) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    for (index, item) in line.own.0.iter().enumerate() {
        match item.meaning {
            Meaning::Include | Meaning::SystemInclude => {
                for directory in &item.values {
                    let copy = copies.of(directory);
                    for path in copy.into_iter().chain([PathBuf::from(directory)]) {
                        out.extend(include(item.meaning, &path));
                    }
                }
            }
            Meaning::Input if inputs.iter().any(|(input, _)| *input == index) => {
                let copy = copies.of(&item.values[0]);
                out.push(copy.map_or_else(|| (&item.values[0]).into(), Into::into));
            }
            Meaning::ForcedInclude => {
                for value in &item.values {
                    let path = copies.of(value).unwrap_or_else(|| value.into());
                    out.extend(["-include".into(), listed(&path).into()]);
                }
            }
            Meaning::Standard if is_old(&item.values) => out.push("-std=c++17".into()),
            _ => out.extend(item.given.iter().map(OsString::from)),
        }
    }
    for directory in directories(&line.after).filter_map(|it| copies.of(it)) {
        out.extend(include(Meaning::Include, &directory));
    }
    out.extend(include(Meaning::SystemInclude, headers));
    let all = line.all();
    let given = all.0.iter().flat_map(|it| &it.given);
    out.extend(register_limit(given.map(String::as_str)).map(OsString::from));
    out.extend(copies.macros.iter().map(OsString::from));
    for directory in copies.quoted() {
        let text = directory.display().to_string();
        // nvcc has no -iquote, and splits words in options for the host compiler.
        if text.contains(char::is_whitespace) {
            out.extend(include(Meaning::Include, &directory));
        } else {
            out.push("-Xcompiler".into());
            out.push(format!("-iquote{}", text.replace(',', "\\,")).into());
        }
    }
    out
}

fn include(meaning: Meaning, directory: &Path) -> [OsString; 2] {
    let option = match meaning {
        Meaning::SystemInclude => "-isystem",
        _ => "-I",
    };
    [option.into(), listed(directory).into()]
}

/// Quotes a path for a list of paths.
fn listed(path: &Path) -> String {
    let text = path.display().to_string();
    match text.contains(',') {
        true => format!("\"{text}\""),
        false => text,
    }
}

fn directories(items: &Items) -> impl Iterator<Item = &str> {
    let system = items.values(Meaning::SystemInclude);
    items.values(Meaning::Include).chain(system)
}

/// `NVCC_PREPEND_FLAGS`, preceded by the copies of its include directories.
fn prepended(before: &Items, copies: &Copies) -> Option<OsString> {
    let mut words: Vec<String> = directories(before)
        .filter_map(|directory| copies.of(directory))
        .map(|copy| format!("-I\"{}\"", copy.display()))
        .collect();
    if words.is_empty() {
        return None;
    }
    words.push(std::env::var(PREPEND).unwrap_or_default());
    Some(words.join(" ").into())
}

/// Whether an option's standard is one that the device headers cannot be compiled with.
pub(super) fn is_old(standard: &[String]) -> bool {
    standard.first().is_some_and(|it| is_old_standard(it))
}

/// Prints a compiler's output on the streams that it used.
pub(super) fn replay(stdout: &Path, stderr: &Path) {
    use std::io::Write as _;
    let text = |path| std::fs::read(path).unwrap_or_default();
    let errors = without_hooks(&String::from_utf8_lossy(&text(stderr)));
    // If this fails, there is nowhere to report it.
    let _ = std::io::stdout().write_all(&text(stdout));
    let _ = std::io::stderr().write_all(errors.as_bytes());
}

/// Removes excerpts that show hooks from messages. Line numbers are the user's.
fn without_hooks(messages: &str) -> String {
    let lines: Vec<&str> = messages.split_inclusive('\n').collect();
    let is_mark = |line: &str| {
        let line = line.trim();
        line.starts_with('^') && line.chars().all(|it| it == '^' || it == '~')
    };
    let mut out = String::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let marked = lines.get(at + 1).is_some_and(|next| is_mark(next));
        if marked && line.contains("hirace") {
            at += 2;
        } else {
            out += line;
            at += 1;
        }
    }
    out
}

/// Puts the user's names into the dependency files.
fn dependencies(
    all: &Items,
    inputs: &[&str],
    more: &[String],
    rename: &dyn Fn(&str) -> Option<String>,
) -> Result<()> {
    if !all.has(Meaning::Dependencies) {
        return Ok(());
    }
    dependency_files(all, inputs)
        .iter()
        .try_for_each(|file| depfile::update(file, more, rename))
}

/// The files that nvcc writes dependencies to: that of `-MF`, or else the output's name with `.d`,
/// or else the inputs' names with `.d`.
pub(super) fn dependency_files(all: &Items, inputs: &[&str]) -> Vec<PathBuf> {
    if let Some(file) = all.last(Meaning::DependencyFile) {
        return vec![file.into()];
    }
    if let Some(output) = all.last(Meaning::Output) {
        return vec![Path::new(output).with_extension("d")];
    }
    let names = inputs.iter().filter_map(|it| Path::new(it).file_name());
    names
        .map(|name| Path::new(name).with_extension("d"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_with_hooks_are_left_out() {
        let messages = "a.cu(3): warning #177-D: unused\n  ::hirace::read(1u, x);\n  ^\n\n\
                        b.cu(1): warning: y\n  int y;\n      ^\n";
        let expect = "a.cu(3): warning #177-D: unused\n\nb.cu(1): warning: y\n  int y;\n      ^\n";
        assert_eq!(without_hooks(messages), expect);
    }

    #[test]
    fn old_standards() {
        for (name, expect) in [
            ("c++14", true),
            ("gnu++11", true),
            ("c++17", false),
            ("c++2a", false),
            ("c++03", true),
        ] {
            assert_eq!(is_old(&[name.to_owned()]), expect, "{name}");
        }
    }
}
