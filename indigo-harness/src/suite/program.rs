//! A suite, its programs and their labels.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::naming::Named;
use crate::error::{Error, Result};

/// A set of programs.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name in results.
    pub name: String,
    /// In order of their names, which are unique.
    pub programs: Vec<Program>,
}

/// A program in one source file, with its headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name; Indigo's names contain all properties:
    /// `pull_node_neighbors_warp_persistent_raceBug`.
    pub name: String,
    /// The code pattern, as the suite names it: `pull`, `conditional_edge`.
    pub pattern: String,
    /// Options that are not bugs: `warp`, `persistent`, `reverse`, a data type.
    pub options: Vec<String>,
    /// The planted bugs.
    pub bugs: Vec<String>,
    /// The correct verdict of a race checker.
    pub label: Label,
    /// The whole text.
    pub text: String,
    /// The file of the text, if it exists on disk unchanged.
    pub path: Option<PathBuf>,
    /// Directories of the headers that it includes, for `-I`.
    pub includes: Vec<PathBuf>,
    /// How it receives its graph and its launch shape.
    pub arguments: Arguments,
    /// Arguments of the compiler besides `-I`.
    pub compiler_args: Vec<String>,
}

/// The correct verdict of a race checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// No two accesses race on any input.
    Clean,
    /// It has a race, which some inputs reach.
    Racy,
    /// Not labelled.
    Unknown,
}

impl Label {
    /// All labels.
    pub const ALL: [Self; 3] = [Self::Clean, Self::Racy, Self::Unknown];

    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Racy => "racy",
            Self::Unknown => "unknown",
        }
    }

    /// The label with that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|label| label.name() == name)
    }
}

impl Program {
    /// A generated program with Indigo's arguments and without headers.
    #[must_use]
    pub fn new(name: String, named: Named, text: String) -> Self {
        Self {
            name,
            pattern: named.pattern,
            options: named.options,
            bugs: named.bugs,
            label: named.label,
            text,
            path: None,
            includes: Vec::new(),
            arguments: Arguments::default(),
            compiler_args: Vec::new(),
        }
    }
}

impl Suite {
    /// Creates a suite of `programs` that were read from `origin`.
    ///
    /// # Errors
    /// There is no program, or two have the same name.
    pub fn new(name: String, mut programs: Vec<Program>, origin: &Path) -> Result<Self> {
        let no_suite = |message| Error::Suite {
            path: origin.into(),
            message,
        };
        if programs.is_empty() {
            return Err(no_suite("it has no programs".into()));
        }
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = programs
            .windows(2)
            .find(|pair| pair[0].name == pair[1].name)
        {
            let place = |program: &Program| match &program.path {
                Some(path) => format!("`{}`", path.display()),
                None => "a generated one".into(),
            };
            return Err(no_suite(format!(
                "two programs are called `{}`: {} and {}",
                pair[0].name,
                place(&pair[0]),
                place(&pair[1])
            )));
        }
        Ok(Self { name, programs })
    }

    /// Keeps the programs whose names contain one of `texts`; all if `texts` is empty.
    ///
    /// # Errors
    /// No program matches.
    pub fn filter(&mut self, texts: &[String]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        self.programs
            .retain(|program| texts.iter().any(|text| program.name.contains(text)));
        if self.programs.is_empty() {
            return Err(Error::Usage(format!(
                "no program of {} has a name with {}",
                self.name,
                texts
                    .iter()
                    .map(|text| format!("`{text}`"))
                    .collect::<Vec<_>>()
                    .join(" or ")
            )));
        }
        Ok(())
    }
}
