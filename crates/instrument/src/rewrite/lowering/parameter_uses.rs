//! Where the pointers that a kernel's parameters are may go.
//!
//! Accesses through them have sites. Each other mention of one is harmless, or lets the pointer escape.

use std::collections::{HashMap, HashSet};

use hirace_ir::function::Root;
use hirace_ir::{Access, AccessKind};
use hirace_model::{Site, SiteKind};
use hirace_syntax::lexer::lex_inline;
use hirace_syntax::names::{Meaning, meaning};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Parameter, has_const, split_name};

use super::shared_uses::Variable;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::is_named_cast;

/// Sites by the ranges of the places that they access.
type Places<'s> = HashMap<(usize, usize), &'s Site>;

impl Rewriter<'_> {
    /// The mentions by which parameters of a kernel escape, and places where any constant may lose its const.
    pub(super) fn escapes_of_parameters(
        &self,
        parameters: &[Parameter<'_>],
        body: Node<'_>,
    ) -> Vec<Access> {
        let named = parameters.iter().filter_map(|it| {
            let declarator = it.declarator.as_ref()?;
            let is_pointer = !declarator.layers.is_empty();
            let pointer = is_pointer.then(|| it.type_text(self.source));
            Some((self.text(declarator.name?), it.constant, pointer))
        });
        let named: Vec<(&str, bool, Option<&str>)> = named.collect();
        let constants: Vec<&str> = named.iter().filter(|it| it.1).map(|it| it.0).collect();
        let pointers = named.iter().filter(|it| !it.1);
        let mut escapes = self.casts_of_constants(&constants, body);
        // By their names, with the types that they point to.
        let others: HashMap<&str, Variable> = pointers
            .filter_map(|it| Some((it.0, Variable::number(it.0, it.2?))))
            .collect();
        let in_macros = self.words_of_macros(body);
        let within = body.range();
        let sites = self.sites.within(&within);
        let sites: Places<'_> = sites
            .map(|it| ((it.range.start, it.range.end), it))
            .collect();
        let mut known = HashSet::new();
        for it in body.descendants().filter(|it| it.is_leaf()) {
            let name = self.text(it);
            if let Some(variable) = others.get(name) {
                known.insert(it.start());
                if !self.is_harmless(it, variable, &sites) {
                    escapes.push(escape(it.start()..it.end(), name));
                }
            }
        }
        // Mentions that the tree does not show.
        for (at, word) in self.words_within(body.range()) {
            if others.contains_key(word) && !known.contains(&at) {
                escapes.push(escape(at..at + word.len(), word));
            }
        }
        for name in others.keys().filter(|it| in_macros.contains(**it)) {
            escapes.push(escape(body.start()..body.start(), name));
        }
        escapes
    }

    /// The words of the macros that a body uses, other than their parameters.
    fn words_of_macros(&self, body: Node<'_>) -> HashSet<String> {
        let mut waiting: Vec<String> = self
            .words_within(body.range())
            .map(|(_, word)| word.to_owned())
            .collect();
        let mut seen: HashSet<String> = HashSet::new();
        let mut words = HashSet::new();
        while let Some(name) = waiting.pop() {
            if !self.is_macro(&name) || !seen.insert(name.clone()) {
                continue;
            }
            let defined = self.facts.macros.get(&name).into_iter().flatten();
            let defined =
                defined.map(|it| (it.body.as_str(), it.parameters.as_deref().unwrap_or(&[])));
            let given = self.options.defines.value(&name).map(|it| (it, &[][..]));
            for (text, parameters) in defined.chain(given) {
                for token in lex_inline(text).tokens {
                    let word = token.text(text).to_owned();
                    if !parameters.contains(&word) {
                        waiting.push(word.clone());
                        words.insert(word);
                    }
                }
            }
        }
        words
    }

    /// Whether a mention of a pointer is a part of an access with a site, or does not pass the pointer on.
    fn is_harmless(&self, name: Node<'_>, variable: &Variable, sites: &Places<'_>) -> bool {
        let mut inner = name;
        while let Some(outer) = inner.parent() {
            let field = inner.field();
            match outer.kind() {
                Kind::ParenthesizedExpression => {}
                Kind::BinaryExpression => match outer.operator(self.source) {
                    "+" => {}
                    "-" if field == Field::Left => {}
                    "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => return true,
                    _ => return false,
                },
                // `&a[i]` is a pointer, too.
                Kind::SubscriptExpression | Kind::FieldExpression | Kind::PointerExpression
                    if self.is_element_of(inner, outer, field) =>
                {
                    let around = outer.parent().filter(|it| it.is_address(self.source));
                    match around {
                        Some(address) => {
                            inner = address;
                            continue;
                        }
                        None => return self.has_site(outer, variable, sites),
                    }
                }
                Kind::UnaryExpression => return outer.operator(self.source) == "!",
                Kind::ConditionClause | Kind::SizeofExpression => return true,
                Kind::CastExpression => {
                    return outer
                        .child(Field::Type)
                        .is_some_and(|it| self.is_to_constants(it));
                }
                Kind::InitDeclarator => return self.declares_pointer_to_constants(outer),
                Kind::ArgumentList => {
                    let index = outer.named_children().position(|it| it == inner);
                    let call = outer.parent().zip(index);
                    return call.is_some_and(|(call, index)| self.only_reads(call, index));
                }
                _ => return false,
            }
            inner = outer;
        }
        false
    }

    /// Whether an expression is an element of what a pointer inside it points to.
    fn is_element_of(&self, pointer: Node<'_>, outer: Node<'_>, field: Field) -> bool {
        match outer.kind() {
            Kind::SubscriptExpression => field == Field::Argument,
            Kind::FieldExpression => outer.operator(self.source) == "->",
            _ => outer.operator(self.source) == "*" && pointer.parent() == Some(outer),
        }
    }

    /// Whether a site of this variable accesses a place, or a part of it, and only uses the value if it reads.
    fn has_site(&self, place: Node<'_>, variable: &Variable, sites: &Places<'_>) -> bool {
        let parts = place.ancestors().take_while(|it| {
            *it == place || matches!(it.kind(), Kind::FieldExpression | Kind::SubscriptExpression)
        });
        let parts = parts.map(|it| {
            let site = sites.get(&(it.start(), it.end()));
            let site = site.filter(|it| it.variable == variable.name)?;
            Some((it, site.kind))
        });
        let found = parts.flatten().next();
        found.is_some_and(|(part, kind)| match kind {
            SiteKind::Read => {
                let mut around = part.ancestors().skip(1).skip_while(|it| {
                    let kinds = [Kind::ParenthesizedExpression, Kind::ConditionalExpression];
                    kinds.contains(&it.kind())
                });
                // A function that returns a reference would not read.
                let is_returned = around.next().is_some_and(|it| it.is(Kind::ReturnStatement));
                is_returned || self.is_value_used(part, variable)
            }
            _ => kind != SiteKind::Call,
        })
    }

    fn is_to_constants(&self, descriptor: Node<'_>) -> bool {
        has_const(descriptor, self.source) && !self.text(descriptor).contains('&')
    }

    /// Whether a declarator with a value declares a pointer to constants.
    fn declares_pointer_to_constants(&self, declarator: Node<'_>) -> bool {
        let is_pointer = declarator
            .child(Field::Declarator)
            .is_some_and(|it| it.is(Kind::PointerDeclarator));
        let declaration = declarator.parent().filter(|it| it.is(Kind::Declaration));
        is_pointer && declaration.is_some_and(|it| has_const(it, self.source))
    }

    /// Whether a call only reads what an argument points to: it gets a pointer to constants.
    fn only_reads(&self, call: Node<'_>, index: usize) -> bool {
        let callee = call.child(Field::Function);
        let callee = callee.filter(|it| call.is(Kind::CallExpression) && it.is(Kind::Identifier));
        let Some(name) = callee
            .map(|it| self.text(it))
            .filter(|it| !self.is_macro(it))
        else {
            return false;
        };
        let Some(functions) = self.facts.functions.get(name) else {
            return meaning(name) == Some(Meaning::HintedLoad);
        };
        functions.iter().all(|it| {
            let parameter = it.parameter(index);
            parameter.is_some_and(|it| it.constant && it.pointer && !it.reference)
        })
    }

    /// The places at which a body casts away that a parameter points to constants.
    fn casts_of_constants(&self, constants: &[&str], body: Node<'_>) -> Vec<Access> {
        let mut found = Vec::new();
        for node in body.descendants() {
            let (target, value) = match node.kind() {
                Kind::CastExpression => (node.child(Field::Type), node.child(Field::Value)),
                Kind::CallExpression => {
                    let callee = node.child(Field::Function);
                    let name = callee.map_or(String::new(), |it| split_name(it, self.source).0);
                    if name == "const_cast" {
                        found.push(Access {
                            root: Root::Other(String::new()),
                            ..escape(node.range(), "")
                        });
                        continue;
                    }
                    // `(T)(a)` looks like a call if `T` is a name.
                    let other = callee.filter(|it| it.is(Kind::ParenthesizedExpression));
                    let target = callee.filter(|_| is_named_cast(&name));
                    (
                        target.and_then(Node::named_cast_type).or(other),
                        node.child(Field::Arguments),
                    )
                }
                _ => continue,
            };
            let (Some(target), Some(value)) = (target, value) else {
                continue;
            };
            let target = self.text(target);
            if target.contains("const") {
                continue;
            }
            // An alias of a pointer type, or a number that may hold the pointer.
            let pointer = target.contains(['*', '&']);
            let escaping = value.descendants().filter(|it| {
                let named = it.is(Kind::Identifier) && constants.contains(&self.text(*it));
                named && (pointer || !self.is_dereferenced(*it, value))
            });
            found.extend(escaping.map(|it| escape(it.range(), self.text(it))));
        }
        found
    }

    /// Whether `name` is dereferenced: `name[i]`, `name->x`, `*name`.
    fn is_dereferenced(&self, name: Node<'_>, within: Node<'_>) -> bool {
        let Some(parent) = name.parent().filter(|_| name != within) else {
            return false;
        };
        let element = match parent.kind() {
            Kind::SubscriptExpression | Kind::FieldExpression => name.field() == Field::Argument,
            Kind::PointerExpression => parent.operator(self.source) == "*",
            _ => false,
        };
        let around = parent.parent().filter(|_| parent != within);
        element && !around.is_some_and(|it| it.is_address(self.source))
    }
}

fn escape(range: std::ops::Range<usize>, parameter: &str) -> Access {
    Access {
        range,
        kind: AccessKind::Escape,
        root: Root::Parameter(parameter.to_owned()),
    }
}
