//! Parses specifications: `grid:4x3`, `rmat:20,seed=7`, `all:3#17`.

use super::request::{DEFAULT_SEED, Spec, usage};
use crate::edges::Orientation;
use crate::families::{FAMILIES, Family, Parameter, Value, Values};

/// The maximum number of graphs from one specification.
const MAX_AT_ONCE: u64 = 1 << 12;

/// A specification, complete or not.
pub(super) struct Draft {
    family: &'static Family,
    pub given: Vec<Option<Value>>,
    pub orientation: Option<Orientation>,
    pub seed: Option<u64>,
}

/// Parses a specification.
///
/// # Errors
/// The message says which value is wrong, and lists the valid values.
pub(super) fn draft(text: &str) -> Result<Draft, String> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let family = Family::named(name).ok_or_else(|| {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        format!("there is no family `{name}`, only {}", names.join(", "))
    })?;
    let rest = rest.replacen('#', ",number=", 1);
    let mut draft = Draft::new(family);
    for item in rest
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let twice = || format!("`{item}` repeats an earlier value");
        if let Ok(orientation) = item.parse() {
            if draft.orientation.replace(orientation).is_some() {
                return Err(twice());
            }
            continue;
        }
        let at = match item.split_once('=') {
            Some(("seed", value)) if family.random => {
                let value = value
                    .parse()
                    .map_err(|_| format!("seed: `{value}` is not a whole number"))?;
                if draft.seed.replace(value).is_some() {
                    return Err(twice());
                }
                continue;
            }
            Some((name, value)) => position(family, name).map(|at| (at, value)),
            // A positional value.
            None => draft
                .given
                .iter()
                .position(Option::is_none)
                .map(|at| (at, item)),
        };
        let (at, value) = at.ok_or_else(|| format!("`{item}` does not fit {}", usage(family)))?;
        let parameter = &family.parameters[at];
        let value = parameter
            .kind
            .parse(value)
            .map_err(|message| format!("{}: {message}", parameter.name))?;
        if draft.given[at].replace(value).is_some() {
            return Err(twice());
        }
    }
    Ok(draft)
}

fn position(family: &Family, name: &str) -> Option<usize> {
    let is_named = |parameter: &Parameter| parameter.name == name;
    family.parameters.iter().position(is_named)
}

impl Draft {
    /// A specification of the family only.
    pub fn new(family: &'static Family) -> Self {
        Self {
            family,
            given: vec![None; family.parameters.len()],
            orientation: None,
            seed: None,
        }
    }

    /// The graph, if the specification is complete.
    ///
    /// # Errors
    /// The message says what is missing.
    pub fn complete(self) -> Result<Spec, String> {
        let parameters = self.family.parameters.iter().zip(&self.given);
        let mut missing =
            parameters.filter(|(parameter, value)| parameter.required && value.is_none());
        if let Some((parameter, _)) = missing.next() {
            return Err(format!(
                "{} is missing; write {}",
                parameter.name,
                usage(self.family)
            ));
        }
        Ok(Spec {
            family: self.family,
            values: Values::new(self.given, self.orientation.unwrap_or_default()),
            seed: self.seed.unwrap_or(DEFAULT_SEED),
        })
    }

    /// All graphs of a size, if the family numbers them and only the number is missing.
    pub fn every(self) -> Option<Result<Vec<Spec>, String>> {
        let [Some(Value::Number(nodes)), None] = self.given[..] else {
            return None;
        };
        let orientation = self.orientation.unwrap_or_default();
        let count = self.family.count?(nodes, orientation);
        let Some(count) = count.filter(|count| *count <= MAX_AT_ONCE) else {
            return Some(Err(format!(
                "at most {MAX_AT_ONCE} graphs can be selected at once; choose one by its number"
            )));
        };
        let number = |number| {
            let given = [nodes, number].map(|value| Some(Value::Number(value)));
            Spec {
                family: self.family,
                values: Values::new(given.into(), orientation),
                seed: DEFAULT_SEED,
            }
        };
        Some(Ok((0..count).map(number).collect()))
    }
}
