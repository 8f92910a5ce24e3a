//! Tokens as expressions.

use super::{DEPTH, Parser};
use crate::cat::ast::{Definitions, Expr, ExprKind, Operator, Unary};
use crate::cat::lexer::{Kind, Token};
use crate::cat::source::{Problem, Result, Span};

/// Whether an operand can start with this token.
fn starts_operand(token: Token) -> bool {
    match token.kind {
        Kind::Name | Kind::Zero => true,
        Kind::Symbol => matches!(token.text, "(" | "[" | "{" | "_" | "~"),
        _ => false,
    }
}

fn too_deep(span: Span) -> Problem {
    Problem::new(span, "this expression is nested too deeply")
        .with_help("define its parts with `let`")
}

impl Parser<'_> {
    /// Parses one level deeper.
    pub(super) fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Result<Expr>) -> Result<Expr> {
        if self.depth == DEPTH {
            return Err(too_deep(self.peek().span));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// An expression from `start` to the last token.
    fn node(&self, start: Span, kind: ExprKind) -> Result<Expr> {
        let span = start.to(self.last());
        let depth = kind.operand_depth() + 1;
        if depth > DEPTH {
            return Err(too_deep(span));
        }
        Ok(Expr { kind, span, depth })
    }

    /// `let … in body`.
    pub(super) fn local(&self, start: Span, local: Definitions, body: Expr) -> Result<Expr> {
        self.node(start, ExprKind::Let(Box::new(local), Box::new(body)))
    }

    /// Operands joined by the operator at this level of precedence, or by tighter ones.
    pub(super) fn chain(&mut self, level: usize) -> Result<Expr> {
        let Some(&operator) = Operator::BY_PRECEDENCE.get(level) else {
            return self.prefix();
        };
        let start = self.peek().span;
        let first = self.chain(level + 1)?;
        if !self.is(Kind::Symbol, operator.symbol()) {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.symbol(operator.symbol()) {
            operands.push(self.chain(level + 1)?);
        }
        self.node(start, ExprKind::Chain(operator, operands))
    }

    fn prefix(&mut self) -> Result<Expr> {
        let start = self.peek().span;
        if !self.symbol("~") {
            return self.postfix();
        }
        let operand = self.nested(Self::prefix)?;
        self.node(start, ExprKind::Unary(Unary::Complement, operand.into()))
    }

    fn postfix(&mut self) -> Result<Expr> {
        let start = self.peek().span;
        let mut expr = self.application()?;
        loop {
            let token = self.peek();
            let operator = match (token.kind, token.text) {
                (Kind::Symbol, "^-1") => Unary::Inverse,
                (Kind::Symbol, "?" | "^?") => Unary::Optional,
                (Kind::Symbol, "+" | "^+") => Unary::Plus,
                (Kind::Symbol, "^*") => Unary::Star,
                // Before an operand it is the product.
                (Kind::Symbol, "*") if !starts_operand(self.ahead(1)) => Unary::Star,
                (Kind::Symbol, "++") => {
                    return Err(Problem::new(token.span, "`++` is not supported")
                        .with_help("the union of sets or relations is `|`"));
                }
                _ => return Ok(expr),
            };
            self.advance();
            expr = self.node(start, ExprKind::Unary(operator, expr.into()))?;
        }
    }

    /// An operand, or `f(…)`, or `f e` on one line.
    fn application(&mut self) -> Result<Expr> {
        let start = self.peek();
        if start.kind != Kind::Name {
            return self.atom();
        }
        let name = self.take_name();
        let next = self.peek();
        let arguments = if self.symbol("(") {
            self.arguments()?
        } else if starts_operand(next) && next.text != "~" && !next.first_on_line {
            vec![self.atom()?]
        } else {
            return self.node(start.span, ExprKind::Name(name.text));
        };
        self.node(start.span, ExprKind::Apply(name, arguments))
    }

    /// What follows the opening parenthesis of a call.
    fn arguments(&mut self) -> Result<Vec<Expr>> {
        if self.symbol(")") {
            return Ok(Vec::new());
        }
        let arguments = self.list(Self::expression)?;
        self.expect_operator_or(")")?;
        Ok(arguments)
    }

    fn atom(&mut self) -> Result<Expr> {
        let token = self.peek();
        let start = token.span;
        match (token.kind, token.text) {
            (Kind::Name, _) => {
                let name = self.take_name();
                self.node(start, ExprKind::Name(name.text))
            }
            (Kind::Zero, _) => {
                self.advance();
                self.node(start, ExprKind::Zero)
            }
            (Kind::Symbol, "_") => {
                self.advance();
                self.node(start, ExprKind::Universe)
            }
            (Kind::Symbol, "{") => {
                self.advance();
                if !self.symbol("}") {
                    return Err(self
                        .expected("`}`")
                        .with_help("sets of listed elements are not supported, only `{}`"));
                }
                self.node(start, ExprKind::EmptySet)
            }
            (Kind::Symbol, "[") => {
                self.advance();
                let set = self.expression()?;
                self.expect_operator_or("]")?;
                self.node(start, ExprKind::Unary(Unary::Identity, set.into()))
            }
            (Kind::Symbol, "(") => {
                self.advance();
                let inner = self.expression()?;
                if self.is(Kind::Symbol, ",") {
                    return Err(self
                        .expected("`)`")
                        .with_help("only calls of functions have lists of expressions"));
                }
                self.expect_operator_or(")")?;
                // With its parentheses, for messages and texts.
                Ok(Expr {
                    span: start.to(self.last()),
                    ..inner
                })
            }
            _ => Err(self.no_operand()),
        }
    }

    /// Skips the closing bracket, or fails.
    fn expect_operator_or(&mut self, bracket: &str) -> Result<()> {
        if self.symbol(bracket) {
            return Ok(());
        }
        Err(self.expected(&format!("an operator or `{bracket}`")))
    }

    /// The current token is not the start of an operand.
    fn no_operand(&self) -> Problem {
        let token = self.peek();
        let last = self.last();
        if token.kind == Kind::Unsupported {
            return self.expected("");
        }
        // At the operator: the next token can be lines away.
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        match before {
            Some(before) if before.kind == Kind::Symbol && before.text != ")" => Problem::new(
                last,
                format!(
                    "missing operand after `{}`, before {}",
                    before.text,
                    token.describe()
                ),
            ),
            _ => self.expected("an expression"),
        }
    }
}
