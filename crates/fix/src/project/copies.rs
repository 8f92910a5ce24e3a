//! Copies of the directories that a project's sources are in, and links to what is beside them.
//!
//! A project may name what is outside its directory: `../src/kernel.cu`, `../../Common`. So the copy of
//! `/home/me/project` is `COPY/home/me/project`, and `COPY/home/me` has links to everything else in `/home/me`. A
//! directory in which a file changes is no link any more, but has links.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};

use super::{CACHE, SOURCES};

/// Larger files are no sources; the copy has links to them.
const MAX_BYTES: u64 = 4 << 20;

/// What is copied of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// All files; of build directories in it, the sources.
    Everything,
    /// Sources.
    Sources,
}

/// What CMake, and only CMake, writes in a build directory; and the version control's directory.
const NOT_COPIED: [&str; 4] = [CACHE, "CMakeFiles", "_deps", ".git"];

/// Copies a directory.
pub(super) fn copy(from: &Path, to: &Path, kept: Kept) -> Result<()> {
    let failed = |path: &Path, source| Error::write(path, source);
    fs::create_dir_all(to).map_err(|it| failed(to, it))?;
    let entries = fs::read_dir(from).map_err(|it| Error::read(from, it))?;
    for entry in entries {
        let entry = entry.map_err(|it| Error::read(from, it))?;
        let name = entry.file_name();
        if NOT_COPIED.iter().any(|it| name == *it) {
            continue;
        }
        let (path, copy_path) = (entry.path(), to.join(name));
        let kind = entry.file_type().map_err(|it| Error::read(&path, it))?;
        if kind.is_dir() {
            let kept = match path.join(CACHE).is_file() {
                true => Kept::Sources,
                false => kept,
            };
            copy(&path, &copy_path, kept)?;
            continue;
        }
        if kept == Kept::Sources && !is_source(&path) {
            continue;
        }
        let is_small = entry.metadata().is_ok_and(|it| it.len() <= MAX_BYTES);
        let copied = match kind.is_file() && is_small {
            true => fs::copy(&path, &copy_path).map(|_| ()),
            false => symlink(&path, &copy_path),
        };
        copied.map_err(|it| failed(&copy_path, it))?;
    }
    Ok(())
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|it| SOURCES.contains(&it) || it == "c")
        || path.ends_with("CMakeLists.txt")
}

/// All files below a directory that are no links.
pub(super) fn files_below(directory: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            files_below(&entry.path(), found)?;
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Where `path` is below `root`, the root of copies.
pub(super) fn place_below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// Makes the directories that `directory` is in, below `root`, with links to what else is in them; not for the
/// system's root, which no project reaches by `..`.
pub(super) fn link_surroundings(root: &Path, directory: &Path) -> Result<()> {
    for surrounding in directory.ancestors().skip(1) {
        let place = place_below(root, surrounding);
        fs::create_dir_all(&place).map_err(|it| Error::write(&place, it))?;
        if surrounding.parent().is_some() {
            link_entries(surrounding, &place)?;
        }
    }
    Ok(())
}

/// Makes the directory of a file below `root` one that the file can change in.
pub(super) fn own_directory_of(root: &Path, file: &Path) -> Result<()> {
    let directories: Vec<&Path> = file.ancestors().skip(1).collect();
    for directory in directories.into_iter().rev() {
        let place = place_below(root, directory);
        if place.is_symlink() {
            fs::remove_file(&place).map_err(|it| Error::write(&place, it))?;
        }
        if !place.exists() {
            fs::create_dir(&place).map_err(|it| Error::write(&place, it))?;
            link_entries(directory, &place)?;
        }
    }
    let place = place_below(root, file);
    if place.is_symlink() {
        fs::remove_file(&place).map_err(|it| Error::write(&place, it))?;
    }
    Ok(())
}

/// Links in `place` to what is in `directory` and not yet there.
fn link_entries(directory: &Path, place: &Path) -> Result<()> {
    // What this user may not read, the project does not use.
    let Ok(entries) = fs::read_dir(directory) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let link = place.join(entry.file_name());
        if !link.exists() {
            symlink(entry.path(), &link).map_err(|it| Error::write(&link, it))?;
        }
    }
    Ok(())
}
