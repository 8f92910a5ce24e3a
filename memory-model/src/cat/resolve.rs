//! Resolves names and checks types.

mod expression;
mod scope;

use super::ast::{self, Binding, Expr, Name};
use super::hir::{Check, Coherence, Definition, Definitions, Function, Hir, Program, Statement};
use super::source::{Problem, Result, Sources, Span};
use super::types::{Ty, Type, Types};
use super::world::Base;
use scope::{Entity, Scope, Value};

/// Resolves the names of `statements`, which are those of `sources`.
pub(super) fn resolve(
    statements: &[ast::Statement],
    bases: &[Base],
    sources: &Sources,
) -> Result<Program> {
    let mut resolver = Resolver {
        sources,
        scope: Scope::new(bases),
        types: Types::default(),
        program: Program::default(),
    };
    for statement in statements {
        resolver.statement(statement)?;
    }
    Ok(resolver.program)
}

struct Resolver<'a> {
    sources: &'a Sources,
    scope: Scope,
    types: Types,
    program: Program,
}

impl Resolver<'_> {
    fn statement(&mut self, statement: &ast::Statement) -> Result<()> {
        let resolved = match statement {
            ast::Statement::Let(definitions) => Statement::Let(self.definitions(definitions)?),
            ast::Statement::Check(check) => Statement::Check(self.check(check)?),
            ast::Statement::Show(expr, name) => {
                let name = match name {
                    Some(name) => name.text.clone(),
                    None => self.sources.text(expr.span),
                };
                Statement::Show(name, self.expr(expr)?.0)
            }
            ast::Statement::Unshow(name) => Statement::Unshow(name.text.clone()),
            ast::Statement::With(choice) => Statement::Coherence(self.coherence(choice)?),
            // The loader replaced these by the statements of the files.
            ast::Statement::Include(_) => return Ok(()),
        };
        self.program.statements.push(resolved);
        Ok(())
    }

    fn check(&mut self, check: &ast::Check) -> Result<Check> {
        let (expr, ty) = self.expr(&check.expr)?;
        let by = match check.kind {
            ast::AxiomKind::Acyclic => "`acyclic`",
            ast::AxiomKind::Irreflexive => "`irreflexive`",
            ast::AxiomKind::Empty => "",
        };
        if check.kind != ast::AxiomKind::Empty {
            self.expect(&check.expr, ty, Type::Relation, by)?;
        }
        Ok(Check {
            name: check.name.as_ref().map(|name| name.text.clone()),
            kind: check.kind,
            negated: check.negated,
            flag: check.flag,
            expr,
            span: check.span,
        })
    }

    /// What coherence is chosen from.
    fn coherence(&mut self, choice: &ast::Choice) -> Result<Coherence> {
        const HELP: &str = "`with co from orders(r)` has each order of the writes to a location that \
                            `r` relates, and `orders(r, s)` each that agrees with `s`";
        let Name { text, span } = &choice.name;
        if text != "co" {
            let message = format!("`{text}` cannot be chosen: only `co` can");
            return Err(Problem::new(*span, message).with_help(HELP));
        }
        let Name { text, span } = &choice.function;
        if text != "orders" {
            return Err(Problem::new(*span, format!("unknown choice `{text}`")).with_help(HELP));
        }
        if self.program.has_coherence() {
            let message = "this model has chosen coherence before";
            return Err(Problem::new(choice.span, message));
        }
        if let Some(third) = choice.others.get(1) {
            let message = "`orders` has one argument or two, and this is a third one";
            return Err(Problem::new(third.span, message).with_help(HELP));
        }
        let mut relation = |expr: &Expr| {
            let (hir, ty) = self.expr(expr)?;
            self.expect(expr, ty, Type::Relation, "`orders`")?;
            Ok(hir)
        };
        Ok(Coherence {
            related: relation(&choice.first)?,
            given: choice.others.first().map(relation).transpose()?,
        })
    }

    /// Fails if `expr`, of type `ty`, is not of type `wanted`, which `by` needs.
    fn expect(&mut self, expr: &Expr, ty: Ty, wanted: Type, by: &str) -> Result<()> {
        let Err((found, _)) = self.types.unify(ty, Ty::Known(wanted)) else {
            return Ok(());
        };
        let message = format!(
            "{} is {}, but {by} needs {}",
            subject(expr),
            found.describe(),
            wanted.describe()
        );
        let problem = Problem::new(expr.span, message);
        Err(match (wanted, by) {
            (Type::Relation, _) => {
                problem.with_help("`[S]` relates each event of the set `S` to itself")
            }
            (Type::Set, "`*`") => problem.with_help(
                "before an operand, `*` is the product of sets; write `^*` for the closure",
            ),
            (Type::Set, _) => problem.with_help("`domain(r)` and `range(r)` are sets"),
        })
    }
}

/// Definitions.
impl Resolver<'_> {
    /// Resolves definitions and adds their names to the scope.
    fn definitions(&mut self, definitions: &ast::Definitions) -> Result<Definitions> {
        for (i, binding) in definitions.bindings.iter().enumerate() {
            let name = &binding.name;
            let mut earlier = definitions.bindings[..i].iter();
            if earlier.any(|earlier| earlier.name.text == name.text) {
                return Err(twice(&name.text, name.span));
            }
        }
        if definitions.recursive {
            return self.recursive(&definitions.bindings);
        }
        let mut values = Vec::new();
        let mut entities = Vec::new();
        for binding in &definitions.bindings {
            let entity = match &binding.parameters {
                Some(parameters) => self.function(binding, parameters)?,
                None => self.value(binding, &mut values)?,
            };
            entities.push((binding.name.text.clone(), entity));
        }
        // Not before: the definitions of one `let` do not see each other.
        for (name, entity) in entities {
            self.scope.add(name, entity);
        }
        Ok(Definitions::Plain(values))
    }

    fn new_slot(&mut self) -> usize {
        self.program.slots += 1;
        self.program.slots - 1
    }

    /// An expression inside a definition.
    fn inner(&mut self, expr: &Expr) -> Result<(Hir, Ty)> {
        self.types.level += 1;
        let result = self.expr(expr);
        self.types.level -= 1;
        result
    }

    fn value(&mut self, binding: &Binding, values: &mut Vec<Definition>) -> Result<Entity> {
        let (body, ty) = self.inner(&binding.body)?;
        let slot = self.new_slot();
        values.push(Definition {
            name: binding.name.clone(),
            slot,
            kind: Type::Relation,
            body,
        });
        Ok(Entity::Value {
            value: Value::Slot(slot),
            ty,
            level: self.types.level,
        })
    }

    fn function(&mut self, binding: &Binding, parameters: &[Name]) -> Result<Entity> {
        let mark = self.scope.mark();
        self.types.level += 1;
        let mut slots = Vec::new();
        let mut types = Vec::new();
        for parameter in parameters {
            if types.iter().any(|(name, _)| *name == parameter.text) {
                return Err(twice(&parameter.text, parameter.span));
            }
            let (slot, ty) = (self.new_slot(), self.types.fresh());
            slots.push(slot);
            types.push((parameter.text.clone(), ty));
            self.scope
                .add(parameter.text.clone(), Entity::fixed(slot, ty));
        }
        let result = self.expr(&binding.body);
        self.types.level -= 1;
        self.scope.reset(mark);
        let (body, result) = result?;
        self.program.functions.push(Function {
            parameters: slots,
            body,
            global: self.types.level == 0,
        });
        Ok(Entity::Function {
            index: self.program.functions.len() - 1,
            parameters: types,
            result,
            level: self.types.level,
        })
    }

    fn recursive(&mut self, bindings: &[Binding]) -> Result<Definitions> {
        self.types.level += 1;
        let mut slots = Vec::new();
        for binding in bindings {
            if binding.parameters.is_some() {
                let message = format!("`{}` is a recursive function", binding.name.text);
                return Err(Problem::new(binding.name.span, message)
                    .with_help("only sets and relations can be recursive"));
            }
            let (slot, ty) = (self.new_slot(), self.types.fresh());
            slots.push((slot, ty));
            self.scope
                .add(binding.name.text.clone(), Entity::fixed(slot, ty));
        }
        let mut bodies = Vec::new();
        for (binding, &(_, ty)) in bindings.iter().zip(&slots) {
            let (body, found) = self.inner(&binding.body)?;
            if let Err((wanted, found)) = self.types.unify(ty, found) {
                let message = format!(
                    "this is {}, but `{}` is used as {}",
                    found.describe(),
                    binding.name.text,
                    wanted.describe()
                );
                return Err(Problem::new(binding.body.span, message));
            }
            bodies.push(body);
        }
        self.types.level -= 1;
        let definitions = bindings.iter().zip(slots).zip(bodies);
        let definitions = definitions.map(|((binding, (slot, ty)), body)| Definition {
            name: binding.name.clone(),
            slot,
            kind: self.types.known_or_relation(ty),
            body,
        });
        Ok(Definitions::Recursive(definitions.collect()))
    }
}

fn twice(name: &str, span: Span) -> Problem {
    Problem::new(span, format!("`{name}` is defined twice"))
}

/// An expression for messages.
fn subject(expr: &Expr) -> String {
    match &expr.kind {
        ast::ExprKind::Name(name) => format!("`{name}`"),
        ast::ExprKind::Apply(name, _) => format!("`{}(…)`", name.text),
        _ => "this".into(),
    }
}
