//! Programs that CMake builds with hirace's compilers: versions of them are built in a copy of the
//! project.
//!
//! The copy has the sources, and a build directory with the user's choices, taken from the cache of
//! the user's build. So neither the user's sources nor the user's build change, and CMake compiles
//! again only what a version changes.

mod copies;
mod sources_outside;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use hirace_check::{Checked, Relocation, RunOptions};
use hirace_config::Config;
use hirace_instrument::tree::{Content, Role, SourceFile, Tree};
use hirace_model::Backend;
use hirace_model::error::{BuildStep, Error, Result};
use hirace_model::source_text;
use hirace_toolchain::{Ended, temporary_directory};

use super::syntax::has_device_code;
use copies::Kept;

/// CMake's list of what a build directory was configured with.
const CACHE: &str = "CMakeCache.txt";

/// Names of files that may contain device code.
const SOURCES: [&str; 10] = [
    "cu", "cuh", "h", "hh", "hpp", "hxx", "inl", "cpp", "cc", "cxx",
];

/// A copy of a project, and a program that it builds.
#[derive(Debug)]
pub struct Project {
    directory: TempDir,
    /// The user's sources.
    sources: PathBuf,
    cmake: OsString,
    /// The user's build directory.
    build: PathBuf,
    /// The program, relative to the build directory.
    program: PathBuf,
}

impl Project {
    /// Whether CMake has built `program`, so that there can be a copy of the project.
    #[must_use]
    pub fn builds(program: &Path) -> bool {
        fs::canonicalize(program).is_ok_and(|it| build_directory(&it).is_some())
    }

    /// Copies and configures the project that built `program`.
    ///
    /// # Errors
    /// CMake did not build the program, or it cannot configure the copy.
    pub fn copy_of(program: &Path) -> Result<Self> {
        let program = fs::canonicalize(program).map_err(|error| match error.kind() {
            ErrorKind::NotFound => no_file(program),
            _ => Error::read(program, error),
        })?;
        let Some(build) = build_directory(&program) else {
            return Err(Error::Input {
                message: format!(
                    "`{}` is not in a build directory of CMake",
                    program.display()
                ),
                help: Some(
                    "name the program's sources instead: `hirace fix FILE... -- ARGS`".to_owned(),
                ),
            });
        };
        let entries = entries(&build.join(CACHE))?;
        let value = |name: &str| entries.get(name).map(|it| it.value.as_str());
        let sources = PathBuf::from(value("CMAKE_HOME_DIRECTORY").unwrap_or("."));
        let project = Self {
            directory: temporary_directory()?,
            cmake: value("CMAKE_COMMAND").unwrap_or("cmake").into(),
            program: program.strip_prefix(build).unwrap_or(&program).to_owned(),
            build: build.to_owned(),
            sources,
        };
        copies::copy(&project.sources, &project.copy(), Kept::Everything)?;
        copies::link_surroundings(&project.root(), &project.sources)?;
        if !project.builds_in_sources() {
            // It may have sources that nothing generates.
            copies::copy(build, &project.build_directory(), Kept::Sources)?;
        }
        sources_outside::ask(&project.build_directory())?;
        let choices = project.directory.path().join("choices.cmake");
        let text = project.choices(&entries, build);
        fs::write(&choices, text).map_err(|it| Error::write(&choices, it))?;
        let mut arguments: Vec<OsString> = vec!["-C".into(), choices.into()];
        if let Some(generator) = value("CMAKE_GENERATOR") {
            arguments.extend(["-G".into(), generator.into()]);
        }
        arguments.extend(["-S".into(), project.copy().into()]);
        arguments.extend(["-B".into(), project.build_directory().into()]);
        project.run(arguments)?;
        Ok(project)
    }

    /// The directory of the user's sources.
    #[must_use]
    pub fn sources(&self) -> &Path {
        &self.sources
    }

    /// The root of copies.
    fn root(&self) -> PathBuf {
        self.directory.path().join("sources")
    }

    /// The copy of the project's directory.
    fn copy(&self) -> PathBuf {
        copies::place_below(&self.root(), &self.sources)
    }

    fn build_directory(&self) -> PathBuf {
        match self.builds_in_sources() {
            true => self.copy(),
            false => self.directory.path().join("build"),
        }
    }

    fn builds_in_sources(&self) -> bool {
        self.build == self.sources
    }

    /// A script that makes the choices of the user's build.
    fn choices(&self, entries: &BTreeMap<String, Entry>, build: &Path) -> String {
        let moved = |value: &str| {
            // A build directory is often among the sources.
            let value = replaced(value, build, &self.build_directory());
            replaced(&value, &self.sources, &self.copy())
        };
        let chosen = entries
            .iter()
            .filter(|(_, it)| !["INTERNAL", "STATIC", "UNINITIALIZED"].contains(&it.kind.as_str()));
        let line = |(name, entry): (&String, &Entry)| {
            let Entry { kind, value } = entry;
            format!("set({name} [==[{}]==] CACHE {kind} \"\")\n", moved(value))
        };
        chosen.map(line).collect()
    }

    /// The sources that may contain device code, as the program's reports name them.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn tree(&self) -> Result<Tree> {
        let here = hirace_check::here();
        let mut paths = Vec::new();
        copies::files_below(&self.copy(), &mut paths)
            .map_err(|it| Error::read(&self.sources, it))?;
        for path in &mut paths {
            let relative = path.strip_prefix(self.copy()).unwrap_or(path);
            *path = self.sources.join(relative);
        }
        let outside = sources_outside::answer(&self.build_directory(), &self.root(), &self.copy())?;
        paths.extend(outside);
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            let extension = path.extension().and_then(OsStr::to_str);
            if !extension.is_some_and(|it| SOURCES.contains(&it)) {
                continue;
            }
            let text = source_text::decode(fs::read(&path).map_err(|it| Error::read(&path, it))?);
            if !has_device_code(&text) {
                continue;
            }
            let inside = here.as_ref().and_then(|it| path.strip_prefix(it).ok());
            files.push(SourceFile {
                display: inside.unwrap_or(&path).display().to_string(),
                path,
                content: Content::Source(text),
                role: Role::Named,
            });
        }
        Ok(Tree {
            files,
            root: self.sources.clone(),
            searched: Vec::new(),
        })
    }

    /// Builds the program with the texts of `tree`.
    pub(super) fn build(&self, tree: &Tree) -> Result<()> {
        for (file, text) in tree.sources() {
            let copy = copies::place_below(&self.root(), &file.path);
            let bytes = source_text::encode(text);
            // What has not changed need not be compiled again.
            if fs::read(&copy).is_ok_and(|it| *it == *bytes) {
                continue;
            }
            copies::own_directory_of(&self.root(), &file.path)?;
            fs::write(&copy, bytes).map_err(|it| Error::write(&copy, it))?;
        }
        self.run(vec!["--build".into(), self.build_directory().into()])
    }

    /// Runs the program as it was built last, with these edits on trial.
    pub(super) fn check(
        &self,
        config: &Config,
        options: &RunOptions<'_>,
        edits: &str,
    ) -> Result<Checked> {
        let program = self.build_directory().join(&self.program);
        let relocation = Relocation {
            from: &self.root(),
            to: Path::new("/"),
        };
        hirace_check::run_relocated(
            program.as_os_str(),
            config,
            options,
            Some(relocation),
            edits,
        )
    }

    /// Runs CMake, with hirace's compilers.
    fn run(&self, arguments: Vec<OsString>) -> Result<()> {
        let command = [vec![self.cmake.clone()], arguments].concat();
        let call = hirace_wrap::build::call(&command, Backend::Cpu, false)?;
        let [stdout, stderr] = ["stdout", "stderr"].map(|it| self.directory.path().join(it));
        if call.run_quietly(&stdout, &stderr)? == Ended::Exited(0) {
            return Ok(());
        }
        let messages = [stdout, stderr].map(|it| fs::read(it).unwrap_or_default());
        Err(Error::Compile {
            step: BuildStep::Compile,
            compiler: self.cmake.display().to_string(),
            output: String::from_utf8_lossy(&messages.concat()).into_owned(),
        })
    }
}

/// An entry of CMake's cache.
#[derive(Debug)]
struct Entry {
    kind: String,
    value: String,
}

/// The entries of a cache, by their names: `NAME:KIND=VALUE`.
fn entries(cache: &Path) -> Result<BTreeMap<String, Entry>> {
    let text = fs::read(cache).map_err(|it| Error::read(cache, it))?;
    let text = String::from_utf8_lossy(&text);
    let entry = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let (name, kind) = name.split_once(':')?;
        let is_comment = line.starts_with(['#', '/']);
        let entry = Entry {
            kind: kind.to_owned(),
            value: value.to_owned(),
        };
        (!is_comment).then(|| (name.trim_matches('"').to_owned(), entry))
    };
    Ok(text.lines().filter_map(entry).collect())
}

/// A list of paths or options in which `to` stands for `from`.
fn replaced(value: &str, from: &Path, to: &Path) -> String {
    let (from, to) = (from.display().to_string(), to.display().to_string());
    let mut pieces = value.split(from.as_str());
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        // The name of another directory may begin with that of this one.
        let ends = piece.is_empty() || piece.starts_with(['/', ';', ':', ' ', '"']);
        text += if ends { &to } else { &from };
        text += piece;
    }
    text
}

/// The build directory of CMake that a program is in.
fn build_directory(program: &Path) -> Option<&Path> {
    program.ancestors().find(|it| it.join(CACHE).is_file())
}

/// The error for a word that names no file, such as that of a tool which runs programs.
fn no_file(program: &Path) -> Error {
    Error::Input {
        message: format!(
            "`{}` is not a program of a CMake build: there is no such file",
            program.display()
        ),
        help: Some(
            "name the program itself, by its path, and its arguments: `hirace fix -- b/app ARGS`; or its \
             sources: `hirace fix FILE... -- ARGS`"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_replaced_as_a_whole() {
        let to = |value| replaced(value, Path::new("/a/b"), Path::new("/t"));
        assert_eq!(to("/a/b"), "/t");
        assert_eq!(to("-I/a/b/inc -I/a/bc;/a/b;x"), "-I/t/inc -I/a/bc;/t;x");
    }
}
