//! A requested graph, and its specification.

use std::fmt;

use crate::edges::Orientation;
use crate::families::{Family, Values};

/// The default seed.
pub const DEFAULT_SEED: u64 = 1;

/// A requested graph.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(super) family: &'static Family,
    pub(super) values: Values,
    pub(super) seed: u64,
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

/// The syntax of a family's specifications.
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
