//! Statements and expressions with resolved names and checked types.

use super::ast::{AxiomKind, Name, Operator, Unary};
use super::source::Span;
use super::types::Type;

/// The number of a definition or parameter.
pub(super) type Slot = usize;

/// An expression.
#[derive(Debug)]
pub(super) struct Hir {
    pub kind: HirKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug)]
pub(super) enum HirKind {
    /// `0`, of either type.
    Zero,
    /// `{}`.
    EmptySet,
    /// `_`.
    Universe,
    /// A set or relation of the world.
    Base(usize),
    /// A definition or parameter.
    Slot(Slot),
    /// An operator with one operand.
    Unary(Unary, Box<Hir>),
    /// Operands joined by one operator, to be applied from left to right.
    Chain(Operator, Vec<Hir>),
    /// A call of the function with this index.
    Call(usize, Vec<Hir>),
    /// `let … in e`.
    Let(Definitions, Box<Hir>),
}

/// `let … and …`, without functions.
#[derive(Debug)]
pub(super) enum Definitions {
    /// The values are independent of each other.
    Plain(Vec<Definition>),
    /// Their least fixpoint.
    Recursive(Vec<Definition>),
}

/// A value with a name.
#[derive(Debug)]
pub(super) struct Definition {
    pub name: Name,
    pub slot: Slot,
    /// The type. Only recursive definitions need it.
    pub kind: Type,
    pub body: Hir,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub parameters: Vec<Slot>,
    pub body: Hir,
    /// It is not inside another definition, so its result depends only on its arguments.
    pub global: bool,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Statement {
    Let(Definitions),
    Check(Check),
    Show(String, Hir),
    Unshow(String),
    Coherence(Coherence),
}

/// `with co from orders(related, given)`.
#[derive(Debug)]
pub(super) struct Coherence {
    /// The writes that coherence orders.
    pub related: Hir,
    /// The order that some of them have in each coherence order.
    pub given: Option<Hir>,
}

/// An axiom or a flag.
#[derive(Debug)]
pub(super) struct Check {
    pub name: Option<String>,
    pub kind: AxiomKind,
    pub negated: bool,
    pub flag: bool,
    pub expr: Hir,
    pub span: Span,
}

/// A model with resolved names.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub statements: Vec<Statement>,
    pub functions: Vec<Function>,
    /// The number of slots.
    pub slots: usize,
}

impl Program {
    /// Whether a statement says what coherence is chosen from.
    pub fn has_coherence(&self) -> bool {
        let mut statements = self.statements.iter();
        statements.any(|it| matches!(it, Statement::Coherence(_)))
    }
}
