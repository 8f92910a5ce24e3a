//! The values of a function's variables: where they are set, and to what.
//!
//! A use of a variable has the values of the definitions that *reach* it: those with a way from the definition to the
//! use on which no other definition replaces the variable as a whole. Memory that threads share is different: there,
//! another thread may have executed any of the definitions.

use std::collections::HashMap;
use std::ops::Range;

use fixedbitset::FixedBitSet;
use petgraph::Direction;

use crate::control::ControlFlow;
use crate::function::{BlockId, Place};

/// The number of a variable of a function.
pub type VariableId = usize;

/// The number of a definition of a function.
pub type DefinitionId = usize;

/// The variables of a function, and what they are set to.
#[derive(Debug, Default)]
pub struct Values {
    /// Those that the function declares or mentions.
    pub variables: Vec<Variable>,
    /// What sets them, in order of the text.
    pub definitions: Vec<Definition>,
    /// The definitions of each variable.
    pub(crate) by_variable: Vec<Vec<DefinitionId>>,
    /// What decides on the block that follows another, by that block.
    pub decisions: HashMap<BlockId, Value>,
    /// The barriers that are sure to be compiled, by the positions of their calls.
    pub barriers: HashMap<usize, Barrier>,
    /// What an identifier at a position in the text stands for.
    pub(crate) names: HashMap<usize, Value>,
}

/// A variable that a function declares or mentions.
#[derive(Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The cooperative group that its type stands for.
    pub group: Option<Object>,
    /// The part of the text in which its name means it.
    pub visible: Range<usize>,
    /// Whether it is in memory of the block, or of the grid.
    pub is_shared: bool,
    /// Whether it designates memory: a write to an element of that is none to the variable.
    pub is_memory: bool,
    /// The number of subscripts that lead to an element which is no array, if a thread has it for itself.
    pub rank: usize,
    /// Whether it is a reference.
    pub is_reference: bool,
    /// Whether it has an integer type that represents all values from 0 to 2³¹ − 1, or may have one by deduction.
    pub is_integer: bool,
    /// Whether its type is that of its first value.
    pub is_deduced: bool,
    /// Whether it may be an object of a class.
    pub is_class: bool,
    /// Whether its type is `const`.
    pub is_constant: bool,
    /// Its value, if that is a constant known from outside the function.
    pub known: Option<i64>,
    /// Whether code that no definition stands for may change it: by a pointer, a reference, a lambda or assembly.
    pub escapes: bool,
    /// Whether a function whose source is not there gets it as an argument, and so perhaps a reference to it.
    pub is_passed_on: bool,
}

/// The cooperative group that a variable stands for. Coalesced groups are none of these: even their sizes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// The grid.
    Grid,
    /// The cluster.
    Cluster,
    /// The block.
    Block,
    /// A tile of as many lanes, the same for all tiles of the block; 0 if the text does not show how many.
    Tile(i64),
}

/// Where a variable comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is a parameter of the function; its number, from 0.
    Parameter(usize),
    /// The function declares it.
    Local,
    /// It is a member of the object whose method the function is.
    Member,
    /// It is declared outside of the function.
    Outside,
}

/// The threads that a barrier joins.
#[derive(Clone, Debug, PartialEq)]
pub enum Barrier {
    /// All threads of the block.
    Block,
    /// All lanes of the warp.
    Warp,
    /// The threads of this cooperative group.
    Object(Value),
}

/// Something that sets a variable.
#[derive(Debug)]
pub struct Definition {
    /// The variable.
    pub variable: VariableId,
    /// Where it is set; the position is that after the text that sets it.
    pub place: Place,
    /// What it is set to, together with what decides on the element that is set.
    pub value: Value,
    /// Whether the variable is set as a whole, and for sure.
    pub replaces: bool,
    /// Whether it is an assignment, and not where the variable begins.
    pub is_assignment: bool,
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The same for all threads; the number, if it is known and an integer.
    Constant(Option<i64>),
    /// The value that a variable has at a place.
    Variable(VariableId, Place),
    /// The value that a variable has where the function begins.
    AtEntry(VariableId),
    /// The object whose method the function is.
    This,
    /// A member of an object.
    Member(Box<Value>, String),
    /// `a OPERATOR b`.
    Binary {
        /// As written.
        operator: String,
        /// The operands.
        sides: Box<[Value; 2]>,
        /// Whether the operation is not in the text: if `b < c` might begin template arguments, the grammar parses
        /// `a * b < c` as `a * (b < c)`, and `b < c * d` as `(b < c) * d`.
        is_torn: bool,
    },
    /// `OPERATOR a`.
    Unary(String, Box<Value>),
    /// A conversion to an integer type that represents all values from 0 to 2³¹ − 1.
    ToInteger(Box<Value>),
    /// What a function returns.
    Call(Box<Call>),
    /// Anything else that depends on these alone.
    Parts(Vec<Value>),
    /// Anything.
    Unknown,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The text of the callee; the name only, for a method.
    pub callee: String,
    /// The object whose method is called.
    pub object: Option<Value>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The cooperative group that the function returns.
    pub returns: Option<Object>,
    /// What the result depends on.
    pub depends: Dependence,
}

/// What the result of a function, or an object of a class, depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// On the arguments and on the object alone.
    Arguments,
    /// On the block, too.
    Block,
    /// On the thread, too, or on what is not known.
    Thread,
}

impl Call {
    /// The name of the function, without namespaces.
    pub fn name(&self) -> &str {
        self.callee.rsplit(':').next().unwrap_or_default()
    }
}

impl Value {
    /// What depends on these values alone.
    pub(crate) fn of_parts(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            0 => Self::Constant(None),
            1 => parts.remove(0),
            _ => Self::Parts(parts),
        }
    }

    /// The values that it is computed from.
    pub fn operands(&self) -> Vec<&Value> {
        match self {
            Self::Constant(_)
            | Self::Variable(..)
            | Self::AtEntry(_)
            | Self::This
            | Self::Unknown => Vec::new(),
            Self::Member(inner, _) | Self::Unary(_, inner) | Self::ToInteger(inner) => vec![inner],
            Self::Binary { sides, .. } => sides.iter().collect(),
            Self::Call(call) => call.object.iter().chain(&call.arguments).collect(),
            Self::Parts(parts) => parts.iter().collect(),
        }
    }

    /// Whether it is, or is computed from, a value with a property.
    pub fn any(&self, has: &mut impl FnMut(&Value) -> bool) -> bool {
        has(self) || self.operands().into_iter().any(|it| it.any(has))
    }
}

impl Values {
    /// The definitions of a variable.
    pub fn definitions_of(&self, variable: VariableId) -> &[DefinitionId] {
        &self.by_variable[variable]
    }

    /// The only definition of a variable.
    pub fn only_definition(&self, variable: VariableId) -> Option<&Definition> {
        match self.definitions_of(variable) {
            [only] => Some(&self.definitions[*only]),
            _ => None,
        }
    }

    /// The definitions of a variable that reach a place; all of them, if other threads may have executed them.
    pub fn reaching(
        &self,
        flow: &ControlFlow,
        variable: VariableId,
        place: Place,
    ) -> Vec<DefinitionId> {
        let all = self.definitions_of(variable);
        let Variable {
            is_shared, origin, ..
        } = self.variables[variable];
        if is_shared || matches!(origin, Origin::Outside | Origin::Member) {
            return all.to_vec();
        }
        let graph = &flow.function().graph;
        let mut found = Vec::new();
        let mut seen = FixedBitSet::with_capacity(graph.node_count());
        let mut waiting = vec![(place.block, place.at)];
        while let Some((block, end)) = waiting.pop() {
            let here = |it: &&DefinitionId| {
                let place = self.definitions[**it].place;
                place.block == block && place.at <= end
            };
            let mut is_replaced = false;
            for &definition in all.iter().rev().filter(here) {
                found.push(definition);
                is_replaced = self.definitions[definition].replaces;
                if is_replaced {
                    break;
                }
            }
            if is_replaced {
                continue;
            }
            for before in graph.neighbors_directed(block, Direction::Incoming) {
                if !seen.put(before.index()) {
                    waiting.push((before, usize::MAX));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
