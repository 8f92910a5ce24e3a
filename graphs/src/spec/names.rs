//! The names of graphs and their meaning: `undirected_power_law_20n_60e_seed7`.

use super::parse;
use super::request::{DEFAULT_SEED, Spec};
use crate::edges::Orientation;
use crate::families::FAMILIES;

/// Precedes the seed if it is not the default.
const SEED: &str = "seed";

fn prefix(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Directed => "",
        Orientation::Undirected => "undirected_",
        Orientation::CounterDirected => "counter_",
    }
}

/// The name of a graph.
pub(super) fn name(spec: &Spec) -> String {
    let mut name = format!("{}{}", prefix(spec.values.orientation()), spec.family.name);
    for (parameter, value) in spec.family.parameters.iter().zip(spec.values.given()) {
        if let Some(value) = value {
            name.push_str(&format!("_{value}{}", parameter.suffix));
        }
    }
    if spec.family.random && spec.seed != DEFAULT_SEED {
        name.push_str(&format!("_{SEED}{}", spec.seed));
    }
    name
}

/// The graph of that name, if it is a graph's name.
pub(super) fn parse(name: &str) -> Option<Spec> {
    let read = |orientation| {
        let rest = name.strip_prefix(prefix(orientation))?;
        FAMILIES.iter().find_map(|family| {
            let values = rest.strip_prefix(family.name)?.strip_prefix('_')?;
            let mut draft = parse::Draft::new(family);
            draft.orientation = Some(orientation);
            let mut parameters = family.parameters.iter().enumerate();
            for value in values.split('_') {
                if let Some(seed) = value.strip_prefix(SEED) {
                    draft.seed = Some(seed.parse().ok()?);
                    continue;
                }
                // Parameters with default values are not in the name.
                let (at, value) = parameters.find_map(|(at, parameter)| {
                    let value = value.strip_suffix(parameter.suffix)?;
                    Some((at, parameter.kind.parse(value).ok()?))
                })?;
                draft.given[at] = Some(value);
            }
            draft.complete().ok()
        })
    };
    let mut specs = Orientation::ALL.into_iter().filter_map(read);
    specs.find(|spec| spec.name() == name)
}
