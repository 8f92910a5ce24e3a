//! How a kernel uses its shared variables.

use std::collections::{HashMap, HashSet};

use hirace_ir::function::Root;
use hirace_ir::{Access, AccessKind};
use hirace_syntax::names::{is_atomic, meaning, takes_numbers};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::declarators;

use crate::rewrite::context::Rewriter;
use crate::rewrite::names::{is_intrinsic, is_scalar};

/// A shared variable that a kernel names, or a local one.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(super) type_text: String,
    rank: usize,
    /// Whether its reads may be stable: its size is static, and it is not volatile.
    pub(in crate::rewrite) is_static: bool,
    /// The position of its name in its declaration.
    declared: Option<usize>,
}

impl Variable {
    /// A local variable that is a number.
    pub(crate) fn number(name: &str, type_text: &str) -> Self {
        Self {
            name: name.to_owned(),
            type_text: type_text.to_owned(),
            rank: 0,
            is_static: true,
            declared: None,
        }
    }
}

/// The numbers of hooks by their places; none where there are two.
type Hooks = HashMap<(usize, usize), Option<usize>>;

/// An access to a shared variable.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) access: Access,
    /// The number of its hook, if it is a load of a variable whose reads may be stable.
    pub(super) hook: Option<usize>,
}

impl Rewriter<'_> {
    /// All shared variables that `body` declares or names. None if one of them cannot be analysed.
    pub(super) fn shared_variables(&self, body: Node<'_>) -> Option<Vec<Variable>> {
        let mut all: Vec<Variable> = Vec::new();
        for node in body.descendants() {
            let name = self.text(node);
            if node.is(Kind::Identifier) && self.is_shared_at_file_scope(name) {
                if !all.iter().any(|it| it.name == name) {
                    all.push(Variable {
                        name: name.to_owned(),
                        type_text: String::new(),
                        rank: 1,
                        is_static: false,
                        declared: None,
                    });
                }
                continue;
            }
            if !node.is(Kind::Declaration) {
                continue;
            }
            node.child(Field::Declarator)?;
            let qualifiers = self.prepass.qualifiers_of(node);
            if !qualifiers.has(Qualifiers::SHARED) {
                continue;
            }
            let kind = node.child(Field::Type)?;
            let plain = !node.has_storage_class("extern", self.source)
                && !kind.is_class()
                && !node.has_type_qualifier("volatile", self.source);
            for declarator in declarators(node, self.source) {
                let name = declarator.name.filter(|it| it.is(Kind::Identifier))?;
                let rank = declarator.rank();
                all.push(Variable {
                    name: self.text(name).to_owned(),
                    type_text: self.text(kind).to_owned(),
                    rank,
                    is_static: plain && declarator.layers.len() == rank,
                    declared: Some(name.start()),
                });
            }
        }
        // Each name must mean one variable.
        let names: HashSet<&str> = all.iter().map(|it| it.name.as_str()).collect();
        let plain = names.len() == all.len() && !names.iter().any(|it| self.is_macro(it));
        plain.then_some(all)
    }

    fn is_shared_at_file_scope(&self, name: &str) -> bool {
        let mut known = self.facts.variables.get(name).into_iter().flatten();
        known.any(|it| it.binding.dynamic_shared || it.binding.shared)
    }

    /// The accesses to `variables` in a kernel. One that is named in a way that is not understood escapes.
    pub(super) fn uses_of_shared(
        &self,
        node: Node<'_>,
        body: Node<'_>,
        variables: &[Variable],
    ) -> Vec<Use> {
        // Two hooks at one place say nothing about it.
        let mut hooks: Hooks = HashMap::new();
        for (number, it) in self.hooked.iter().enumerate().skip(self.first_hooked) {
            let one = hooks.entry((it.range.start, it.range.end));
            one.and_modify(|it| *it = None).or_insert(Some(number));
        }
        let by_name: HashMap<&str, &Variable> =
            variables.iter().map(|it| (it.name.as_str(), it)).collect();
        let mut uses = Vec::new();
        let mut accounted: HashSet<usize> = variables.iter().filter_map(|it| it.declared).collect();
        for it in body.descendants().filter(|it| it.is_leaf()) {
            let Some(variable) = by_name.get(self.text(it)) else {
                continue;
            };
            if accounted.insert(it.start()) && is_evaluated(it, body) {
                uses.push(self.shared_use(it, body, variable, &hooks));
            }
        }
        // Mentions that the tree does not show count too.
        for (at, word) in self.words_within(node.range()) {
            if by_name.contains_key(word) && !accounted.contains(&at) {
                uses.push(Use {
                    access: Access {
                        range: at..at + word.len(),
                        kind: AccessKind::Escape,
                        root: Root::Shared(word.to_owned()),
                    },
                    hook: None,
                });
            }
        }
        uses
    }

    /// The use of the variable named by `name`.
    fn shared_use(
        &self,
        name: Node<'_>,
        body: Node<'_>,
        variable: &Variable,
        hooks: &Hooks,
    ) -> Use {
        let found = self.element_use(name, body, variable, hooks);
        let (place, kind, hook) = found.unwrap_or((name, AccessKind::Escape, None));
        let is_load = kind == AccessKind::Read && variable.is_static;
        Use {
            access: Access {
                range: place.range(),
                kind,
                root: Root::Shared(variable.name.clone()),
            },
            hook: hook.filter(|_| is_load),
        }
    }

    /// The access to a complete element that a name is a part of, with its hook; none if it is used otherwise.
    fn element_use<'t>(
        &self,
        name: Node<'t>,
        body: Node<'t>,
        variable: &Variable,
        hooks: &Hooks,
    ) -> Option<(Node<'t>, AccessKind, Option<usize>)> {
        if !name.is(Kind::Identifier) || !self.is_in_the_open(name, body) {
            return None;
        }
        let place = element(name, variable.rank, self.source)?;
        let parent = place.parent()?;
        let hooked = match hooks.get(&(place.start(), place.end())) {
            Some(one) => Some((*one)?),
            None => None,
        };
        let is_target = parent.is(Kind::AssignmentExpression) && place.field() == Field::Left;
        let kind = match hooked.map_or("", |it| self.hooked[it].name) {
            "read" | "copy" | "read_argument" if self.is_value_used(place, variable) => {
                AccessKind::Read
            }
            "write" | "write_from" if is_target => AccessKind::Write,
            "update" if is_target || parent.is(Kind::UpdateExpression) => AccessKind::Update,
            "" if self.is_atomic_operand(place, parent) => AccessKind::Atomic,
            _ => return None,
        };
        if matches!(kind, AccessKind::Write | AccessKind::Update) {
            self.is_result_plain(parent, variable)?;
        }
        Some((place, kind, hooked))
    }

    /// Whether no macro is between `node` and the kernel's body: nothing that could move its text.
    fn is_in_the_open(&self, node: Node<'_>, body: Node<'_>) -> bool {
        let is_open = |around: Node<'_>| match around.kind() {
            Kind::Decltype => false,
            Kind::CallExpression => around
                .child(Field::Function)
                .is_some_and(|it| self.is_called_function(it)),
            _ => true,
        };
        let mut between = node.ancestors_within(body).skip(1);
        between.all(is_open) && node.ancestors().any(|it| it == body)
    }

    /// Whether a callee is a function, not an unknown macro.
    pub(super) fn is_called_function(&self, callee: Node<'_>) -> bool {
        match callee.kind() {
            Kind::Identifier => {
                let name = self.text(callee);
                !self.is_macro(name)
                    && (takes_numbers(name)
                        || meaning(name).is_some()
                        || is_intrinsic(name)
                        || name == "printf"
                        || is_scalar(name)
                        || self.facts.functions.contains_key(name)
                        || self.facts.is_type(name))
            }
            Kind::TemplateFunction => callee
                .child(Field::Name)
                .is_some_and(|it| !self.is_macro(self.text(it))),
            Kind::QualifiedIdentifier | Kind::FieldExpression | Kind::PrimitiveType => true,
            _ => false,
        }
    }

    /// Whether `place` is the operand of a CUDA atomic function: `atomicAdd(&place, …)`.
    fn is_atomic_operand(&self, place: Node<'_>, parent: Node<'_>) -> bool {
        let address = parent.is_address(self.source);
        let arguments = parent
            .parent()
            .filter(|it| address && it.is(Kind::ArgumentList));
        let first = arguments.and_then(Node::first_named) == Some(parent);
        let callee = arguments
            .and_then(Node::parent)
            .and_then(|it| it.child(Field::Function))
            .filter(|it| first && it.is(Kind::Identifier));
        callee.is_some_and(|callee| {
            let name = self.text(callee);
            is_atomic(name)
                && !self.facts.functions.contains_key(name)
                && !self.facts.variables.contains_key(name)
                && !self.is_declared_near(place, name)
        })
    }
}

/// The complete element that `name`, a variable of `rank` dimensions, is part of, perhaps with a
/// member of it: `name[i][j].x`.
fn element<'t>(name: Node<'t>, rank: usize, source: &str) -> Option<Node<'t>> {
    let mut node = name;
    let mut subscripts = 0;
    while let Some(parent) = node
        .parent()
        .filter(|it| it.is(Kind::SubscriptExpression) && node.field() == Field::Argument)
    {
        if subscripts == rank {
            return None;
        }
        let indices = parent.child(Field::Indices)?;
        if indices.named_children().count() != 1 {
            return None;
        }
        subscripts += 1;
        node = parent;
    }
    if subscripts != rank {
        return None;
    }
    let member = node
        .parent()
        .filter(|it| it.is(Kind::FieldExpression) && node.field() == Field::Argument);
    match member {
        Some(member) if member.operator(source) == "." => {
            // A method is called on the object itself.
            let called = member
                .parent()
                .is_some_and(|it| it.is(Kind::CallExpression) && member.field() == Field::Function);
            let deeper = member.parent().is_some_and(|it| {
                matches!(it.kind(), Kind::FieldExpression | Kind::SubscriptExpression)
                    && member.field() == Field::Argument
            });
            (!called && !deeper).then_some(member)
        }
        Some(_) => None,
        None => Some(node),
    }
}

/// Whether `node` is not the operand of a `sizeof`.
fn is_evaluated(node: Node<'_>, body: Node<'_>) -> bool {
    let mut around = node.ancestors_within(body);
    !around.any(|it| it.is(Kind::SizeofExpression))
}
