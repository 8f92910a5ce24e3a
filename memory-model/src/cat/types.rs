//! The types of expressions, by unification.
//!
//! Parameters of functions and `0` can be of either type, so that `let f(x) = x | 0` works for sets
//! and for relations. Type variables have a level: the number of definitions around the place where
//! they were created. A definition is generic in the variables of a deeper level than its own.

use std::collections::HashMap;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A set of events.
    Set,
    /// A relation between events.
    Relation,
}

impl Type {
    /// The type with its article.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Set => "a set",
            Self::Relation => "a relation",
        }
    }
}

/// A type, perhaps not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Known(Type),
    Variable(usize),
}

impl Ty {
    pub const SET: Self = Self::Known(Type::Set);
    pub const RELATION: Self = Self::Known(Type::Relation);
}

#[derive(Clone, Copy, Debug)]
struct Variable {
    /// What it was unified with.
    link: Option<Ty>,
    level: usize,
}

/// The type variables.
#[derive(Debug, Default)]
pub(super) struct Types {
    variables: Vec<Variable>,
    /// The number of definitions around the current place.
    pub level: usize,
}

impl Types {
    /// A new variable.
    pub fn fresh(&mut self) -> Ty {
        self.variables.push(Variable {
            link: None,
            level: self.level,
        });
        Ty::Variable(self.variables.len() - 1)
    }

    /// What is known of a type.
    pub fn find(&self, mut ty: Ty) -> Ty {
        while let Ty::Variable(index) = ty {
            match self.variables[index].link {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty
    }

    /// Makes two types equal. `Err` if they are known and differ.
    pub fn unify(&mut self, a: Ty, b: Ty) -> Result<(), (Type, Type)> {
        match (self.find(a), self.find(b)) {
            (Ty::Known(a), Ty::Known(b)) if a != b => return Err((a, b)),
            (Ty::Known(_), Ty::Known(_)) => {}
            (Ty::Variable(a), Ty::Variable(b)) => {
                if a != b {
                    let level = self.variables[a].level.min(self.variables[b].level);
                    self.variables[b].level = level;
                    self.variables[a].link = Some(Ty::Variable(b));
                }
            }
            (Ty::Variable(variable), known) | (known, Ty::Variable(variable)) => {
                self.variables[variable].link = Some(known);
            }
        }
        Ok(())
    }

    /// The type, which is that of relations if nothing else is known of it.
    pub fn known_or_relation(&mut self, ty: Ty) -> Type {
        match self.find(ty) {
            Ty::Known(kind) => kind,
            Ty::Variable(index) => {
                self.variables[index].link = Some(Ty::RELATION);
                Type::Relation
            }
        }
    }

    /// The type where a definition of level `level` is used. `fresh` has the variables that replace
    /// generic ones in this use.
    pub fn instance(&mut self, ty: Ty, level: usize, fresh: &mut HashMap<usize, Ty>) -> Ty {
        match self.find(ty) {
            Ty::Variable(index) if self.variables[index].level > level => {
                *fresh.entry(index).or_insert_with(|| self.fresh())
            }
            other => other,
        }
    }
}
