//! Graph specifications: `grid:4x3`, `rmat:20,seed=7`, `all:3#17`.
//!
//! ```text
//! FAMILY:VALUE,…          values in the order of the family's parameters
//!        PARAMETER=VALUE  or by name
//!        seed=NUMBER      1 by default
//!        undirected       or `directed` (the default), or `counter-directed`
//! FAMILY:VALUE#NUMBER     the same as `number=NUMBER`
//! all:NODES               all graphs of that size
//! ```
//!
//! A graph's name is a specification too.

use std::fmt;

use super::csr::Csr;

mod names;
mod parse;
mod request;

pub use request::{DEFAULT_SEED, Spec, usage};

/// Why a text is not a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    spec: String,
    message: String,
}

impl SpecError {
    fn new(spec: impl fmt::Display, message: String) -> Self {
        let spec = spec.to_string();
        Self { spec, message }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph `{}`: {}", self.spec, self.message)
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// Reads the specification of one graph.
    ///
    /// # Errors
    /// The family is unknown, or its values are wrong; the message lists the valid ones.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let of_text = || parse::draft(text).and_then(parse::Draft::complete);
        match names::parse(text) {
            Some(spec) => Ok(spec),
            None => of_text().map_err(|message| SpecError::new(text, message)),
        }
    }

    /// Reads a specification of one graph or of several.
    ///
    /// # Errors
    /// As for one graph; or there are too many.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, SpecError> {
        let every = parse::draft(text).ok().and_then(parse::Draft::every);
        match every {
            Some(every) => every.map_err(|message| SpecError::new(text, message)),
            None => Self::parse(text).map(|spec| vec![spec]),
        }
    }

    /// The graph's name: different graphs have different names, of letters, digits and underscores.
    #[must_use]
    pub fn name(&self) -> String {
        names::name(self)
    }

    /// Builds the graph.
    ///
    /// # Errors
    /// The family has no such graph; the message says which value is wrong.
    pub fn build(&self) -> Result<Csr, SpecError> {
        let failed = |message| SpecError::new(self, message);
        self.family.build(&self.values, self.seed).map_err(failed)
    }
}
