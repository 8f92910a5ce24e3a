//! The files of a model, and mistakes in them.

use hirace_model::error::{Error, Mistake};

/// Shorthand for results of the steps that read a model.
pub(super) type Result<T> = std::result::Result<T, Problem>;

/// Bytes of one of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The index in [`Sources`].
    pub file: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// From the start of `self` to the end of `last`, in the same file.
    pub fn to(self, last: Self) -> Self {
        Self {
            end: last.end,
            ..self
        }
    }
}

/// A mistake in a model.
#[derive(Debug)]
pub(super) struct Problem {
    pub span: Span,
    /// A lowercase fragment.
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: None,
        }
    }

    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// Adds a question for the name that the user may have meant.
    pub fn did_you_mean(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_help(format!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// A file.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// The name for messages.
    pub name: String,
    pub text: String,
}

/// The files of a model: the model itself, then the files that it includes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources(pub Vec<Source>);

impl Sources {
    /// The text at `span`, with each run of white space as a single blank.
    pub fn text(&self, span: Span) -> String {
        let text = self.0[span.file].text.get(span.start..span.end);
        let words: Vec<_> = text.unwrap_or_default().split_whitespace().collect();
        words.join(" ")
    }

    /// The error for users.
    pub fn error(&self, problem: Problem) -> Error {
        let Source { name, text } = &self.0[problem.span.file];
        let range = problem.span.start..problem.span.end;
        let mistake = Mistake::new(name, text.clone(), range, problem.message);
        Error::Syntax(mistake.with_help(problem.help))
    }
}
