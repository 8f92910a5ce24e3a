//! The Rust sources of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::files;

/// A source file.
pub struct Source {
    /// Below the root of the workspace, with `/`.
    pub path: String,
    pub text: String,
}

impl Source {
    /// Whether it is compiled for tests only: `tests.rs`, `tests/…`, `benches/…`.
    pub fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|it| matches!(it, "tests" | "tests.rs" | "benches"))
    }

    /// The text up to the tests at its end, comments left out. Lines keep their numbers.
    pub fn code(&self) -> impl Iterator<Item = &str> {
        self.text
            .lines()
            .take_while(|line| *line != "#[cfg(test)]")
            .map(|line| match line.trim_start().starts_with("//") {
                true => "",
                false => line,
            })
    }
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below `folder` with one of these extensions.
pub fn sources(folder: &str, extensions: &[&str]) -> Vec<Source> {
    let root = xtask::root();
    let paths = files::below(&root.join(folder)).expect(folder);
    let sources: Vec<Source> = paths
        .into_iter()
        .filter(|path| files::has_extension(path, extensions))
        .map(|path| Source {
            text: read(&path),
            path: below(&path),
        })
        .collect();
    assert!(!sources.is_empty(), "no sources in {folder}");
    sources
}

/// The folders of the crates below `crates/`.
pub fn crates() -> Vec<PathBuf> {
    let folder = xtask::root().join("crates");
    let mut crates: Vec<PathBuf> = fs::read_dir(folder)
        .expect("crates/")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").exists())
        .collect();
    crates.sort();
    crates
}

fn below(path: &Path) -> String {
    let path = path.strip_prefix(xtask::root()).unwrap_or(path);
    path.to_string_lossy().into_owned()
}
