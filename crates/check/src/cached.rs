//! The cache of compiled programs: an unchanged program runs without a new compilation.
//!
//! The key consists of the instrumented texts, the compiler, its options and the environment
//! variables that compilers read. Files outside the instrumented tree may change too: an entry
//! lists those that the compiler has read, and becomes invalid when one of them changes. A program
//! is not cached if its text uses `__TIME__` or the like.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use hirace_instrument::Instrumented;
use hirace_instrument::tree::Role;
use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::{Cache, Key, Kind};
use hirace_toolchain::{Arguments, device_code, make_rules};

/// Variables that compilers and linkers read.
const VARIABLES: [&str; 8] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SOURCE_DATE_EPOCH",
    "LANG",
];

/// Macros whose value changes; programs that use them are not cached.
const TIMES: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

const EXECUTABLE: &str = "program";
const LIST: &str = "read";

/// The key of a program; `None` if it must not be cached.
pub(super) fn key(
    instrumented: &Instrumented,
    compiler: &Key,
    arguments: &Arguments,
    include: &Path,
) -> Option<Key> {
    let mut key = Key::new("program")
        .with(compiler.name())
        .with(include.as_os_str().as_bytes())
        .with(std::env::current_dir().ok()?.as_os_str().as_bytes());
    for name in VARIABLES {
        let value = std::env::var_os(name).unwrap_or_default();
        key = key.with(name).with(value.as_bytes());
    }
    for argument in &arguments.raw {
        key = key.with(argument);
    }
    for option in [true, false].into_iter().flat_map(device_code) {
        key = key.with(option);
    }
    for library in libraries(&arguments.raw) {
        key = key.with(stamp(&library)?);
    }
    for directory in instrumented.searched.iter().chain(&instrumented.originals) {
        key = key.with(directory.as_os_str().as_bytes());
    }
    for copy in &instrumented.files {
        if TIMES.iter().any(|it| contains(&copy.bytes, it)) {
            return None;
        }
        key = key
            .with(copy.path.as_os_str().as_bytes())
            .with([u8::from(copy.role == Role::Named)])
            .with(&copy.bytes);
    }
    Some(key)
}

fn contains(content: &[u8], text: &str) -> bool {
    content.windows(text.len()).any(|it| it == text.as_bytes())
}

/// Objects and libraries on the command line.
fn libraries(arguments: &[String]) -> Vec<PathBuf> {
    let named = |prefix: &str| -> Vec<String> {
        let mut values = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.strip_prefix(prefix) {
                Some("") => values.extend(rest.next().cloned()),
                Some(value) => values.push(value.to_owned()),
                None => {}
            }
        }
        values
    };
    let directories = named("-L");
    let mut found: Vec<PathBuf> = arguments
        .iter()
        .filter(|it| !it.starts_with('-'))
        .map(PathBuf::from)
        .filter(|it| it.is_file())
        .collect();
    for library in named("-l") {
        let places = directories.iter().flat_map(|directory| {
            ["so", "a"].map(|kind| Path::new(directory).join(format!("lib{library}.{kind}")))
        });
        // A library that is not found here is the system's.
        found.extend(places.filter(|it| it.is_file()));
    }
    found
}

/// The current state of a file: its size, modification time and path.
fn stamp(file: &Path) -> Option<Vec<u8>> {
    let metadata = std::fs::metadata(file).ok()?;
    let time = (metadata.mtime(), metadata.mtime_nsec());
    let mut stamp = format!("{} {} {} ", metadata.len(), time.0, time.1).into_bytes();
    stamp.extend(file.as_os_str().as_bytes());
    Some(stamp)
}

/// Copies the program from the cache to `executable`; false if it must be compiled.
pub(super) fn take(cache: &Cache, key: &Key, executable: &Path) -> bool {
    let Some(entry) = cache.find(Kind::Program, key) else {
        return false;
    };
    let Ok(list) = std::fs::read(entry.join(LIST)) else {
        return false;
    };
    let unchanged = list
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .all(|line| is_unchanged(line).unwrap_or(false));
    if !unchanged {
        cache.remove(Kind::Program, key);
        return false;
    }
    // Create our own link, as another process may remove the entry at any time.
    let kept = entry.join(EXECUTABLE);
    std::fs::hard_link(&kept, executable).is_ok() || std::fs::copy(&kept, executable).is_ok()
}

fn is_unchanged(line: &[u8]) -> Option<bool> {
    let path = line.splitn(4, |byte| *byte == b' ').nth(3)?;
    Some(stamp(Path::new(OsStr::from_bytes(path)))? == line)
}

/// Caches a program that was compiled in `scratch`, where the compiler has written lists of the
/// files that it read.
pub(super) fn keep(cache: &Cache, key: &Key, executable: &Path, scratch: &Path, units: usize) {
    let Some(read) = files_read(scratch, units) else {
        return;
    };
    let mut list = Vec::new();
    for file in read {
        // The key already covers our own headers, by their path, and the copies.
        let ours = file.starts_with(scratch) || file.starts_with(cache.directory());
        // What a precompiled header was made of, beside its headers.
        let empty = file == Path::new("/dev/null");
        let Some(line) = (!ours && !empty).then(|| stamp(&file)) else {
            continue;
        };
        let Some(line) = line else { return };
        list.extend(line);
        list.push(b'\n');
    }
    let fill = |entry: &Path| {
        let failed = |source| Error::write(entry, source);
        std::fs::copy(executable, entry.join(EXECUTABLE)).map_err(failed)?;
        std::fs::write(entry.join(LIST), &list).map_err(failed)
    };
    // Failing to write the cache only costs time.
    let _: Result<PathBuf> = cache.once(Kind::Program, key, fill);
}

/// The prerequisites in the Make rules that compilers write.
fn files_read(scratch: &Path, units: usize) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    for unit in 0..units {
        let text = std::fs::read_to_string(scratch.join(format!("{unit}.d"))).ok()?;
        let rules = make_rules::parse(&text);
        files.extend(rules.first()?.prerequisites.iter().map(PathBuf::from));
    }
    files.sort();
    files.dedup();
    Some(files)
}
