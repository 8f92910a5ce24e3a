//! Names and types in expressions.

use std::collections::HashMap;

use super::scope::{Entity, Value};
use super::{Resolver, subject};
use crate::cat::ast::{Expr, ExprKind, Name, Operator, Unary};
use crate::cat::hir::{Hir, HirKind};
use crate::cat::source::{Problem, Result};
use crate::cat::types::{Ty, Type};

impl Resolver<'_> {
    /// Resolves an expression, and finds its type.
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<(Hir, Ty)> {
        let (kind, ty) = match &expr.kind {
            ExprKind::Name(name) => self.name(expr, name)?,
            ExprKind::Apply(name, arguments) => self.call(expr, name, arguments)?,
            ExprKind::Zero => (HirKind::Zero, self.types.fresh()),
            ExprKind::EmptySet => (HirKind::EmptySet, Ty::SET),
            ExprKind::Universe => (HirKind::Universe, Ty::SET),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, None)?,
            ExprKind::Chain(operator, operands) => self.operation(*operator, operands)?,
            ExprKind::Let(definitions, body) => {
                let mark = self.scope.mark();
                let definitions = self.definitions(definitions)?;
                let (body, ty) = self.expr(body)?;
                self.scope.reset(mark);
                (HirKind::Let(definitions, body.into()), ty)
            }
        };
        let span = expr.span;
        Ok((Hir { kind, span }, ty))
    }

    fn unknown(&self, name: &str, expr: &Expr) -> Problem {
        Problem::new(expr.span, format!("unknown name `{name}`"))
            .did_you_mean(self.scope.nearest(name))
    }

    fn name(&mut self, expr: &Expr, name: &str) -> Result<(HirKind, Ty)> {
        let Some(entity) = self.scope.get(name) else {
            return Err(self.unknown(name, expr));
        };
        let Entity::Value { value, ty, level } = *entity else {
            return Err(Problem::new(expr.span, format!("`{name}` is a function"))
                .with_help(format!("call it, as in `{name}(…)`")));
        };
        let ty = self.types.instance(ty, level, &mut HashMap::new());
        let kind = match value {
            Value::Base(index) => HirKind::Base(index),
            Value::Slot(slot) => HirKind::Slot(slot),
            Value::Identity => {
                let (kind, span) = (HirKind::Universe, expr.span);
                HirKind::Unary(Unary::Identity, Hir { kind, span }.into())
            }
        };
        Ok((kind, ty))
    }

    /// An operator, or the function `called` that computes the same.
    fn unary(
        &mut self,
        operator: Unary,
        operand: &Expr,
        called: Option<&str>,
    ) -> Result<(HirKind, Ty)> {
        let (inner, ty) = self.expr(operand)?;
        let symbol = match operator {
            Unary::Complement => "~",
            Unary::Inverse => "^-1",
            Unary::Optional => "?",
            Unary::Plus => "+",
            Unary::Star => "^*",
            Unary::Identity => "[…]",
            Unary::Domain | Unary::Range => "",
        };
        let by = format!("`{}`", called.unwrap_or(symbol));
        let result = match operator {
            Unary::Complement => ty,
            Unary::Identity => {
                self.expect(operand, ty, Type::Set, &by)?;
                Ty::RELATION
            }
            _ => {
                self.expect(operand, ty, Type::Relation, &by)?;
                match operator {
                    Unary::Domain | Unary::Range => Ty::SET,
                    _ => Ty::RELATION,
                }
            }
        };
        Ok((HirKind::Unary(operator, inner.into()), result))
    }

    fn operation(&mut self, operator: Operator, operands: &[Expr]) -> Result<(HirKind, Ty)> {
        let by = format!("`{}`", operator.symbol());
        let mut resolved = Vec::new();
        let mut result: Option<Ty> = None;
        for operand in operands {
            let (inner, ty) = self.expr(operand)?;
            match operator {
                Operator::Sequence => self.expect(operand, ty, Type::Relation, &by)?,
                Operator::Product => self.expect(operand, ty, Type::Set, &by)?,
                Operator::Union | Operator::Difference | Operator::Intersection => {
                    self.same(operand, ty, result, &by)?;
                }
            }
            resolved.push(inner);
            result = Some(ty);
        }
        let ty = match operator {
            Operator::Product => Ty::RELATION,
            _ => result.unwrap_or(Ty::RELATION),
        };
        // `A * B * C` has a relation as left operand.
        if operator == Operator::Product && operands.len() > 2 {
            let span = operands[0].span.to(operands[1].span);
            return Err(Problem::new(
                span,
                "this is a relation, but the next `*` needs a set",
            ));
        }
        Ok((HirKind::Chain(operator, resolved), ty))
    }

    /// Fails if `operand`, of type `ty`, is not of the type of the operands before it.
    fn same(&mut self, operand: &Expr, ty: Ty, before: Option<Ty>, by: &str) -> Result<()> {
        let Some(Err((before, found))) = before.map(|it| self.types.unify(it, ty)) else {
            return Ok(());
        };
        let message = format!(
            "{} is {}, but the operand of {by} before it is {}",
            subject(operand),
            found.describe(),
            before.describe()
        );
        Err(Problem::new(operand.span, message)
            .with_help("`[S]` relates each event of the set `S` to itself"))
    }

    fn call(&mut self, expr: &Expr, name: &Name, arguments: &[Expr]) -> Result<(HirKind, Ty)> {
        let Some(entity) = self.scope.get(&name.text) else {
            let span = name.span;
            return Err(Problem {
                span,
                ..self.unknown(&name.text, expr)
            });
        };
        let arity = match &*entity {
            Entity::Value { ty, .. } => {
                let what = match self.types.find(*ty) {
                    Ty::Known(kind) => kind.describe(),
                    Ty::Variable(_) => "a set or relation",
                };
                let message = format!("`{}` is {what}, not a function", name.text);
                return Err(Problem::new(name.span, message)
                    .with_help("perhaps an operator such as `;` is missing after it"));
            }
            Entity::Function { parameters, .. } => parameters.len(),
            Entity::Operator(_) | Entity::Fencerel(_) => 1,
        };
        if arguments.len() != arity {
            let message = format!(
                "`{}` has {arity} parameter{}, but this call has {} argument{}",
                name.text,
                plural(arity),
                arguments.len(),
                plural(arguments.len())
            );
            return Err(Problem::new(expr.span, message));
        }
        match &*entity {
            Entity::Operator(operator) => self.unary(*operator, &arguments[0], Some(&name.text)),
            Entity::Fencerel(po) => self.fencerel(expr, *po, &arguments[0]),
            Entity::Function {
                index,
                parameters,
                result,
                level,
            } => {
                let mut fresh = HashMap::new();
                let mut resolved = Vec::new();
                for (argument, (parameter, ty)) in arguments.iter().zip(parameters) {
                    let (inner, found) = self.expr(argument)?;
                    let wanted = self.types.instance(*ty, *level, &mut fresh);
                    self.argument(argument, found, wanted, parameter, &name.text)?;
                    resolved.push(inner);
                }
                let ty = self.types.instance(*result, *level, &mut fresh);
                Ok((HirKind::Call(*index, resolved), ty))
            }
            Entity::Value { .. } => Err(self.unknown(&name.text, expr)),
        }
    }

    /// Fails if an argument is not of the type of its parameter.
    fn argument(
        &mut self,
        argument: &Expr,
        found: Ty,
        wanted: Ty,
        parameter: &str,
        function: &str,
    ) -> Result<()> {
        let Err((wanted, found)) = self.types.unify(wanted, found) else {
            return Ok(());
        };
        let message = format!(
            "{} is {}, but parameter `{parameter}` of `{function}` is {}",
            subject(argument),
            found.describe(),
            wanted.describe()
        );
        Err(Problem::new(argument.span, message))
    }

    /// `(po & (_ * S)) ; po`.
    fn fencerel(&mut self, expr: &Expr, po: usize, set: &Expr) -> Result<(HirKind, Ty)> {
        let (inner, ty) = self.expr(set)?;
        self.expect(set, ty, Type::Set, "`fencerel`")?;
        let node = |kind| Hir {
            kind,
            span: expr.span,
        };
        let [first, second, universe] =
            [HirKind::Base(po), HirKind::Base(po), HirKind::Universe].map(node);
        let product = HirKind::Chain(Operator::Product, vec![universe, inner]);
        let before = HirKind::Chain(Operator::Intersection, vec![first, node(product)]);
        let kind = HirKind::Chain(Operator::Sequence, vec![node(before), second]);
        Ok((kind, Ty::RELATION))
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
