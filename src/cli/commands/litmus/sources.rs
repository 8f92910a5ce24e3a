//! Tests and models, found by their names on the command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cli::litmus::{ModelOptions, Place};
use hirace_memory_model::cat::Model;
use hirace_memory_model::litmus::Threads;
use hirace_memory_model::litmus::ast::Test;
use hirace_memory_model::verdict::Settings;
use hirace_memory_model::{litmus, models};
use hirace_model::error::{Error, Result};

/// A test with its text.
pub(super) struct Source {
    pub(super) file: String,
    pub(super) text: String,
    pub(super) test: Test,
}

impl Source {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let file = path.display().to_string();
        let text = std::fs::read(path).map_err(|it| unreadable(path, it))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let test = litmus::parse(&file, &text)?;
        Ok(Self { file, text, test })
    }
}

/// The limits of a search.
pub(super) fn settings(options: &ModelOptions) -> Settings {
    Settings {
        unroll: options.unroll,
        limit: options.limit,
        timeout: options.timeout.map(Duration::from_secs_f64),
    }
}

/// The place in the terms of the model.
pub(super) fn threads(place: Place) -> Threads {
    match place {
        Place::Warp => Threads::OneWarp,
        Place::Block => Threads::OneBlock,
        Place::Grid => Threads::OneGrid,
        Place::System => Threads::OneSystem,
    }
}

/// A model that ships with hirace, or one in a file.
pub(super) fn model(name: &str) -> Result<Model> {
    let path = Path::new(name);
    if path.extension().is_none_or(|it| it != "cat") {
        return models::shipped(name);
    }
    let text = std::fs::read_to_string(path).map_err(|it| unreadable(path, it))?;
    models::parse(name, &text, path.parent())
}

/// The named files, and those in the named directories, in order of their names.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            below(path, &mut files)?;
            if files.len() == before {
                return Err(Error::Input {
                    message: format!("`{}` contains no file that ends in .litmus", path.display()),
                    help: None,
                });
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn below(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |it| unreadable(directory, it);
    let entries = std::fs::read_dir(directory).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|it| it.path()))
        .collect::<std::io::Result<Vec<_>>>()
        .map_err(failed)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "litmus") {
            files.push(path);
        }
    }
    Ok(())
}

/// The error for a file or directory that cannot be read. Its message contains the reason, so it
/// needs no source error that repeats it.
fn unreadable(path: &Path, reason: std::io::Error) -> Error {
    Error::Input {
        message: Error::read(path, reason).to_string(),
        help: None,
    }
}
