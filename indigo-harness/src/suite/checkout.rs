//! A checkout of IndigoSuite, whose programs are generated from its `.idg` sources.

use std::path::{Path, PathBuf};

use super::configure::Selection;
use super::idg::Source;
use super::naming::Named;
use super::{Program, Suite, files};
use crate::error::{Error, Result};

/// The paths of a checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The directory that the user named.
    root: PathBuf,
    /// The sources, by name.
    sources: Vec<PathBuf>,
    /// The directory with `configure.txt` and `sources_include`.
    generators: PathBuf,
    /// The root of the repository, if known.
    repository: Option<PathBuf>,
}

impl Layout {
    /// Finds the sources in `dir`, `dir/CUDA_sources` or `dir/Generators/CUDA_sources`.
    ///
    /// # Errors
    /// A directory cannot be read, or is a checkout without sources.
    pub fn find(dir: &Path) -> Result<Option<Self>> {
        for sub in ["", "CUDA_sources", "Generators/CUDA_sources"] {
            let place = dir.join(sub);
            if !place.is_dir() {
                continue;
            }
            let sources = files::with_extension(&place, "idg")?;
            if !sources.is_empty() {
                // Symbolic links and `.` hide the parent directory.
                let place = place
                    .canonicalize()
                    .map_err(|source| Error::read(&place, source))?;
                let above = place.parent().filter(|_| place.ends_with("CUDA_sources"));
                return Ok(Some(Self {
                    root: dir.into(),
                    sources,
                    generators: above.unwrap_or(&place).into(),
                    repository: above.and_then(Path::parent).map(Into::into),
                }));
            }
            if !sub.is_empty() {
                return Err(Error::Suite {
                    path: dir.into(),
                    message: format!("there is no .idg file in `{sub}`"),
                });
            }
        }
        Ok(None)
    }

    /// Generates the programs that `configure.txt` selects; all if it does not exist.
    ///
    /// # Errors
    /// A file cannot be read or has a mistake, or no program is selected.
    pub fn read(&self) -> Result<Suite> {
        let configuration = self.generators.join("configure.txt");
        let selection = if configuration.exists() {
            Selection::parse(&files::read_text(&configuration)?, &configuration)?
        } else {
            Selection::everything()
        };
        let notice = self.copyright()?;
        let includes =
            files::existing(["sources_include", "include"].map(|name| self.generators.join(name)))?;
        // Even an unselected source must be correct.
        let sources = self
            .sources
            .iter()
            .map(|path| {
                Ok((
                    files::stem(path)?,
                    Source::parse(&files::read_text(path)?, path)?,
                ))
            })
            .collect::<Result<Vec<_>>>()?;
        let others = self.other_sources()?;
        let unknown = selection.unknown(
            |pattern| {
                let others = others.iter().map(|(stem, _)| stem.as_str());
                let mut stems = sources.iter().map(|(stem, _)| *stem).chain(others);
                stems.any(|stem| stem.contains(pattern))
            },
            |option| {
                let tag = format!("/*@{option}@*/");
                sources.iter().any(|(_, source)| source.has_tag(option))
                    || others.iter().any(|(_, text)| text.contains(&tag))
            },
        );
        if let Some((line, message)) = unknown {
            return Err(Error::Mistake {
                path: configuration,
                line,
                message,
            });
        }
        let mut programs = Vec::new();
        for (stem, source) in &sources {
            if !selection.has_source(stem) {
                continue;
            }
            for (name, choice) in source.choices(stem) {
                if !selection.has_program(stem, &name) {
                    continue;
                }
                let named = Named::new(stem, choice.tags());
                let header = notice.as_ref().map(|text| format!("/* {text} */\n\n"));
                let text = header.unwrap_or_default() + &source.text(&choice);
                programs.push(Program {
                    includes: includes.clone(),
                    ..Program::new(name, named, text)
                });
            }
        }
        if programs.is_empty() {
            return Err(Error::Suite {
                path: self.root.clone(),
                message: format!("`{}` selects no program", configuration.display()),
            });
        }
        Suite::new(name(notice.as_deref()), programs, &self.root)
    }

    /// The names and texts of sources for other programming models, which `configure.txt` may also
    /// name.
    fn other_sources(&self) -> Result<Vec<(String, String)>> {
        let dir = self.generators.join("OpenMP_sources");
        if !dir.is_dir() {
            return Ok(Vec::new());
        }
        files::with_extension(&dir, "idg")?
            .iter()
            .map(|path| Ok((files::stem(path)?.to_owned(), files::read_text(path)?)))
            .collect()
    }

    /// The notice at the top of every program: the repository's or else the generator's own.
    fn copyright(&self) -> Result<Option<String>> {
        for dir in self.repository.iter().chain([&self.generators]) {
            let path = dir.join("copyright.txt");
            if path.exists() {
                return files::read_text(&path).map(|text| Some(files::with_plain_lines(&text)));
            }
        }
        Ok(None)
    }
}

/// The suite's name, with the version in the first line of the notice.
fn name(notice: Option<&str>) -> String {
    let mut words = notice
        .and_then(|notice| notice.lines().next())
        .unwrap_or_default()
        .split_whitespace()
        .skip_while(|word| *word != "version")
        .skip(1);
    match words.next() {
        Some(version) => format!("IndigoSuite {}", version.trim_end_matches('.')),
        None => "IndigoSuite".into(),
    }
}
