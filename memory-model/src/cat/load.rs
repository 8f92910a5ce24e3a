//! A model and the files that it includes, as one list of statements.

use super::ast::{Name, Statement};
use super::parser::parse;
use super::source::{Problem, Result, Source, Sources};

/// More includes than any model has: files that include others twice multiply quickly.
const INCLUDES: usize = 200;

/// Files can include each other this deep. Reading them is recursive.
const DEPTH: usize = 20;

/// A model as written.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub title: Option<String>,
    pub statements: Vec<Statement>,
}

/// Reads the model `text`, called `name`. The files that were read until an error are in `sources`.
pub(super) fn load(
    name: &str,
    text: &str,
    include: &dyn Fn(&str) -> Option<String>,
    sources: &mut Sources,
) -> Result<Loaded> {
    let mut loader = Loader {
        include,
        sources,
        open: vec![name.to_owned()],
        statements: Vec::new(),
    };
    let title = loader.file(name, text.to_owned())?;
    Ok(Loaded {
        title,
        statements: loader.statements,
    })
}

struct Loader<'a> {
    include: &'a dyn Fn(&str) -> Option<String>,
    sources: &'a mut Sources,
    /// The files that are being read, from the outermost one.
    open: Vec<String>,
    statements: Vec<Statement>,
}

impl Loader<'_> {
    /// Reads a file; the result is its title.
    fn file(&mut self, name: &str, text: String) -> Result<Option<String>> {
        let index = self.sources.0.len();
        let name = name.to_owned();
        self.sources.0.push(Source { name, text });
        let file = parse(index, &self.sources.0[index].text)?;
        for statement in file.statements {
            match statement {
                Statement::Include(path) => self.included(&path)?,
                other => self.statements.push(other),
            }
        }
        Ok(file.title)
    }

    fn included(&mut self, path: &Name) -> Result<()> {
        let name = &path.text;
        if let Some(at) = self.open.iter().position(|open| open == name) {
            let through: Vec<_> = self.open[at + 1..]
                .iter()
                .map(|open| format!("`{open}`"))
                .collect();
            let message = if through.is_empty() {
                format!("`{name}` includes itself")
            } else {
                format!("`{name}` includes itself through {}", through.join(", "))
            };
            return Err(Problem::new(path.span, message));
        }
        if self.sources.0.len() > INCLUDES || self.open.len() > DEPTH {
            return Err(Problem::new(path.span, "too many included files"));
        }
        let Some(text) = (self.include)(name) else {
            return Err(Problem::new(path.span, format!("cannot find `{name}`")));
        };
        self.open.push(name.clone());
        self.file(name, text)?;
        self.open.pop();
        Ok(())
    }
}
