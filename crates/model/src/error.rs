//! The errors that prevent a check.
//!
//! Each message is a lowercase fragment; [`Error::kind`] is the stable name that the JSON report
//! contains. Failures of the checked program are not errors, but part of its report (`Failure` in
//! `hirace-report`).

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

mod build_step;

pub use build_step::BuildStep;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A mistake in the user's text, and its position.
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
pub struct Mistake {
    /// What is wrong, as a lowercase fragment.
    pub message: String,
    /// The text, with the name of its file.
    #[source_code]
    pub source_code: Arc<NamedSource<String>>,
    /// Its position in the text, in bytes.
    #[label("here")]
    pub span: SourceSpan,
    /// How to fix it.
    #[help]
    pub help: Option<String>,
}

impl Mistake {
    /// A mistake in `text`, the content of a file called `name`.
    pub fn new(
        name: impl AsRef<str>,
        text: impl Into<String>,
        span: impl Into<SourceSpan>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            message: message.into(),
            source_code: Arc::new(NamedSource::new(name, text.into())),
            span: span.into(),
            help: None,
        }
    }

    /// The same with help.
    #[must_use]
    pub fn with_help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    /// Where it is: `kernel.ptx:12:3`.
    #[must_use]
    pub fn place(&self) -> String {
        let text = self.source_code.inner();
        let before = text.get(..self.span.offset()).unwrap_or(text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count();
        format!("{}:{line}:{column}", self.source_code.name())
    }
}

/// Why a program could not be checked or instrumented.
///
/// It is also a [`miette::Diagnostic`], with help and, for a [`Mistake`], the position in the text.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read.
    #[error("cannot read `{path}`: {}", reason(source))]
    Read {
        /// The file as the user named it.
        path: String,
        /// What the system said.
        source: io::Error,
    },

    /// An empty source file.
    #[error("`{path}` is empty")]
    #[diagnostic(help("expected a CUDA source file with a kernel and code that launches it"))]
    Empty {
        /// The file as the user named it.
        path: String,
    },

    /// A file with NUL bytes.
    #[error("`{path}` is a binary file: byte {offset} is NUL")]
    #[diagnostic(help("give the source files (`.cu`), not files built from them"))]
    Binary {
        /// The file as the user named it.
        path: String,
        /// Offset of the first NUL byte, from 0.
        offset: usize,
    },

    /// Source text that cannot compile.
    #[error("{0}")]
    #[diagnostic(transparent)]
    Syntax(Mistake),

    /// Nothing of CUDA in any of the files.
    #[error("no kernel in {files}, and no other use of CUDA: there is nothing to check")]
    #[diagnostic(help(
        "a kernel is a function declared `__global__`; give the file that contains or includes it"
    ))]
    NoKernel {
        /// The files, as the user named them.
        files: String,
    },

    /// A file that the instrumenter wrote earlier.
    #[error("`{path}` is already instrumented")]
    #[diagnostic(help("give the original file"))]
    AlreadyInstrumented {
        /// The file as the user named it.
        path: String,
    },

    /// Bad input of any other kind, such as options that exclude each other.
    #[error("{message}")]
    Input {
        /// What is wrong.
        message: String,
        /// How to fix it.
        #[help]
        help: Option<String>,
    },

    /// A JSON report that cannot be read back.
    #[error("{0}")]
    #[diagnostic(transparent)]
    Report(Mistake),

    /// A mistake in the configuration.
    #[error("bad configuration: {0}")]
    #[diagnostic(transparent)]
    Config(Mistake),

    /// A mistake in a file of suppressions.
    #[error("bad suppression: {0}")]
    #[diagnostic(transparent)]
    Suppression(Mistake),

    /// A compiler that cannot be started.
    #[error("cannot run the {what} `{name}`: {}", reason(source))]
    #[diagnostic(help("{help}"))]
    Toolchain {
        /// Which compiler it is.
        what: &'static str,
        /// Its name or path.
        name: String,
        /// The system's error.
        source: io::Error,
        /// How to fix it.
        help: &'static str,
    },

    /// The compiler rejected the program, or could not link it.
    #[error("`{compiler}` could not {step} the program")]
    #[diagnostic(help("{}", step.help(output)))]
    Compile {
        /// What it could not do.
        step: BuildStep,
        /// The compiler.
        compiler: String,
        /// Its messages.
        output: String,
    },

    /// The program includes a file that is not there, or uses a name that only has an advice.
    #[error("the program needs {what}: {place} {verb} `{header}`")]
    #[diagnostic(help("{advice}"))]
    NeedsHeader {
        /// The file, or the library that it belongs to.
        what: String,
        /// The header, or the name, as the program writes it.
        header: String,
        /// `includes` or `uses`.
        verb: &'static str,
        /// The `#include`, or the use, as `file:line`.
        place: Box<str>,
        /// How to do without it.
        advice: String,
        /// The compiler's messages.
        output: Box<str>,
    },

    /// The output directory contains files that hirace did not write.
    #[error("`{path}` already holds other files")]
    #[diagnostic(help(
        "name another directory with `-o`, or replace everything in it with `--force`"
    ))]
    OutputNotEmpty {
        /// The directory.
        path: String,
    },

    /// A file or directory that cannot be written.
    #[error("cannot write `{path}`: {}", reason(source))]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },

    /// Another system operation that failed.
    #[error("cannot {what}: {}", reason(source))]
    System {
        /// The operation.
        what: String,
        /// What the system said.
        source: io::Error,
    },

    /// The records that the program wrote are invalid.
    #[error("the program's race records are damaged: {message}")]
    Records {
        /// What is wrong with them.
        message: String,
    },

    /// A program without instrumentation.
    #[error("`{program}` was not built with hirace ({ended})")]
    #[diagnostic(help(
        "build it with `hirace build`, as in `hirace build make`; or give its source files to `hirace check`"
    ))]
    NotInstrumented {
        /// The program as the user named it.
        program: String,
        /// How it ended, as it may have ended before it could register.
        ended: String,
    },

    /// A code without a page.
    #[error("no page for `{code}`")]
    #[diagnostic(help("{}`hirace explain` lists all codes", did_you_mean(near)))]
    UnknownCode {
        /// The name that the user gave.
        code: String,
        /// Codes with a similar spelling.
        near: Vec<&'static str>,
    },

    /// Ctrl-C, or a signal like it.
    #[error("interrupted")]
    Interrupted,
}

fn did_you_mean(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        near => format!("did you mean {}? ", near.join(" or ")),
    }
}

impl Error {
    /// The stable name of this kind of error: `input`, `config`, `toolchain`, `compile`, `link`,
    /// `output`, `system`, `records` or `interrupted`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Read { .. }
            | Self::Empty { .. }
            | Self::Binary { .. }
            | Self::Syntax(_)
            | Self::NoKernel { .. }
            | Self::AlreadyInstrumented { .. }
            | Self::NotInstrumented { .. }
            | Self::Input { .. }
            | Self::Report(_)
            | Self::UnknownCode { .. } => "input",
            Self::Config(_) | Self::Suppression(_) => "config",
            Self::Toolchain { .. } => "toolchain",
            Self::Compile {
                step: BuildStep::Link,
                ..
            } => "link",
            Self::Compile { .. } | Self::NeedsHeader { .. } => "compile",
            Self::OutputNotEmpty { .. } | Self::Write { .. } => "output",
            Self::System { .. } => "system",
            Self::Records { .. } => "records",
            Self::Interrupted => "interrupted",
        }
    }

    /// The error as plain text: where it is, if that is known, what is wrong, and how to fix it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = match self {
            Self::Syntax(it) | Self::Report(it) | Self::Config(it) | Self::Suppression(it) => {
                format!("{}: {self}", it.place())
            }
            _ => self.to_string(),
        };
        if let Some(help) = self.help() {
            text += &format!("\nhelp: {help}");
        }
        if let Self::Compile { output, .. } = self {
            text += &format!("\n{}", output.trim_end());
        }
        text
    }

    /// A file cannot be read.
    #[must_use]
    pub fn read(path: &std::path::Path, source: io::Error) -> Self {
        Self::Read {
            path: path.display().to_string(),
            source,
        }
    }

    /// A file cannot be written.
    #[must_use]
    pub fn write(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Write {
            path: path.into().display().to_string(),
            source,
        }
    }

    /// Another system operation failed; `what` completes "cannot …".
    #[must_use]
    pub fn system(what: impl Into<String>, source: io::Error) -> Self {
        Self::System {
            what: what.into(),
            source,
        }
    }
}

/// The system's message without its error number.
fn reason(error: &io::Error) -> String {
    // Without a number, the words are those of the standard library, not of the system.
    if error.kind() == io::ErrorKind::NotFound && error.get_ref().is_none() {
        return "no such file or directory".to_owned();
    }
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
