//! The texts with which a graph is asked for: `grid:4x3`, `rmat:20,seed=7`, `all:3#17`.
//!
//! ```text
//! FAMILY:VALUE,…          values in the order of the family's parameters
//!        PARAMETER=VALUE  or by name
//!        seed=NUMBER      1 where it is not said
//!        undirected       or `directed`, as it is without, or `counter-directed`
//! FAMILY:VALUE#NUMBER     the same as `number=NUMBER`
//! all:NODES               all graphs of that size
//! ```
//!
//! A graph's own name asks for it, too.

use std::fmt;

use super::csr::Csr;
use super::edges::Orientation;
use super::families::{Family, Values};

mod names;
mod parse;

/// The seed of graphs for which none is said.
pub const DEFAULT_SEED: u64 = 1;

/// A graph, as it was asked for.
#[derive(Clone, Debug)]
pub struct Spec {
    family: &'static Family,
    values: Values,
    seed: u64,
}

/// Why a text asks for no graph.
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
    /// The family is unknown, or its values are wrong; the message says what there is.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let of_text = || parse::parts(text).and_then(parse::Parts::complete);
        match names::parse(text) {
            Some(spec) => Ok(spec),
            None => of_text().map_err(|message| SpecError::new(text, message)),
        }
    }

    /// Reads the specification of one graph or of several.
    ///
    /// # Errors
    /// As for one; there are too many.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, SpecError> {
        let every = parse::parts(text).ok().and_then(parse::Parts::every);
        match every {
            Some(every) => every.map_err(|message| SpecError::new(text, message)),
            None => Self::parse(text).map(|spec| vec![spec]),
        }
    }

    /// What the graph is called: different graphs have different names, of letters, digits and
    /// underscores.
    #[must_use]
    pub fn name(&self) -> String {
        names::name(self)
    }

    /// Makes the graph.
    ///
    /// # Errors
    /// The family has no such graph; the message says which value is wrong.
    pub fn build(&self) -> Result<Csr, SpecError> {
        let failed = |message| SpecError::new(self, message);
        self.family.build(&self.values, self.seed).map_err(failed)
    }
}

impl fmt::Display for Spec {
    /// A specification of the same graph.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = ':';
        let mut item = |f: &mut fmt::Formatter<'_>, item: fmt::Arguments<'_>| {
            write!(f, "{separator}{item}")?;
            separator = ',';
            Ok(())
        };
        f.write_str(self.family.name)?;
        for (parameter, value) in self.family.parameters.iter().zip(self.values.given()) {
            if let Some(value) = value {
                item(f, format_args!("{}={value}", parameter.name))?;
            }
        }
        if self.values.orientation() != Orientation::Directed {
            item(f, format_args!("{}", self.values.orientation()))?;
        }
        if self.seed != DEFAULT_SEED {
            item(f, format_args!("seed={}", self.seed))?;
        }
        Ok(())
    }
}

/// How a graph of a family is asked for.
#[must_use]
pub fn usage(family: &Family) -> String {
    let mut text = String::from(family.name);
    let mut separator = ':';
    for parameter in family.parameters {
        let (name, value) = (parameter.name, parameter.name.to_uppercase());
        text += &if parameter.required {
            format!("{separator}{value}")
        } else {
            format!("[,{name}={value}]")
        };
        separator = ',';
    }
    if family.random {
        text.push_str("[,seed=SEED]");
    }
    text + "[,undirected|counter-directed]"
}
