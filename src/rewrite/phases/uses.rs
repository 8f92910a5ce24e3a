//! What a kernel does with its shared variables, and where it waits for its block.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::parse::qualifier::Qualifiers;
use crate::parse::tree::{Field, Kind, Node};
use crate::parse::view::{Declarator, split_name};
use crate::rewrite::calls::is_atomic;
use crate::rewrite::classify::{bare_name, is_vector, named_cast_type, operator};
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::is_class;
use crate::rewrite::scope::is_scalar;

use super::Hooked;
use super::text::{function_around, takes_numbers};

/// A shared variable that a kernel names.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) type_text: String,
    rank: usize,
    /// Whether its reads may be stable: of static size, and not volatile.
    pub(super) is_static: bool,
    /// Where its name stands in its declaration.
    declared: Option<usize>,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UseKind {
    Load,
    /// A store, an update, an atomic.
    Change,
}

/// An access to a shared variable.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// Where the variable's name stands.
    pub(super) at: usize,
    pub(super) kind: UseKind,
    pub(super) variable: usize,
    pub(super) hooked: Option<Hooked>,
}

/// A barrier for the block, in a statement of its own.
#[derive(Clone, Debug)]
pub(super) struct Barrier {
    /// Start of the statement.
    pub(super) statement: usize,
    pub(super) call: Range<usize>,
}

/// The barriers for the whole block.
pub(super) const BLOCK_BARRIERS: [&str; 4] = [
    "__syncthreads",
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
];

impl Rewriter<'_> {
    /// All shared variables that `body` declares or names. None where one is not understood.
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
            let first = node.child(Field::Declarator)?;
            let qualifiers = self.prepass.qualifiers(node.start(), first.start());
            if !qualifiers.has(Qualifiers::SHARED) {
                continue;
            }
            let kind = node.child(Field::Type)?;
            let plain = !self.says(node, "extern")
                && !is_class(kind.kind())
                && !node
                    .children()
                    .any(|it| it.is(Kind::TypeQualifier) && self.text(it) == "volatile");
            for outer in node.children_in(Field::Declarator) {
                let declarator = Declarator::of(outer, self.source);
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
        // One name, one variable.
        let names: HashSet<&str> = all.iter().map(|it| it.name.as_str()).collect();
        let plain = names.len() == all.len() && !names.iter().any(|it| self.is_macro(it));
        plain.then_some(all)
    }

    fn is_shared_at_file_scope(&self, name: &str) -> bool {
        let known = self.facts.variables.get(name).into_iter().flatten();
        known
            .into_iter()
            .any(|it| it.binding.dynamic_shared || it.binding.shared)
    }

    /// The accesses to `variables` in a kernel, in order of position. None where one is named
    /// in any other way.
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
        // Also what the tree does not show is a mention.
        let names: HashSet<&str> = variables.iter().map(|it| it.name.as_str()).collect();
        let all = self
            .words_within(node.range())
            .all(|(at, word)| !names.contains(word) || accounted.contains(&at));
        uses.sort_by_key(|it| it.at);
        all.then_some(uses)
    }

    /// What is done to the variable named by `name`.
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
            Some(one) => one?.name,
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
        Some((kind, hooked.flatten().cloned()))
    }

    /// Whether no lambda, class or macro is between `node` and the kernel's body: nothing that
    /// could put its text elsewhere or run it at another time.
    fn is_in_the_open(&self, node: Node<'_>, body: Node<'_>) -> bool {
        let mut next = node.parent();
        while let Some(around) = next.filter(|it| *it != body) {
            let closed = match around.kind() {
                Kind::LambdaExpression | Kind::FunctionDefinition | Kind::Decltype => true,
                Kind::CallExpression => around
                    .child(Field::Function)
                    .is_none_or(|it| !self.is_called_function(it)),
                kind => is_class(kind),
            };
            if closed {
                return false;
            }
            next = around.parent();
        }
        next.is_some()
    }

    /// Whether a callee is a function, not a macro that nobody has seen.
    pub(super) fn is_called_function(&self, callee: Node<'_>) -> bool {
        match callee.kind() {
            Kind::Identifier => {
                let name = self.text(callee);
                !self.is_macro(name)
                    && (takes_numbers(name)
                        || is_atomic(name)
                        || BLOCK_BARRIERS.contains(&name)
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

    /// Whether all that is done with the lvalue `node` is to use its value.
    fn is_value_used(&self, node: Node<'_>, variable: &Variable) -> bool {
        let Some(parent) = node.parent() else {
            return false;
        };
        let field = node.field();
        match parent.kind() {
            Kind::ParenthesizedExpression => {
                // A condition, or an operand.
                let alone = parent.parent().is_some_and(|it| {
                    it.is(Kind::DoStatement) && parent.field() == Field::Condition
                });
                alone || self.is_value_used(parent, variable)
            }
            Kind::ConditionClause => true,
            Kind::ForStatement => field == Field::Condition,
            Kind::BinaryExpression | Kind::UnaryExpression => {
                let sign = operator(parent, self.source);
                // A stream would take what stands at its right by reference.
                let from_stream = matches!(sign, "<<" | ">>") && field == Field::Right;
                !from_stream && !self.may_bind(sign)
            }
            Kind::SubscriptArgumentList => {
                parent.named_children().count() == 1 && !self.may_bind("[]")
            }
            Kind::AssignmentExpression => {
                field == Field::Right && !self.may_bind(operator(parent, self.source))
            }
            Kind::ConditionalExpression => {
                field == Field::Condition || self.is_value_used(parent, variable)
            }
            Kind::CastExpression => {
                field == Field::Value
                    && parent
                        .child(Field::Type)
                        .is_some_and(|it| self.is_number(it))
            }
            Kind::ArgumentList => parent.parent().is_some_and(|it| self.takes_value(it)),
            Kind::InitDeclarator => {
                let declaration = parent.parent().filter(|it| it.is(Kind::Declaration));
                let plain = Declarator::of(parent, self.source).layers.is_empty();
                field == Field::Value
                    && plain
                    && declaration
                        .and_then(|it| it.child(Field::Type))
                        .is_some_and(|it| self.is_object_type(it, variable))
            }
            _ => false,
        }
    }

    /// Whether the lvalue that an assignment gives back is dropped, or its value used.
    fn is_result_plain(&self, node: Node<'_>, variable: &Variable) -> Option<()> {
        let parent = node.parent()?;
        let dropped = match parent.kind() {
            Kind::ExpressionStatement => true,
            Kind::ForStatement => matches!(node.field(), Field::Update | Field::Initializer),
            Kind::CommaExpression => return self.is_result_plain(parent, variable),
            _ => false,
        };
        (dropped || self.is_value_used(node, variable)).then_some(())
    }

    /// Whether a type's name is surely not that of a reference.
    fn is_object_type(&self, node: Node<'_>, variable: &Variable) -> bool {
        let text = self.text(node);
        !self.is_macro(text)
            && (is_scalar(text)
                || text == "auto"
                || (is_vector(bare_name(text)) && !self.facts.is_type(bare_name(text)))
                // There are no arrays of references.
                || text == variable.type_text)
    }

    /// Whether a type descriptor is that of a number.
    fn is_number(&self, descriptor: Node<'_>) -> bool {
        let text = descriptor.child(Field::Type).map_or("", |it| self.text(it));
        descriptor.child(Field::Declarator).is_none() && is_scalar(text) && !self.is_macro(text)
    }

    /// Whether a call takes all its arguments by value.
    fn takes_value(&self, call: Node<'_>) -> bool {
        let Some(callee) = call
            .child(Field::Function)
            .filter(|_| call.is(Kind::CallExpression))
        else {
            return false;
        };
        if let Some(descriptor) = named_cast_type(callee) {
            let (name, _) = split_name(callee, self.source);
            return name == "static_cast" && self.is_number(descriptor);
        }
        let name = self.text(callee);
        match callee.kind() {
            Kind::PrimitiveType => true,
            Kind::Identifier => {
                (takes_numbers(name) || is_scalar(name) || BLOCK_BARRIERS.contains(&name))
                    && !self.is_macro(name)
                    && !self.facts.functions.contains_key(name)
                    && !self.is_declared_near(call, name)
            }
            _ => false,
        }
    }

    /// Whether the function around `node` names something `name` that it does not call.
    fn is_declared_near(&self, node: Node<'_>, name: &str) -> bool {
        function_around(node).descendants().any(|it| {
            it.is(Kind::Identifier)
                && self.text(it) == name
                && it.parent().is_none_or(|it| !it.is(Kind::CallExpression))
        })
    }

    /// Whether an operator of the project may take its operand by reference, to change it.
    fn may_bind(&self, sign: &str) -> bool {
        let all = self.facts.functions.get(&format!("operator{sign}"));
        all.into_iter()
            .flatten()
            .flat_map(|it| &it.parameters)
            .any(|it| it.reference && !it.constant)
    }

    /// Whether `place` is what an atomic function of CUDA works on: `atomicAdd(&place, …)`.
    fn is_atomic_operand(&self, place: Node<'_>, parent: Node<'_>) -> bool {
        let address = parent.is(Kind::PointerExpression) && operator(parent, self.source) == "&";
        let arguments = parent
            .parent()
            .filter(|it| address && it.is(Kind::ArgumentList));
        let first = arguments.and_then(Node::first_named) == Some(parent);
        let callee = arguments
            .and_then(Node::parent)
            .and_then(|it| it.child(Field::Function))
            .filter(|it| first && it.is(Kind::Identifier));
        callee.is_some_and(|it| {
            let name = self.text(it);
            is_atomic(name)
                && !self.facts.functions.contains_key(name)
                && !self.is_declared_near(place, name)
        })
    }

    /// The barriers for the block in `body`. None where one is anywhere but in a statement of
    /// its own: `__syncthreads();`, `n = __syncthreads_count(x);`, `int n = …;`.
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
        let mentioned = words.filter(|(_, word)| BLOCK_BARRIERS.contains(word));
        (mentioned.count() == found.len()).then_some(found)
    }

    fn is_block_barrier(&self, call: Node<'_>) -> bool {
        let callee = call
            .child(Field::Function)
            .filter(|it| call.is(Kind::CallExpression) && it.is(Kind::Identifier));
        callee.is_some_and(|it| {
            let name = self.text(it);
            BLOCK_BARRIERS.contains(&name)
                && !self.is_macro(name)
                && !self.facts.functions.contains_key(name)
        })
    }
}

/// The complete element of the variable of `rank` dimensions that `name` stands for, perhaps
/// with a member of it: `name[i][j].x`.
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
        Some(member) if operator(member, source) == "." => {
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
    let mut next = node.parent();
    while let Some(around) = next.filter(|it| *it != body) {
        if around.is(Kind::SizeofExpression) {
            return false;
        }
        next = around.parent();
    }
    true
}

/// Whether `name` is spelled as CUDA's own functions are, such as `__popc`.
fn is_intrinsic(name: &str) -> bool {
    let rest = name.strip_prefix("__").unwrap_or("");
    rest.starts_with(|it: char| it.is_ascii_lowercase())
}
