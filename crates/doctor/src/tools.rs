//! Queries tools for their versions, and checks the tools that hirace can use but does not require.

use std::ffi::OsString;
use std::path::Path;

use super::{Check, State};
use hirace_toolchain::cache::{Cache, Kind};
use hirace_toolchain::{Silence, ask, gpu};

/// Name, program, help if it is missing.
const TOOLS: [(&str, &str, &str); 3] = [
    (
        "CMake",
        "cmake",
        "only for projects built with it; Debian, Ubuntu: `apt install cmake`; Fedora, RHEL: \
         `dnf install cmake`; Arch: `pacman -S cmake`",
    ),
    (
        "Ninja",
        "ninja",
        "only for projects built with it; Debian, Ubuntu: `apt install ninja-build`; Fedora, \
         RHEL: `dnf install ninja-build`; Arch: `pacman -S ninja`",
    ),
    (
        "Compute Sanitizer",
        "compute-sanitizer",
        "only for comparisons; part of the CUDA toolkit, in its bin directory: \
         https://developer.nvidia.com/cuda-downloads",
    ),
];

/// Checks the optional tools.
pub(super) fn look() -> Vec<Check> {
    let one = |&(name, program, help): &(&'static str, &str, &str)| match gpu::on_path(program) {
        Some(path) => version(name, &path, &[]).unwrap_or_else(|check| check),
        None => {
            let found = format!("no {program} on the path");
            Check::new(name, State::Missing, found).help(help)
        }
    };
    TOOLS.iter().map(one).chain([cache()]).collect()
}

/// Checks the cache.
fn cache() -> Check {
    const NAME: &str = "Cache";
    let help = "name another directory in HIRACE_CACHE; without a cache, each program compiles \
                the executor again";
    let Ok(cache) = Cache::of_user() else {
        return Check::new(NAME, State::Warning, "no directory found for it").help(help);
    };
    let place = cache.directory().display();
    if !cache.is_writable() {
        return Check::new(NAME, State::Warning, format!("{place} is not writable")).help(help);
    }
    let bytes: u64 = Kind::ALL.into_iter().map(|it| cache.usage(it).bytes).sum();
    let (runtimes, programs) = (cache.usage(Kind::Runtime), cache.usage(Kind::Program));
    let found = format!(
        "{place} (compiled executors: {}; programs: {}; {} MiB in total)",
        runtimes.entries,
        programs.entries,
        bytes >> 20
    );
    Check::new(NAME, State::Ok, found).help("`hirace cache clear` removes it")
}

/// The version and the path of a program, or a failed check.
pub(super) fn version(
    name: &'static str,
    program: &Path,
    leading: &[OsString],
) -> Result<Check, Check> {
    let place = place(program, leading);
    match ask(program, leading, &["--version"]) {
        Ok(text) => {
            let found = format!("{} ({place})", version_line(&text));
            Ok(Check::new(name, State::Ok, found))
        }
        Err(silence) => Err(silent(name, &place, &silence)),
    }
}

/// The check of a program that did not report a version.
pub(super) fn silent(name: &'static str, place: &str, silence: &Silence) -> Check {
    let state = match silence {
        Silence::Start(error) if error.kind() == std::io::ErrorKind::NotFound => State::Missing,
        Silence::Start(_) | Silence::Failed(_) => State::Broken,
    };
    Check::new(name, state, format!("`{place}` {silence}"))
}

/// The path of a program, and the arguments that belong to its name.
pub(super) fn place(program: &Path, leading: &[OsString]) -> String {
    let known = program.to_str().filter(|name| !name.contains('/'));
    let path = known.and_then(gpu::on_path);
    let mut text = path.as_deref().unwrap_or(program).display().to_string();
    for argument in leading {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// The line that names the version: the first one with a number in it.
fn version_line(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let numbered = lines().find(|line| line.contains(|it: char| it.is_ascii_digit()));
    numbered.or_else(|| lines().next()).unwrap_or("no version")
}
