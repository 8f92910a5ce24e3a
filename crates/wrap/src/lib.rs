//! Compiler wrappers: `hirace nvcc …`, `hirace g++ …`.
//!
//! A build system calls the wrapper as it would call the compiler: same flags, same outputs, same
//! dependency files, same exit status. If the call compiles CUDA code, instrumented copies replace
//! the sources and the headers beside them; all other calls run unchanged.
//!
//! # Promises
//! - A build that the compiler itself accepts keeps its meaning. A CUDA file that cannot be instrumented
//!   is an error; if the user allows it, it is compiled unchanged, with a warning.
//! - The copies stay hidden: outputs, dependency files and messages name the user's files.
//! - Calls do not disturb each other. They share only the device headers and the compiled executor,
//!   which are written once and never change.
//!
//! # Dependencies
//! This crate must never know the command line of `hirace`, and never run a program that it built.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use items::Stage;

use hirace_model::error::{Error, Result};
use hirace_toolchain::{Call, Ended, gpu, interrupt};

pub mod build;
mod compilation;
mod copies;
mod cxx_cpu;
mod depfile;
mod executor;
mod gxx;
mod identity;
mod items;
mod note;
mod nvcc;
mod nvcc_cpu;
mod nvcc_gpu;
mod nvcc_options;
mod nvcc_runtime;
mod object;
mod probe;
pub mod toolkit;
mod words;

pub use hirace_toolchain::DISABLE;

/// Selects the backend: `cpu`, `gpu` or `auto`.
pub const BACKEND: &str = "HIRACE_BACKEND";

/// Unless empty or `0`, has every access checked, like `--check-all`.
pub const CHECK_ALL: &str = "HIRACE_CHECK_ALL";

/// Builds files that cannot be instrumented without checks; an argument of `hirace nvcc`.
const ALLOW: &str = "--allow-unmonitored";

/// The same, unless it is empty or `0`.
const ALLOWED_BY: &str = "HIRACE_ALLOW_UNMONITORED";

const NVCC_HELP: &str = "the GPU backend needs nvcc from a CUDA toolkit, on the path; the CPU executor needs none: \
                         `hirace build --backend cpu`, or HIRACE_BACKEND=cpu in the environment";

const BEHIND_WRAPPERS: &str =
    "hirace runs the compiler that is on the path after its own wrappers; there is none";

/// The syntax of a compiler's command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Nvcc,
    Cxx,
}

/// Runs the command line if it is a compiler call. It is not if the first argument is one of
/// `commands`.
#[must_use]
pub fn main(arguments: &[OsString], commands: &[&str]) -> Option<ExitCode> {
    let (family, at) = recognise(arguments, commands)?;
    interrupt::install();
    let outcome = run(family, arguments, at);
    interrupt::die_if_signalled();
    Some(outcome.unwrap_or_else(|error| {
        hirace_report::human::complain(&error);
        ExitCode::from(2)
    }))
}

/// The family of the compiler that is called, and the index of its name. A launcher may come before
/// it, as in `hirace sccache nvcc`.
fn recognise(arguments: &[OsString], commands: &[&str]) -> Option<(Family, usize)> {
    let first = arguments.first()?.to_str()?;
    let name = |argument: &OsString| Some(Path::new(argument).file_name()?.to_str()?.to_owned());
    if let Some(family) = family(&name(&arguments[0])?) {
        return Some((family, 0));
    }
    if first.starts_with('-') || commands.contains(&first) {
        return None;
    }
    Some((family(&name(arguments.get(1)?)?)?, 1))
}

/// The family of a compiler of this name: `nvcc`, `g++-12`, `x86_64-linux-gnu-c++`, ….
fn family(name: &str) -> Option<Family> {
    let version = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    let name = if version == name {
        name
    } else {
        version.strip_suffix('-')?
    };
    let is = |wanted: &str| {
        name.strip_suffix(wanted)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('-'))
    };
    match name {
        "nvcc" => Some(Family::Nvcc),
        _ if ["c++", "g++", "clang++"].into_iter().any(is) => Some(Family::Cxx),
        _ => None,
    }
}

/// Refuses device code that cannot be instrumented because there is no file of it, or because it is PTX. If it is
/// `allowed` to be built without checks, a warning says so.
fn refuse_unseen(arguments: &[String], allowed: bool) -> Result<()> {
    let items = nvcc::Line::of(arguments).all();
    let compiles = matches!(
        items.stage(),
        Stage::Object | Stage::DeviceCode | Stage::Link
    );
    let unseen = |(_, input, language): (usize, &str, Option<&str>)| match language {
        _ if input == "-" && language.is_none_or(|it| it == "cu") => {
            Some("device code from standard input".to_owned())
        }
        None if Path::new(input).extension().is_some_and(|it| it == "ptx") => {
            Some(format!("{input}: `nvcc` gets no hooks into PTX"))
        }
        _ => None,
    };
    let Some(what) = items.inputs().into_iter().find_map(unseen) else {
        return Ok(());
    };
    let message = format!("not monitored: {what}");
    if allowed && compiles {
        hirace_terminal::tell(&format!("hirace: warning: {message}\n"));
    }
    if allowed || !compiles {
        return Ok(());
    }
    Err(Error::Input {
        message,
        help: Some(format!(
            "compile a file of CUDA C++; to build it without checks: `{ALLOW}`, or {ALLOWED_BY}=1 in the environment"
        )),
    })
}

fn run(family: Family, arguments: &[OsString], at: usize) -> Result<ExitCode> {
    let mut words = arguments.to_vec();
    words.retain(|it| it != ALLOW);
    let allowed = words.len() < arguments.len() || is_set(ALLOWED_BY);
    // The shell would find the wrapper again, and without end if there is nothing else.
    let mut only_wrapped = false;
    if let Some(name) = words[at].to_str()
        && gpu::on_path(name).is_some_and(|path| toolkit::is_shim(&path))
    {
        match toolkit::unwrapped(name) {
            Some(compiler) => words[at] = compiler.into(),
            None => only_wrapped = Path::new(name).components().count() == 1,
        }
    }
    let call = Call {
        program: words[0].clone(),
        arguments: words[1..].to_vec(),
        environment: Vec::new(),
    };
    let texts: Option<Vec<String>> = words[at + 1..]
        .iter()
        .map(|argument| argument.to_str().map(str::to_owned))
        .collect();
    let Some(texts) = texts.filter(|_| !is_set(DISABLE)) else {
        return Err(match only_wrapped {
            true => no_compiler(family, &words[at], BEHIND_WRAPPERS),
            false => call.replace(),
        });
    };
    if family == Family::Nvcc {
        refuse_unseen(&texts, allowed)?;
    }
    let gpu = on_gpu(family, &words[at])?;
    match (family, gpu) {
        // What a launcher runs, it may find elsewhere.
        (Family::Nvcc, true) if only_wrapped || at == 0 && !is_program(&words[at]) => {
            Err(no_compiler(family, &words[at], NVCC_HELP))
        }
        (Family::Cxx, _) if only_wrapped => Err(no_compiler(family, &words[at], BEHIND_WRAPPERS)),
        (Family::Nvcc, true) => nvcc_gpu::run(&call, at, &texts, allowed),
        (Family::Cxx, true) => Err(call.replace()),
        (Family::Nvcc, false) => nvcc_cpu::run(&words[..at], &texts),
        (Family::Cxx, false) => cxx_cpu::run(&call, at, &texts),
    }
}

/// A compiler that would have to run, and is not there.
fn no_compiler(family: Family, name: &OsStr, help: &'static str) -> Error {
    Error::Toolchain {
        what: match family {
            Family::Nvcc => "CUDA compiler",
            Family::Cxx => "C++ compiler",
        },
        name: name.display().to_string(),
        source: std::io::ErrorKind::NotFound.into(),
        help,
    }
}

fn is_set(switch: &str) -> bool {
    std::env::var_os(switch).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Whether to compile for a GPU. Without a choice by the user, this is so if there is an nvcc, and the GPU
/// backend has been seen to work.
fn on_gpu(family: Family, compiler: &OsString) -> Result<bool> {
    match std::env::var(BACKEND).unwrap_or_default().as_str() {
        "gpu" => Ok(true),
        "cpu" => Ok(false),
        "" | "auto" => Ok(match family {
            _ if !gpu::is_trusted() => false,
            Family::Nvcc => is_program(compiler),
            Family::Cxx => gpu::nvcc().is_some_and(|nvcc| is_program(&nvcc.into_os_string())),
        }),
        other => Err(Error::Input {
            message: format!("{BACKEND} is `{other}`, which is not a backend"),
            help: Some("set it to `cpu`, `gpu` or `auto`".to_owned()),
        }),
    }
}

/// Whether the shell would find this program.
fn is_program(name: &OsString) -> bool {
    let path = Path::new(name);
    match (path.components().count(), name.to_str()) {
        (1, Some(name)) => toolkit::unwrapped(name).is_some(),
        _ => path.is_file() && !toolkit::is_shim(path),
    }
}

/// The exit status to pass on.
fn status(ended: Ended) -> ExitCode {
    match ended {
        Ended::Exited(code) => ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1)),
        // As a shell would report it.
        Ended::Signalled(signal) | Ended::Interrupted(signal) => {
            ExitCode::from(u8::try_from(128 + signal).unwrap_or(1))
        }
        Ended::TimedOut => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &[&str], expect: Option<(Family, usize)>) {
        let arguments: Vec<OsString> = line.iter().map(OsString::from).collect();
        assert_eq!(
            recognise(&arguments, &["check", "build"]),
            expect,
            "{line:?}"
        );
    }

    #[test]
    fn compilers_by_name() {
        for name in ["nvcc", "/usr/local/cuda/bin/nvcc", "nvcc-12.4"] {
            check(&[name, "a.cu"], Some((Family::Nvcc, 0)));
        }
        for name in [
            "g++",
            "/usr/bin/c++",
            "clang++-18",
            "x86_64-linux-gnu-g++-12",
        ] {
            check(&[name, "a.cpp"], Some((Family::Cxx, 0)));
        }
    }

    #[test]
    fn launchers_before_the_compiler() {
        check(&["sccache", "/opt/nvcc", "a.cu"], Some((Family::Nvcc, 1)));
        check(&["check", "nvcc"], None);
        check(&["--config", "nvcc"], None);
    }

    #[test]
    fn other_words() {
        for name in ["check", "a.cu", "ng++x", "--help", "gcc"] {
            check(&[name], None);
        }
    }
}
