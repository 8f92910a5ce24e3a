//! The basic blocks of a function that has been rewritten, with the accesses that have hooks.
//!
//! `hirace_ir` does the lowering. Here is what only the instrumenter knows: which expressions are accesses, what shared
//! variables a kernel has, and what names mean.

mod parameter_uses;
mod shared_uses;
mod text;
mod values;

use hirace_ir::function::{Opaque, Root};
use hirace_ir::lower::{Program, Source};
use hirace_ir::{Access, AccessKind, Function};
use hirace_model::{Site, SiteKind};
use hirace_syntax::tree::{Kind, Node};
use hirace_syntax::view::Function as FunctionView;

use super::context::Rewriter;
pub(crate) use shared_uses::Variable;

/// A function in basic blocks.
pub(crate) struct Lowered {
    pub(crate) function: Function,
    /// For each access, the number of its hook, if it is a load of a variable whose loads may be stable.
    pub(crate) hooks: Vec<Option<usize>>,
    /// The shared variables that it names.
    pub(crate) variables: Vec<Variable>,
}

impl Program for Rewriter<'_> {
    fn macro_texts(&self, name: &str) -> Vec<&str> {
        let mut texts: Vec<&str> = self.bodies_of_macro(name).collect();
        if texts.is_empty() && self.is_macro(name) {
            texts.push("");
        }
        texts
    }

    fn is_called(&self, callee: Node<'_>) -> bool {
        let name = self.text(callee);
        callee.is(Kind::Identifier) && self.is_declared_here(callee, name)
            || self.is_called_function(callee)
    }
}

impl Rewriter<'_> {
    /// Adds the text of a function's basic blocks to the result, if that was asked for.
    pub(crate) fn describe(&mut self, node: Node<'_>, body: Node<'_>) {
        if self.options.describe && self.body.is_none() {
            let function = self.lower(node, body).function;
            let name = self.enclosing.name.rsplit("::").next().unwrap_or_default();
            let reached = self.facts.synchronisation.reached(name);
            let text = hirace_ir::show::show(function, self.source, reached);
            self.out.described.push(text);
        }
    }

    /// The basic blocks of a function; `node` is its definition. Called after its body has been rewritten.
    pub(crate) fn lower(&self, node: Node<'_>, body: Node<'_>) -> Lowered {
        let variables = self.shared_variables(body);
        let hidden = self.hidden(node, body, variables.as_deref());
        let variables = variables.unwrap_or_default();
        let mut uses = self.uses_of_shared(node, body, &variables);
        let is_other = |site: &&Site| !uses.iter().any(|it| it.access.range == site.range);
        let others: Vec<_> = self.sites.within(&body.range()).filter(is_other).collect();
        let others = others.into_iter().filter_map(|it| self.access(node, it));
        let function = FunctionView::of(node, self.prepass, self.source);
        let parameters = function.map_or_else(Vec::new, |it| it.parameters(self.source));
        let escapes = self.escapes_of_parameters(&parameters, body);
        let others = others.chain(escapes);
        uses.extend(others.map(|access| shared_uses::Use { access, hook: None }));
        uses.sort_by_key(|it| (it.access.range.start, it.access.range.end));
        let (accesses, hooks) = uses.into_iter().map(|it| (it.access, it.hook)).unzip();
        let function = hirace_ir::lower(Source {
            name: &self.enclosing.name,
            text: self.source,
            body,
            accesses,
            opaque: hidden,
            program: self,
        });
        Lowered {
            function,
            hooks,
            variables,
        }
    }

    /// The access at a site, if it is one.
    fn access(&self, function: Node<'_>, site: &Site) -> Option<Access> {
        let kind = match site.kind {
            SiteKind::Read => AccessKind::Read,
            SiteKind::Write => AccessKind::Write,
            SiteKind::Update => AccessKind::Update,
            SiteKind::Atomic => AccessKind::Atomic,
            SiteKind::Sync | SiteKind::Launch | SiteKind::Call => return None,
        };
        let name = site.variable.clone();
        let is_parameter = self.parameter_names(function).any(|it| it == name);
        let root = match is_parameter {
            true => Root::Parameter(name),
            false => Root::Other(name),
        };
        let range = site.range.clone();
        Some(Access { range, kind, root })
    }

    fn parameter_names<'s>(&'s self, function: Node<'s>) -> impl Iterator<Item = &'s str> {
        let parameters = function.descendants_of(Kind::FunctionDeclarator).next();
        let parameters = parameters.into_iter().flat_map(Node::descendants);
        let names = parameters.filter(|it| it.is(Kind::Identifier));
        names.map(|it| self.text(it))
    }

    /// What keeps the tree of a function from showing all that its text does, so that no analysis can use it.
    fn hidden(
        &self,
        node: Node<'_>,
        body: Node<'_>,
        variables: Option<&[Variable]>,
    ) -> Option<Opaque> {
        let opaque = |at: usize, what: &str| {
            Some(Opaque {
                at,
                what: what.to_owned(),
                from: 0,
            })
        };
        if let Some(error) = node.first_error() {
            return opaque(error.start(), "syntax that could not be parsed");
        }
        let Some(variables) = variables else {
            return opaque(
                body.start(),
                "a shared variable whose name has several meanings",
            );
        };
        if let Some((at, what)) = self.not_as_written(body.range()) {
            return opaque(at, what);
        }
        let named = self.named_by_macro(variables)?;
        opaque(
            body.start(),
            &format!("the macro `{named}`, which names a shared variable"),
        )
    }
}
