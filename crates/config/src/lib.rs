//! Configuration: `config.toml`, the commented default configuration, overlaid by
//! the user's `hirace.toml`.
//!
//! Precedence: command-line option, then the user's file, then the default.
//!
//! # Promises
//! - Every default that a file can change is in `config.toml` and nowhere else.
//! - A mistake in a file is an error with its line and column; an unknown key is a mistake.
//!
//! # Dependencies
//! This crate knows what can be configured, not what it does: it must never instrument, compile or
//! run anything.
//!
//! ```
//! use hirace_config::Config;
//! use hirace_instrument::rewrite::Selection;
//!
//! # fn main() -> hirace_model::error::Result<()> {
//! let config = Config::parse("hirace.toml", "[monitor]\nexclude-kernels = [\"debug_*\"]")?;
//! assert!(config.monitor.launch("solve").monitor);
//! assert!(!config.monitor.launch("debug_dump").monitor);
//!
//! let error = Config::parse("hirace.toml", "[monitor]\nkernals = []").unwrap_err();
//! assert_eq!(error.kind(), "config");
//! # Ok(())
//! # }
//! ```

pub mod options;
pub mod sample;

use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use hirace_instrument::rewrite::{Selection as _, Skip};
use hirace_model::error::{Error, Mistake, Result};
use hirace_model::{Backend, Warning};

mod file;
mod keys;
mod selection;
mod semantics;
mod shadow;

pub use file::Space;
pub use selection::Monitor;
pub use semantics::{Acquire, Engine, SameValueWrites, Semantics, Shuffles, Volatile, Warps};
pub use shadow::{Memory, Shadow, Size};

use file::{File, Pattern};
use sample::Sample;

/// What is wrong with a configuration file, and the byte range of the mistake.
type Flaw = (String, Option<Range<usize>>);

/// The text of the default configuration.
pub const DEFAULT: &str = include_str!("../config.toml");

/// The name of the user's file, which is searched for upwards from the sources.
pub const FILE_NAME: &str = "hirace.toml";

/// How builds use the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheUse {
    /// Whether builds read and write the cache.
    pub enabled: bool,
    /// The maximum size of compiled code in the cache, in bytes.
    pub bytes: u64,
}

/// Which schedules of a program are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explore {
    /// How many.
    pub schedules: NonZeroU32,
    /// The greatest depth of a race that they search for; all seeds but 0 depend on it.
    pub depth: NonZeroU32,
}

impl Explore {
    /// The greatest possible depth.
    pub const GREATEST_DEPTH: u32 = 100;
}

/// A complete configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// What to check.
    pub monitor: Monitor,
    /// Which checks are skipped.
    pub skip: Skip,
    /// Shadow memory and its words.
    pub shadow: Shadow,
    /// What orders accesses, and which engine detects races.
    pub semantics: Semantics,
    /// The maximum number of races in the human report; `None` shows all.
    pub limit: Option<usize>,
    /// Suppression files.
    pub suppressions: Vec<PathBuf>,
    /// Which schedules are run.
    pub explore: Explore,
    /// Seconds that the program may run.
    pub timeout: Option<f64>,
    /// Which part of a run is checked; `None` for all of it.
    pub sample: Option<Sample>,
    /// How builds use the cache.
    pub cache: CacheUse,
    /// The user's file, if there is one.
    pub origin: Option<PathBuf>,
    /// The patterns in the user's file, with their positions.
    patterns: Vec<Placed>,
}

/// A pattern and its place in the file.
#[derive(Clone, Debug)]
struct Placed {
    pattern: Pattern,
    file: String,
    line: u32,
    column: u32,
}

impl Config {
    /// The default configuration.
    ///
    /// # Panics
    /// Never: a test parses the embedded text.
    #[must_use]
    pub fn builtin() -> Self {
        Self::resolve(File::default()).expect("config.toml is complete and valid")
    }

    /// The configuration in the file that `--config` names, or in the nearest `hirace.toml`
    /// in or above the directory of `first_source`, or the default.
    ///
    /// # Errors
    /// The file cannot be read, or has an unknown key or a bad value; the error gives the position.
    pub fn load(named: Option<&Path>, first_source: &Path) -> Result<Self> {
        let path = match named {
            Some(path) => Some(path.to_owned()),
            None => find_upwards(first_source),
        };
        let Some(path) = path else {
            return Ok(Self::builtin());
        };
        let text = std::fs::read_to_string(&path).map_err(|source| Error::read(&path, source))?;
        let mut config = Self::parse(&path.display().to_string(), &text)?;
        // Suppression files are relative to the configuration file.
        let directory = path.parent().unwrap_or(Path::new(""));
        for file in &mut config.suppressions {
            *file = directory.join(&*file);
        }
        config.origin = Some(path);
        Ok(config)
    }

    /// The configuration in the named file, or the default, overridden by single keys such as `check.engine`.
    /// Their values are written as in a file; a text needs no quotes.
    ///
    /// # Errors
    /// Those of [`Config::load`] and of [`Config::parse`]; or a key has no section.
    pub fn with_keys(named: Option<&Path>, keys: &[(String, String)]) -> Result<Self> {
        let own = keys::text(keys)?;
        let Some(path) = named else {
            return Self::parse(keys::NAME, &own);
        };
        let file = Self::load(Some(path), path)?;
        // Mistakes in the keys have no place in the file.
        Self::parse(keys::NAME, &own)?;
        let text = std::fs::read_to_string(path).map_err(|source| Error::read(path, source))?;
        let mut config = Self::parse(&path.display().to_string(), &keys::over(&own, &text))?;
        let suppressions = "report.suppressions";
        if !keys.iter().any(|(key, _)| key == suppressions) {
            // Relative to the file.
            config.suppressions = file.suppressions;
        }
        config.origin = file.origin;
        Ok(config)
    }

    /// The default configuration, overridden by `text`, the content of a file called `name`.
    ///
    /// # Errors
    /// An unknown key or a bad value, with its position.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let mut patterns = Vec::new();
        let config = toml::from_str::<File>(text)
            .map_err(|error| (error.message().to_owned(), error.span()))
            .and_then(|user| {
                patterns = user.patterns();
                Self::resolve(user)
            });
        let placed = |it: Spanned<Pattern>| {
            let before = text.get(..it.span().start).unwrap_or("");
            let line = before.rsplit('\n').next().unwrap_or("");
            Placed {
                file: name.to_owned(),
                line: 1 + u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX - 1),
                column: 1 + u32::try_from(line.chars().count()).unwrap_or(u32::MAX - 1),
                pattern: it.into_inner(),
            }
        };
        config
            .map(|config| Self {
                patterns: patterns.into_iter().map(placed).collect(),
                ..config
            })
            .map_err(|(message, span)| {
                let message = message.trim_end().replace('\n', "; ");
                Error::Config(Mistake::new(name, text, span.unwrap_or(0..0), message))
            })
    }

    fn resolve(user: File) -> Result<Self, Flaw> {
        let default: File =
            toml::from_str(DEFAULT).map_err(|error| (format!("in the default: {error}"), None))?;
        let shadow = Shadow::of(user.shadow.as_ref())?;
        let limit = user.report.limit.or(default.report.limit);
        let suppressions = user.report.suppressions.or(default.report.suppressions);
        let timeout = user.run.timeout.or(default.run.timeout);
        let semantics = Semantics::new(
            (user.semantics, user.check),
            (default.semantics, default.check),
        );
        let schedules = user.explore.schedules.or(default.explore.schedules);
        let depth = user.explore.depth.or(default.explore.depth);
        Ok(Self {
            monitor: Monitor::new(user.monitor.over(default.monitor), user.kernel),
            skip: user.skip.over(default.skip),
            shadow,
            semantics,
            suppressions: suppressions.unwrap_or_default(),
            limit: limit.filter(|&limit| limit != 0),
            explore: Explore {
                schedules: schedules.unwrap_or(NonZeroU32::MIN),
                depth: depth.unwrap_or(NonZeroU32::MIN),
            },
            timeout: timeout.filter(|&seconds| seconds > 0.0),
            sample: user.run.sample.or(default.run.sample).flatten(),
            cache: CacheUse {
                enabled: true,
                bytes: user.cache.size.or(default.cache.size).unwrap_or(0),
            },
            origin: None,
            patterns: Vec::new(),
        })
    }

    /// Makes sure that no key contradicts another one. Options may have changed some since the file was read.
    ///
    /// # Errors
    /// Two do.
    pub fn validate(&self) -> Result<()> {
        if self.semantics.predict && self.semantics.engine == Engine::Machine {
            return Err(Error::Input {
                message: "the state machine predicts no races".to_owned(),
                help: Some("use `--engine auto` or `--engine order` with `--predict`".to_owned()),
            });
        }
        Ok(())
    }

    /// The macros that the device headers are compiled with, as compiler options. All parts of
    /// a program must be compiled with the same macros.
    #[must_use]
    pub fn macros(&self, backend: Backend) -> Vec<String> {
        let mut macros = self.shadow.macros(backend);
        // The executor gets these settings when it starts.
        if backend == Backend::Gpu {
            macros.extend(self.semantics.macros());
        }
        macros
    }

    /// The user's patterns that have matched no kernel, function or variable. They are mistakes if
    /// the whole program with these kernels has been instrumented.
    #[must_use]
    pub fn unmatched(&self, kernels: &[String]) -> Vec<Warning> {
        for kernel in kernels {
            // Also count kernels that the source never launches.
            self.monitor.launch(kernel);
        }
        let unmatched = self.patterns.iter().filter(|it| !it.pattern.has_matched());
        unmatched
            .map(|it| Warning {
                file: it.file.clone(),
                line: it.line,
                column: it.column,
                message: format!("the pattern `{}` matches nothing", it.pattern.text()),
            })
            .collect()
    }
}

/// The nearest `hirace.toml` in the directory of `source` or above it.
fn find_upwards(source: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(source).ok()?;
    absolute
        .ancestors()
        .map(|directory| directory.join(FILE_NAME))
        .find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests;
