//! A directory with a `suite.toml` that describes its programs.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use toml::Spanned;

use super::{Arguments, Label, Program, Suite, files, labelled, naming};
use crate::error::{Error, Result};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Manifest {
    name: String,
    #[serde(default)]
    include: Vec<Spanned<String>>,
    args: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    compiler_args: Vec<String>,
    #[serde(rename = "program")]
    entries: Vec<Entry>,
}

/// The content of a `[[program]]` entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    files: Spanned<String>,
    name: Option<Spanned<String>>,
    label: Option<Label>,
    pattern: Option<String>,
    options: Option<Vec<String>>,
    bugs: Option<Vec<String>>,
    args: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    compiler_args: Vec<String>,
    #[serde(default)]
    include: Vec<Spanned<String>>,
}

/// Reads the suite in `dir`, which has a manifest.
///
/// # Errors
/// The manifest has a mistake, or a program cannot be read.
pub fn read(dir: &Path) -> Result<Suite> {
    let path = dir.join(files::MANIFEST);
    let text = files::read_text(&path)?;
    let reader = Reader {
        dir,
        path: &path,
        text: &text,
    };
    let manifest: Manifest = toml::from_str(&text)
        .map_err(|error| reader.mistake(error.span().unwrap_or(0..0), error.message().into()))?;
    let present = files::below(dir)?;
    let mut taken = BTreeSet::new();
    let mut programs = Vec::new();
    for entry in &manifest.entries {
        for file in reader.files(entry, &present, &mut taken)? {
            programs.push(reader.program(&manifest, entry, file)?);
        }
    }
    Suite::new(manifest.name, programs, dir)
}

/// The context for reporting a mistake.
struct Reader<'a> {
    dir: &'a Path,
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn mistake(&self, span: Range<usize>, message: String) -> Error {
        Error::Mistake {
            path: self.path.into(),
            line: files::line_of(self.text.as_bytes(), span.start),
            message,
        }
    }

    /// The files of an entry. A file belongs to the first entry that names it.
    fn files(
        &self,
        entry: &Entry,
        present: &[PathBuf],
        taken: &mut BTreeSet<PathBuf>,
    ) -> Result<Vec<PathBuf>> {
        let wrong = |message| Err(self.mistake(entry.files.span(), message));
        let pattern = entry.files.get_ref();
        let literal = self.dir.join(pattern);
        let named = if literal.is_file() {
            vec![literal]
        } else {
            let glob = match glob(pattern) {
                Ok(glob) => glob,
                Err(error) => return wrong(error.to_string()),
            };
            let below =
                |path: &&PathBuf| glob.is_match(path.strip_prefix(self.dir).unwrap_or(path));
            present.iter().filter(below).cloned().collect()
        };
        if named.is_empty() {
            return wrong(format!("`{pattern}` matches no file"));
        }
        let new: Vec<_> = named
            .into_iter()
            .filter(|path| taken.insert(path.clone()))
            .collect();
        if new.is_empty() {
            return wrong(format!(
                "every file that `{pattern}` matches belongs to a program above"
            ));
        }
        if let Some(name) = &entry.name
            && new.len() > 1
        {
            return Err(self.mistake(name.span(), format!("one name for {} files", new.len())));
        }
        Ok(new)
    }

    /// A program; its name supplies what the manifest does not.
    fn program(&self, manifest: &Manifest, entry: &Entry, file: PathBuf) -> Result<Program> {
        let mut program = labelled::program(file, self.dir)?;
        if let Some(name) = &entry.name {
            check_name(name.get_ref()).map_err(|message| self.mistake(name.span(), message))?;
            name.get_ref().clone_into(&mut program.name);
        }
        if let Some(pattern) = &entry.pattern {
            pattern.clone_into(&mut program.pattern);
        }
        if let Some(options) = &entry.options {
            options.clone_into(&mut program.options);
        }
        if let Some(bugs) = &entry.bugs {
            bugs.clone_into(&mut program.bugs);
            program.label = naming::label(bugs);
        }
        if let Some(label) = entry.label {
            program.label = label;
        }
        if let Some(template) = entry.args.as_ref().or(manifest.args.as_ref()) {
            program.arguments = Arguments::parse(template.get_ref())
                .map_err(|message| self.mistake(template.span(), message))?;
        }
        program.compiler_args = [&manifest.compiler_args[..], &entry.compiler_args].concat();
        let mut includes = Vec::new();
        for include in entry.include.iter().chain(&manifest.include) {
            let dir = self.dir.join(include.get_ref());
            if !dir.is_dir() {
                let message = format!("`{}` is not a directory", dir.display());
                return Err(self.mistake(include.span(), message));
            }
            includes.push(dir);
        }
        // Directories that the entry names come before the default ones.
        includes.append(&mut program.includes);
        program.includes = files::existing(includes)?;
        Ok(program)
    }
}

/// A pattern for paths, in which only `**` matches several directories.
fn glob(pattern: &str) -> Result<GlobMatcher, globset::Error> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build()?;
    Ok(glob.compile_matcher())
}

/// Names of programs are also file names.
fn check_name(name: &str) -> Result<(), String> {
    let unfit = |character: char| character == '/' || character.is_control();
    if name.is_empty() || name.starts_with('.') || name.contains(unfit) {
        return Err(format!(
            "`{}` cannot be the name of a file",
            name.escape_debug()
        ));
    }
    Ok(())
}
