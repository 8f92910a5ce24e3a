//! The statements and expressions of a file, as written.

use super::source::Span;

/// A name and its position.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Statement {
    /// `let …`.
    Let(Definitions),
    /// `include "…"`.
    Include(Name),
    /// `acyclic …` and the like.
    Check(Check),
    /// `show e as name`.
    Show(Expr, Option<Name>),
    /// `unshow name`.
    Unshow(Name),
    /// `with co from orders(…)`.
    With(Choice),
}

/// `with name from function(first, …)`: what a relation is chosen from.
#[derive(Debug)]
pub(super) struct Choice {
    pub name: Name,
    pub function: Name,
    pub first: Expr,
    /// The other arguments.
    pub others: Vec<Expr>,
    pub span: Span,
}

/// `let [rec] … and …`.
#[derive(Debug)]
pub(super) struct Definitions {
    pub recursive: bool,
    pub bindings: Vec<Binding>,
}

/// `name = body` or `name(parameters) = body`.
#[derive(Debug)]
pub(super) struct Binding {
    pub name: Name,
    /// `None` if it is not a function.
    pub parameters: Option<Vec<Name>>,
    pub body: Expr,
}

/// What an axiom says about its expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AxiomKind {
    /// The relation has no cycle.
    Acyclic,
    /// The relation relates no event to itself.
    Irreflexive,
    /// The set or relation is empty.
    Empty,
}

/// An axiom or a flag.
#[derive(Debug)]
pub(super) struct Check {
    pub kind: AxiomKind,
    pub negated: bool,
    /// `flag …` and `undefined_unless …`; the latter is the flag of the negated test.
    pub flag: bool,
    pub expr: Expr,
    pub name: Option<Name>,
    pub span: Span,
}

/// An expression.
#[derive(Debug)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// The number of expressions on the longest path to a leaf.
    pub depth: usize,
}

/// The kinds of expressions.
#[derive(Debug)]
pub(super) enum ExprKind {
    /// A name.
    Name(String),
    /// `f(e, …)`.
    Apply(Name, Vec<Expr>),
    /// `0`.
    Zero,
    /// `{}`.
    EmptySet,
    /// `_`.
    Universe,
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// Operands joined by one operator, to be applied from left to right.
    Chain(Operator, Vec<Expr>),
    /// `let … in e`.
    Let(Box<Definitions>, Box<Expr>),
}

impl ExprKind {
    /// The depth of the deepest operand.
    pub fn operand_depth(&self) -> usize {
        let deepest = |operands: &[Expr]| operands.iter().map(|e| e.depth).max().unwrap_or(0);
        match self {
            Self::Name(_) | Self::Zero | Self::EmptySet | Self::Universe => 0,
            Self::Apply(_, operands) | Self::Chain(_, operands) => deepest(operands),
            Self::Unary(_, operand) => operand.depth,
            Self::Let(definitions, body) => {
                let bodies = definitions.bindings.iter().map(|b| b.body.depth);
                bodies.max().unwrap_or(0).max(body.depth)
            }
        }
    }
}

/// Operators with one operand, and the functions that compute the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    /// `~e`.
    Complement,
    /// `e^-1`.
    Inverse,
    /// `e?`.
    Optional,
    /// `e+`.
    Plus,
    /// `e*`.
    Star,
    /// `[S]`.
    Identity,
    /// `domain(e)`.
    Domain,
    /// `range(e)`.
    Range,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Union,
    Sequence,
    Difference,
    Intersection,
    Product,
}

impl Operator {
    /// The operators from loose to tight.
    pub const BY_PRECEDENCE: [Self; 5] = [
        Self::Union,
        Self::Sequence,
        Self::Difference,
        Self::Intersection,
        Self::Product,
    ];

    pub fn symbol(self) -> &'static str {
        match self {
            Self::Union => "|",
            Self::Sequence => ";",
            Self::Difference => "\\",
            Self::Intersection => "&",
            Self::Product => "*",
        }
    }
}
