//! Device headers that GCC has compiled before: a program that begins with one need not be parsed from its start.
//!
//! In each directory that it searches for a header, GCC looks for a precompiled one first, and takes it if its options
//! and its macros are those of the program (GCC manual, "Using Precompiled Headers"). Otherwise it reads the header
//! itself. So a directory with a precompiled header, searched before all others, changes only the time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};

use super::arguments::Arguments;
use super::cache::{Cache, Key};
use super::runtime::{Runtime, identity, quietly};

/// What messages of GCC contain if it cannot load a precompiled header that it has chosen.
pub(super) const UNUSABLE: &str = "PCH";

/// Whether no directory of the user's, whose headers may have names of the system's, is searched.
pub(super) fn is_plain(user: &Arguments) -> bool {
    let searched = ["CPATH", "CPLUS_INCLUDE_PATH"];
    user.include_directories.is_empty()
        && user.quote_directories.is_empty()
        && user.forced_includes.is_empty()
        && searched.iter().all(|it| std::env::var_os(it).is_none())
}

/// Those of a program's options that matter to a header. Macros do not: GCC compares those that the header depends on.
fn that_matter<'a>(options: impl Iterator<Item = &'a OsString>) -> Vec<OsString> {
    const WITH_VALUE: [&str; 5] = ["-I", "-iquote", "-isystem", "-D", "-U"];
    let mut kept = Vec::new();
    let mut rest = options;
    while let Some(option) = rest.next() {
        let text = option.to_string_lossy();
        if WITH_VALUE.contains(&text.as_ref()) {
            rest.next();
            continue;
        }
        let others = ["-I", "-D", "-U", "-W"];
        if text == Runtime::MACRO || !others.iter().any(|it| text.starts_with(it)) {
            kept.push(option.clone());
        }
    }
    kept
}

/// The directory with `header` precompiled for a program with `options`, which has it now if it did not. `includes` are
/// searched for the header: in the cache, the name of the first is the hash of the headers' text. None if it does not
/// compile.
///
/// # Errors
/// The user has interrupted us.
pub(super) fn find<'a>(
    compiler: &Path,
    cache: &Cache,
    includes: &[PathBuf],
    options: impl Iterator<Item = &'a OsString>,
    header: &str,
) -> Result<Option<PathBuf>> {
    let options = &that_matter(options);
    let Some(hash) = includes.first().and_then(|it| it.file_name()) else {
        return Ok(None);
    };
    let mut key = Key::new("precompiled")
        .with(identity(compiler, &[]).name())
        .with(hash.as_encoded_bytes())
        .with(header);
    for option in options {
        key = key.with(option.as_encoded_bytes());
    }
    let fill = |entry: &Path| compile(compiler, includes, options, header, entry);
    cache.once_or_without(&key, "the headers are not precompiled", fill)
}

fn compile(
    compiler: &Path,
    includes: &[PathBuf],
    options: &[OsString],
    header: &str,
    entry: &Path,
) -> Result<()> {
    let output = entry.join(format!("{header}.gch"));
    let unwritable = |source| Error::write(&output, source);
    if let Some(directory) = output.parent() {
        std::fs::create_dir_all(directory).map_err(unwritable)?;
    }
    // GCC takes only the first header of a unit from there. What includes it again reads this, and then the header.
    let plain = entry.join(header);
    std::fs::write(&plain, format!("#include_next <{header}>\n")).map_err(unwritable)?;
    let mut arguments: Vec<OsString> = vec!["-x".into(), "c++-header".into()];
    arguments.extend(options.iter().cloned());
    for directory in includes {
        arguments.extend(["-I".into(), directory.into()]);
    }
    // GCC keeps the list of files for the lists of programs only if it writes one now.
    let rule = output.with_extension("d");
    arguments.extend(["-MD".into(), "-MF".into(), rule.into()]);
    arguments.extend(["-include".into(), header.into(), "/dev/null".into()]);
    arguments.extend(["-o".into(), output.clone().into()]);
    quietly(compiler, &[], arguments, &output)
}
