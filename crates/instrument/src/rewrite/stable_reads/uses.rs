//! How a kernel uses its shared variables, and its block barriers.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::declarators;

use crate::rewrite::context::{Hooked, Rewriter};
use crate::rewrite::names::cuda::{BLOCK_BARRIERS, is_atomic, takes_numbers};
use crate::rewrite::names::{is_intrinsic, is_scalar};

/// A shared variable that a kernel names.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) type_text: String,
    rank: usize,
    /// Whether its reads may be stable: its size is static, and it is not volatile.
    pub(super) is_static: bool,
    /// The position of its name in its declaration.
    declared: Option<usize>,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UseKind {
    Load,
    /// A store, an update or an atomic.
    Change,
}

/// An access to a shared variable.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The position of the variable's name.
    pub(super) at: usize,
    pub(super) kind: UseKind,
    pub(super) variable: usize,
    pub(super) hooked: Option<Hooked>,
}

/// A block barrier in a statement of its own.
#[derive(Clone, Debug)]
pub(super) struct Barrier {
    /// Start of the statement.
    pub(super) statement: usize,
    pub(super) call: Range<usize>,
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

    /// The accesses to `variables` in a kernel, in order of position. None if one is named in any
    /// other way.
    pub(super) fn uses_of_shared(
        &self,
        node: Node<'_>,
        body: Node<'_>,
        variables: &[Variable],
    ) -> Option<Vec<Use>> {
        let mut hooks: HashMap<(usize, usize), Option<&Hooked>> = HashMap::new();
        for it in &self.hooked {
            let same = hooks.insert((it.range.start, it.range.end), Some(it));
            if same.is_some() {
                hooks.insert((it.range.start, it.range.end), None);
            }
        }
        let mut uses = Vec::new();
        let mut accounted = HashSet::new();
        for (index, variable) in variables.iter().enumerate() {
            accounted.extend(variable.declared);
            for it in body.descendants() {
                if self.text(it) != variable.name || it.first_named().is_some() {
                    continue;
                }
                if Some(it.start()) == variable.declared || accounted.contains(&it.start()) {
                    continue;
                }
                if !is_evaluated(it, body) {
                    accounted.insert(it.start());
                    continue;
                }
                let (kind, hooked) = self.shared_use(it, body, variable, &hooks)?;
                accounted.insert(it.start());
                uses.push(Use {
                    at: it.start(),
                    kind,
                    variable: index,
                    hooked,
                });
            }
        }
        // Mentions that the tree does not show count too.
        let names: HashSet<&str> = variables.iter().map(|it| it.name.as_str()).collect();
        let all = self
            .words_within(node.range())
            .all(|(at, word)| !names.contains(word) || accounted.contains(&at));
        uses.sort_by_key(|it| it.at);
        all.then_some(uses)
    }

    /// The use of the variable named by `name`.
    fn shared_use(
        &self,
        name: Node<'_>,
        body: Node<'_>,
        variable: &Variable,
        hooks: &HashMap<(usize, usize), Option<&Hooked>>,
    ) -> Option<(UseKind, Option<Hooked>)> {
        if !name.is(Kind::Identifier) || !self.is_in_the_open(name, body) {
            return None;
        }
        let place = element(name, variable.rank, self.source)?;
        let parent = place.parent()?;
        let hooked = hooks.get(&(place.start(), place.end())).copied();
        let hook = match hooked {
            Some(access) => access?.name,
            None => "",
        };
        let kind = match hook {
            "read" | "copy" | "read_argument" if self.is_value_used(place, variable) => {
                UseKind::Load
            }
            "write" | "write_from" | "update"
                if parent.is(Kind::AssignmentExpression) && place.field() == Field::Left =>
            {
                self.is_result_plain(parent, variable)?;
                UseKind::Change
            }
            "update" if parent.is(Kind::UpdateExpression) => {
                self.is_result_plain(parent, variable)?;
                UseKind::Change
            }
            "" if self.is_atomic_operand(place, parent) => UseKind::Change,
            _ => return None,
        };
        let kept = kind == UseKind::Load && decides_on_loop(place, body, self.source);
        Some((kind, hooked.flatten().filter(|_| !kept).cloned()))
    }

    /// Whether no lambda, class or macro is between `node` and the kernel's body: nothing that
    /// could move its text or run it at another time.
    fn is_in_the_open(&self, node: Node<'_>, body: Node<'_>) -> bool {
        let is_open = |around: Node<'_>| match around.kind() {
            Kind::LambdaExpression | Kind::FunctionDefinition | Kind::Decltype => false,
            Kind::CallExpression => around
                .child(Field::Function)
                .is_some_and(|it| self.is_called_function(it)),
            _ => !around.is_class(),
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
                        || is_atomic(name)
                        || BLOCK_BARRIERS.has(name)
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

    /// The block barriers in `body`. None if one is not in a statement of its own:
    /// `__syncthreads();`, `n = __syncthreads_count(x);`, `int n = …;`.
    pub(super) fn block_barriers(&self, body: Node<'_>) -> Option<Vec<Barrier>> {
        let mut found = Vec::new();
        for statement in body.descendants() {
            let expression = match statement.kind() {
                Kind::ExpressionStatement => statement.first_named(),
                Kind::Declaration => {
                    let mut declarators = statement.children_in(Field::Declarator);
                    let first = declarators.next();
                    first.filter(|it| it.is(Kind::InitDeclarator) && declarators.next().is_none())
                }
                _ => continue,
            };
            let call = match expression {
                Some(it) if it.is(Kind::AssignmentExpression) => it.child(Field::Right),
                Some(it) if it.is(Kind::InitDeclarator) => it.child(Field::Value),
                other => other,
            };
            let in_block = statement
                .parent()
                .is_none_or(|it| !it.is(Kind::ForStatement));
            if let Some(call) = call.filter(|it| in_block && self.is_block_barrier(*it)) {
                found.push(Barrier {
                    statement: statement.start(),
                    call: call.range(),
                });
            }
        }
        let words = self.words_within(body.range());
        let mentioned = words.filter(|(_, word)| BLOCK_BARRIERS.has(word));
        (mentioned.count() == found.len()).then_some(found)
    }

    fn is_block_barrier(&self, call: Node<'_>) -> bool {
        let callee = call
            .child(Field::Function)
            .filter(|it| call.is(Kind::CallExpression) && it.is(Kind::Identifier));
        callee.is_some_and(|callee| {
            let name = self.text(callee);
            BLOCK_BARRIERS.has(name)
                && !self.is_macro(name)
                && !self.facts.functions.contains_key(name)
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

/// Whether the value of `node` decides whether a loop continues. A thread that polls a location
/// which is no longer written is found by its checks.
fn decides_on_loop(node: Node<'_>, body: Node<'_>, source: &str) -> bool {
    let waits = |it: Node<'_>| it.text(source).contains("__syncthreads");
    let mut inner = node;
    while let Some(around) = inner.parent().filter(|_| inner != body) {
        let condition = inner.field() == Field::Condition;
        match around.kind() {
            // A loop with a barrier in each round does not poll.
            Kind::WhileStatement | Kind::DoStatement => return condition && !waits(around),
            // A loop with an update terminates by itself.
            Kind::ForStatement => return condition && around.child(Field::Update).is_none(),
            Kind::IfStatement if condition => {
                return around
                    .descendants()
                    .any(|it| matches!(it.kind(), Kind::BreakStatement | Kind::ReturnStatement));
            }
            Kind::CompoundStatement | Kind::ExpressionStatement | Kind::Declaration => {
                return false;
            }
            _ => inner = around,
        }
    }
    false
}
