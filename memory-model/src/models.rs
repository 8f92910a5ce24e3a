//! The models that ship.

use std::path::Path;

use hirace_model::error::{Error, Result};

use crate::cat::Model;
use crate::world::BASES;

/// A model with its text.
const SHIPPED: [(&str, &str); 2] = [
    ("ptx", include_str!("../models/ptx.cat")),
    ("sc", include_str!("../models/sc.cat")),
];

/// The names of the models that ship.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The text of a model that ships.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    let found = SHIPPED.iter().find(|(it, _)| *it == name);
    found.map(|(_, text)| *text)
}

/// A model that ships, by its name.
///
/// # Errors
/// There is none of this name.
pub fn shipped(name: &str) -> Result<Model> {
    match text(name) {
        Some(text) => parse(&format!("{name}.cat"), text, None),
        None => Err(Error::Input {
            message: format!("there is no model `{name}`"),
            help: Some(format!(
                "name a file that ends in .cat, or one of: {}",
                names().collect::<Vec<_>>().join(", ")
            )),
        }),
    }
}

/// Parses a model. It may include files of `directory`, and the models that ship by the names of
/// their files.
///
/// # Errors
/// A mistake, with its position.
pub fn parse(name: &str, text: &str, directory: Option<&Path>) -> Result<Model> {
    Model::parse(name, text, BASES, &|included| {
        let file = directory.map(|it| it.join(included));
        let found = file.and_then(|it| std::fs::read_to_string(it).ok());
        found.or_else(|| {
            let name = included.strip_suffix(".cat")?;
            self::text(name).map(str::to_owned)
        })
    })
}
