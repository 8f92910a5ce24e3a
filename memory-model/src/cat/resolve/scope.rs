//! The names that are known at a place.

use std::rc::Rc;

use crate::cat::ast::Unary;
use crate::cat::near::nearest;
use crate::cat::types::{Ty, Type};
use crate::cat::world::Base;

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// In the world.
    Base(usize),
    /// In a definition or parameter.
    Slot(usize),
    /// It is `id`.
    Identity,
}

/// What a name means.
#[derive(Debug)]
pub(super) enum Entity {
    /// A set or relation.
    Value {
        value: Value,
        ty: Ty,
        /// The level of its definition, see [`crate::cat::types`].
        level: usize,
    },
    /// A function of the model.
    Function {
        index: usize,
        parameters: Vec<(String, Ty)>,
        result: Ty,
        level: usize,
    },
    /// A built-in function that computes the same as an operator.
    Operator(Unary),
    /// `fencerel`, with the index of `po`.
    Fencerel(usize),
}

impl Entity {
    /// A value whose type is the same in all uses.
    pub fn fixed(slot: usize, ty: Ty) -> Self {
        Self::Value {
            value: Value::Slot(slot),
            ty,
            level: usize::MAX,
        }
    }
}

/// The known names. Later ones hide earlier ones.
#[derive(Debug)]
pub(super) struct Scope(Vec<(String, Rc<Entity>)>);

impl Scope {
    /// The built-in names and those of the world.
    pub fn new(bases: &[Base]) -> Self {
        let mut scope = Self(Vec::new());
        for (name, operator) in [
            ("domain", Unary::Domain),
            ("range", Unary::Range),
            ("toid", Unary::Identity),
            ("inverse", Unary::Inverse),
        ] {
            scope.add(name.into(), Entity::Operator(operator));
        }
        let po = |base: &Base| base.name == "po" && base.kind == Type::Relation;
        if let Some(po) = bases.iter().position(po) {
            scope.add("fencerel".into(), Entity::Fencerel(po));
        }
        let mut value = |name: &str, value, kind| {
            let (ty, level) = (Ty::Known(kind), 0);
            scope.add(name.into(), Entity::Value { value, ty, level });
        };
        value("id", Value::Identity, Type::Relation);
        for (index, base) in bases.iter().enumerate() {
            value(base.name, Value::Base(index), base.kind);
        }
        scope
    }

    pub fn add(&mut self, name: String, entity: Entity) {
        self.0.push((name, Rc::new(entity)));
    }

    pub fn get(&self, name: &str) -> Option<Rc<Entity>> {
        let mut names = self.0.iter().rev();
        let (_, entity) = names.find(|(known, _)| known == name)?;
        Some(Rc::clone(entity))
    }

    /// The most similar known name.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.0.iter().map(|(known, _)| known.as_str()))
    }

    /// The state for [`Scope::reset`].
    pub fn mark(&self) -> usize {
        self.0.len()
    }

    /// Forgets the names that were added since `mark`.
    pub fn reset(&mut self, mark: usize) {
        self.0.truncate(mark);
    }
}
