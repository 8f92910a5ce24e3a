//! The texts with which a graph is asked for: `grid:4x3`, `rmat:20,seed=7`, `all:3#17`.
//!
//! ```text
//! FAMILY:VALUE,…          values in the order of the family's parameters
//!        PARAMETER=VALUE  or by name
//!        seed=NUMBER      1 where it is not said
//!        undirected       or `directed`, as it is without, or `counter-directed`
//! FAMILY:VALUE#NUMBER     the same as `number=NUMBER`
//! ```

use std::fmt;

use super::csr::Csr;
use super::edges::Orientation;
use super::families::{FAMILIES, Family, Value, Values};

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

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph `{}`: {}", self.spec, self.message)
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// Reads a specification.
    ///
    /// # Errors
    /// The family is unknown, or its values are wrong; the message says what there is.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        parse(text).map_err(|message| SpecError {
            spec: text.into(),
            message,
        })
    }

    /// What the graph is called: different graphs have different names, of letters, digits, hyphens
    /// and underscores.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = match self.values.orientation() {
            Orientation::Directed => String::new(),
            Orientation::Undirected => "undirected_".into(),
            Orientation::CounterDirected => "counter_".into(),
        };
        name.push_str(self.family.name);
        for (parameter, value) in self.family.parameters.iter().zip(self.values.given()) {
            if let Some(value) = value {
                name.push_str(&format!("_{value}{}", parameter.suffix));
            }
        }
        if self.family.random && self.seed != DEFAULT_SEED {
            name.push_str(&format!("_seed{}", self.seed));
        }
        name
    }

    /// Makes the graph.
    ///
    /// # Errors
    /// The family has no such graph; the message says which value is wrong.
    pub fn build(&self) -> Result<Csr, SpecError> {
        let failed = |message| SpecError {
            spec: self.to_string(),
            message,
        };
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

fn parse(text: &str) -> Result<Spec, String> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let family = Family::named(name).ok_or_else(|| {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        format!("there is no family `{name}`, only {}", names.join(", "))
    })?;
    let rest = rest.replacen('#', ",number=", 1);
    let mut given = vec![None; family.parameters.len()];
    let mut orientation = None;
    let mut seed = None;
    for item in rest
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let twice = || format!("`{item}` says again what was said before it");
        if let Ok(said) = item.parse() {
            if orientation.replace(said).is_some() {
                return Err(twice());
            }
            continue;
        }
        let at = match item.split_once('=') {
            Some(("seed", value)) if family.random => {
                let value = value
                    .parse()
                    .map_err(|_| format!("seed: `{value}` is no whole number"))?;
                if seed.replace(value).is_some() {
                    return Err(twice());
                }
                continue;
            }
            Some((name, value)) => position(family, name).map(|at| (at, value)),
            // The next one in order.
            None => given.iter().position(Option::is_none).map(|at| (at, item)),
        };
        let (at, value) = at.ok_or_else(|| format!("`{item}` is none of {}", usage(family)))?;
        let parameter = &family.parameters[at];
        let value = parameter
            .kind
            .parse(value)
            .map_err(|message| format!("{}: {message}", parameter.name))?;
        if given[at].replace(value).is_some() {
            return Err(twice());
        }
    }
    complete(family, &given)?;
    Ok(Spec {
        family,
        values: Values::new(given, orientation.unwrap_or_default()),
        seed: seed.unwrap_or(DEFAULT_SEED),
    })
}

fn position(family: &Family, name: &str) -> Option<usize> {
    let is_named = |parameter: &super::families::Parameter| parameter.name == name;
    family.parameters.iter().position(is_named)
}

fn complete(family: &Family, given: &[Option<Value>]) -> Result<(), String> {
    let missing = |(parameter, value): &(&super::families::Parameter, &Option<Value>)| {
        parameter.required && value.is_none()
    };
    match family.parameters.iter().zip(given).find(missing) {
        None => Ok(()),
        Some((parameter, _)) => Err(format!(
            "its {} is not said; write {}",
            parameter.name,
            usage(family)
        )),
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
