//! Writes a suite as a directory: the programs as files, and a manifest.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::{Arguments, Label, Program, Suite, files};
use crate::error::{Error, Result};

#[derive(Serialize)]
struct Manifest<'a> {
    name: &'a str,
    program: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Entry<'a> {
    files: String,
    label: Label,
    pattern: &'a str,
    options: &'a [String],
    bugs: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    compiler_args: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    include: Vec<&'a str>,
}

/// Writes the programs of a suite to `dir`, which is created if it does not exist. Headers stay
/// where they are; the manifest names their directories.
///
/// # Errors
/// The directory is not empty, or a file cannot be written.
pub fn write(suite: &Suite, dir: &Path) -> Result<()> {
    let failed = |source| Error::write(dir, source);
    fs::create_dir_all(dir).map_err(failed)?;
    if fs::read_dir(dir).map_err(failed)?.next().is_some() {
        let message = format!("`{}` is not empty", dir.display());
        return Err(Error::Usage(message));
    }
    let mut entries = Vec::new();
    for program in &suite.programs {
        let entry = Entry::new(program)?;
        put(&dir.join(&entry.files), &program.text)?;
        entries.push(entry);
    }
    let written = Manifest {
        name: &suite.name,
        program: entries,
    };
    let text = toml::to_string(&written).map_err(|error| Error::Usage(error.to_string()))?;
    put(&dir.join(files::MANIFEST), &text)
}

fn put(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|source| Error::write(path, source))
}

impl<'a> Entry<'a> {
    fn new(program: &'a Program) -> Result<Self> {
        let include = program.includes.iter().map(|dir| {
            let message = || format!("the name of `{}` is not UTF-8", dir.display());
            dir.to_str().ok_or_else(|| Error::Usage(message()))
        });
        Ok(Self {
            files: format!("{}.cu", program.name),
            label: program.label,
            pattern: &program.pattern,
            options: &program.options,
            bugs: &program.bugs,
            args: Some(&program.arguments)
                .filter(|it| **it != Arguments::default())
                .map(Arguments::template),
            compiler_args: &program.compiler_args,
            include: include.collect::<Result<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::builtin;

    #[test]
    fn what_was_written_is_the_same_suite() {
        let mut suite = builtin::suite().unwrap();
        suite.programs.truncate(40);
        let odd = suite.programs.first_mut().unwrap();
        odd.label = Label::Unknown;
        odd.arguments = Arguments::parse(&["{threads}".into(), "{{".into()]).unwrap();
        odd.compiler_args = vec!["-DA=\"b\"".into()];
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("new").join("suite");

        write(&suite, &place).unwrap();

        let mut read = crate::suite::open(Some(&place)).unwrap();
        for program in &mut read.programs {
            let path = program.path.take().unwrap();
            assert_eq!(path, place.join(format!("{}.cu", program.name)));
            assert_eq!(program.includes, [place.as_path()]);
            program.includes.clear();
        }
        assert_eq!(read.name, suite.name);
        assert_eq!(read.programs, suite.programs);

        let again = write(&suite, &place).unwrap_err();
        assert!(again.to_string().ends_with("is not empty"), "{again}");
    }

    #[test]
    fn directories_of_headers_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let headers = dir.path().join("headers");
        fs::create_dir(&headers).unwrap();
        let mut suite = builtin::suite().unwrap();
        suite.programs.truncate(1);
        suite.programs.first_mut().unwrap().includes = vec![headers.clone()];
        let place = dir.path().join("suite");

        write(&suite, &place).unwrap();

        let read = crate::suite::open(Some(&place)).unwrap();
        assert_eq!(
            read.programs.first().unwrap().includes.first(),
            Some(&headers)
        );
    }
}
