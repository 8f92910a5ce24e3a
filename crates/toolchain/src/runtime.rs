//! The CPU executor as an object file, compiled once for all programs that fit it.
//!
//! `device/hirace/library.cpp` is compiled with those of a program's options that two parts of one
//! program have to agree on, and the cache keeps the result under the compiler's identity, these
//! options and the headers. Options that are known to concern the program alone are left out;
//! whatever is not known goes in, because a build too many is better than one too few.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use hirace_model::error::Result;

use super::cache::{Cache, Key, Kind};

/// What a compiler is known by: the file that is run, and what stands in `CXX` behind its name.
pub(super) fn identity(program: &Path, leading: &[OsString]) -> Key {
    let found = program
        .to_str()
        .and_then(super::gpu::on_path)
        .unwrap_or_else(|| program.to_owned());
    let path = std::fs::canonicalize(&found).unwrap_or(found);
    let mut key = Key::new("compiler").with(path.as_os_str().as_bytes());
    if let Ok(metadata) = std::fs::metadata(&path) {
        for number in [metadata.len(), metadata.mtime().unsigned_abs()] {
            key = key.with(number.to_le_bytes());
        }
    }
    leading.iter().fold(key, |key, it| key.with(it.as_bytes()))
}

/// The beginnings of options that concern the program alone: where its files are, its macros,
/// warnings, optimisation, debug information, and what the linker is told.
const OF_THE_PROGRAM: [&str; 17] = [
    "-I", "-D", "-U", "-W", "-w", "-O", "-g", "-l", "-L", "-i", "-M", "-x", "-o", "-c", "-T", "-u",
    "-Xlinker",
];

/// Macros that change the layout of what program and runtime share.
const SHARED_MACROS: [&str; 4] = ["HIRACE_", "_GLIBCXX_", "_LIBCPP_", "_FORTIFY_SOURCE"];

/// Options of [`OF_THE_PROGRAM`] whose value is the next argument.
const WITH_VALUE: [&str; 17] = [
    "-I",
    "-D",
    "-U",
    "-l",
    "-L",
    "-x",
    "-o",
    "-T",
    "-u",
    "-Xlinker",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-MF",
    "-MT",
];

/// The options that a program's runtime has to be compiled with, too.
pub(super) fn shared_options<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let mut shared = Vec::new();
    let mut rest = options.iter().copied();
    while let Some(option) = rest.next() {
        let (name, value) = match option {
            "-D" => ("-D", rest.next().unwrap_or("")),
            _ => (option, option.strip_prefix("-D").unwrap_or("")),
        };
        if name.starts_with("-D") && SHARED_MACROS.iter().any(|it| value.starts_with(it)) {
            shared.extend(["-D", value]);
        } else if WITH_VALUE.contains(&name) && name != "-D" {
            rest.next();
        } else if name.starts_with("-std") || !is_of_the_program(name) {
            shared.push(option);
        }
    }
    shared
}

/// Files, and options that the runtime need not know.
fn is_of_the_program(option: &str) -> bool {
    !option.starts_with('-') || OF_THE_PROGRAM.iter().any(|it| option.starts_with(it))
}

/// The runtime for a compiler and these options; `compile` makes the object file.
pub(super) fn object(
    cache: &Cache,
    include: &Path,
    compiler: &Key,
    options: &[&str],
    compile: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let mut key = Key::new("runtime")
        .with(compiler.name())
        .with(include.as_os_str().as_bytes());
    for option in options {
        key = key.with(option);
    }
    let entry = cache.once(Kind::Runtime, &key, |directory| {
        compile(&directory.join(OBJECT))
    })?;
    Ok(entry.join(OBJECT))
}

/// The name of the object file in its entry.
const OBJECT: &str = "runtime.o";

/// The macro that leaves the executor's definitions to the runtime.
pub(super) fn library_macro() -> &'static OsStr {
    OsStr::new("-DHIRACE_LIBRARY=1")
}

#[cfg(test)]
mod tests {
    use super::shared_options;

    #[track_caller]
    fn check(options: &str, expect: &str) {
        let options: Vec<_> = options.split_whitespace().collect();
        assert_eq!(shared_options(&options).join(" "), expect);
    }

    #[test]
    fn what_two_parts_of_a_program_agree_on() {
        check("-std=c++20 -O1 -g -Wall -Iinclude -DN=4", "-std=c++20");
        check(
            "-fsanitize=address -m32 -fshort-enums",
            "-fsanitize=address -m32 -fshort-enums",
        );
        check(
            "-D_GLIBCXX_DEBUG -D HIRACE_WARP_SIZE=8",
            "-D _GLIBCXX_DEBUG -D HIRACE_WARP_SIZE=8",
        );
        check("-I include -isystem more -lm extra.o -L lib", "");
        check(
            "--sysroot=/other -stdlib=libc++ --new",
            "--sysroot=/other -stdlib=libc++ --new",
        );
    }
}
