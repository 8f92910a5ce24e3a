//! A directory of ready-made `.cu` files with bugs in their names.

use std::path::{Path, PathBuf};

use super::naming::Named;
use super::{Program, Suite, files};
use crate::error::{Error, Result};

/// Reads all programs in `dir` and below.
///
/// # Errors
/// There are no programs, two have the same name, or one cannot be read.
pub fn read(dir: &Path) -> Result<Suite> {
    let mut sources = files::below(dir)?;
    sources.retain(|path| files::has_extension(path, "cu"));
    if sources.is_empty() {
        return Err(Error::Suite {
            path: dir.into(),
            message: format!(
                "there is no {}, no .idg file and no .cu file in it",
                files::MANIFEST
            ),
        });
    }
    let programs = sources
        .into_iter()
        .map(|path| program(path, dir))
        .collect::<Result<_>>()?;
    Suite::new(name(dir)?, programs, dir)
}

/// The program in the file `path` of the suite in `root`, described by its name alone.
///
/// # Errors
/// The file cannot be read.
pub fn program(path: PathBuf, root: &Path) -> Result<Program> {
    let name = files::stem(&path)?.to_owned();
    let directory = path
        .parent()
        .and_then(Path::file_name)
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let named = Named::of_file(&name, directory);
    let mut program = Program::new(name, named, files::read_text(&path)?);
    program.includes = includes(&path, root)?;
    program.path = Some(path);
    Ok(program)
}

/// Directories that may contain the headers of a program: its own directory, those above it up to
/// the suite's, and directories called `include` in or beside these.
fn includes(path: &Path, root: &Path) -> Result<Vec<PathBuf>> {
    let mut candidates = Vec::new();
    for dir in path.ancestors().skip(1) {
        candidates.push(dir.into());
        candidates.push(dir.join("include"));
        if dir == root {
            break;
        }
    }
    let root = root
        .canonicalize()
        .map_err(|source| Error::read(root, source))?;
    candidates.extend(root.parent().map(|above| above.join("include")));
    files::existing(candidates)
}

/// The directory's own name, even if it was given as `.`.
fn name(dir: &Path) -> Result<String> {
    let real = dir
        .canonicalize()
        .map_err(|source| Error::read(dir, source))?;
    let name = real.file_name().unwrap_or(real.as_os_str());
    Ok(name.to_string_lossy().into_owned())
}
