//! The values of a specification.

use std::fmt;

use super::limits::{LARGEST, checked};
use crate::edges::Orientation;

/// A parameter of a family.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether it is required.
    pub required: bool,
    /// The text after the value in a graph's name.
    pub suffix: &'static str,
}

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Number,
    /// Whole numbers separated by `x`.
    Sides,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Number(u64),
    /// The lengths of a grid's sides.
    Sides(Vec<u32>),
}

/// The values of a family's parameters, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    given: Vec<Option<Value>>,
    orientation: Orientation,
}

impl Kind {
    /// Reads a value.
    ///
    /// # Errors
    /// The message says what is expected.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Number => match text.parse() {
                Ok(number) => Ok(Value::Number(number)),
                Err(_) => Err(format!("`{text}` is not a whole number")),
            },
            Self::Sides => text
                .split('x')
                .map(|side| side.parse().ok().filter(|side| *side > 0))
                .collect::<Option<_>>()
                .map(Value::Sides)
                .ok_or_else(|| format!("`{text}` is not a list of sides such as `4x3`")),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Sides(sides) => {
                let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
                f.write_str(&sides.join("x"))
            }
        }
    }
}

impl Values {
    /// Values in the order of the parameters, each of its parameter's kind; no required one is
    /// missing.
    pub(crate) fn new(given: Vec<Option<Value>>, orientation: Orientation) -> Self {
        Self { given, orientation }
    }

    /// The direction of the edges.
    #[must_use]
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// The values as they were given, in the order of the parameters.
    #[must_use]
    pub fn given(&self) -> &[Option<Value>] {
        &self.given
    }

    /// The number for an optional parameter.
    pub(super) fn optional(&self, parameter: usize) -> Option<u64> {
        match self.given.get(parameter)? {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The number for a required parameter.
    pub(super) fn number(&self, parameter: usize) -> u64 {
        self.optional(parameter)
            .expect("required numbers are there")
    }

    /// The number of vertices, which is the first parameter.
    pub(super) fn nodes(&self) -> Result<u32, String> {
        match self.number(0) {
            0 => Err("a graph has at least 1 vertex".into()),
            nodes => checked(nodes, "vertices"),
        }
    }

    /// The sides of a grid, which are the first parameter, and the number of vertices.
    pub(super) fn sides(&self) -> Result<(&[u32], u32), String> {
        let Some(Some(Value::Sides(sides))) = self.given.first() else {
            unreachable!("sides are required")
        };
        let vertices = sides
            .iter()
            .try_fold(1_u64, |product, side| product.checked_mul((*side).into()))
            .filter(|vertices| *vertices <= LARGEST);
        let too_many = || {
            let sides = Value::Sides(sides.clone());
            format!("{sides} vertices are too many; the maximum is {LARGEST}")
        };
        Ok((sides, vertices.ok_or_else(too_many)? as u32))
    }
}

/// The number of vertices.
pub(super) const NODES: Parameter = Parameter {
    name: "nodes",
    about: "number of vertices",
    kind: Kind::Number,
    required: true,
    suffix: "n",
};

/// The number of edges, with a description of its default.
pub(super) const fn edges(about: &'static str) -> Parameter {
    Parameter {
        name: "edges",
        about,
        kind: Kind::Number,
        required: false,
        suffix: "e",
    }
}
