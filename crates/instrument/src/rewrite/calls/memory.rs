//! Calls of functions that access the objects that their arguments point to: atomic functions,
//! loads and stores with a cache hint, functions of bytes.

use super::NamedCall;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::is_scalar;
use crate::rewrite::result_use::result_use;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};

/// Functions of the C library that work on bytes, and how they access the objects that their first
/// arguments point to.
const BYTES: [(&str, &[SiteKind]); 4] = [
    ("memcpy", &[SiteKind::Write, SiteKind::Read]),
    ("memmove", &[SiteKind::Write, SiteKind::Read]),
    ("memset", &[SiteKind::Write]),
    ("memcmp", &[SiteKind::Read, SiteKind::Read]),
];

impl Rewriter<'_> {
    /// An atomic function; false if the call means a function of the user. `others` says how it accesses
    /// what the arguments after the first point to.
    pub(super) fn atomic(&mut self, call: NamedCall<'_>, others: &[Role]) -> bool {
        let NamedCall {
            callee,
            arguments,
            name,
            ..
        } = call;
        let target = arguments.first_named();
        if self.is_users_atomic(call, target) {
            return false;
        }
        let Some(target) = target else { return false };
        let addressed = target.child(Field::Argument);
        let addressed = addressed.filter(|_| target.is_address(self.source));
        let place = addressed.unwrap_or(target);
        let variable = self.root(place);
        if let Some(id) = self.access_site(SiteKind::Atomic, place.range(), &variable) {
            if let Some(call) = callee.parent() {
                self.sites.last_result(result_use(call, self.source));
            }
            let hook = name.trim_start_matches('_');
            let takes = callee.parent().is_some_and(|it| self.takes_lock(it, hook));
            let space = if takes { "taking_lock::" } else { "" };
            self.replace(callee.range(), format!("::hirace::{space}{hook}"));
            self.edits.open(arguments.start() + 1, format!("{id}, "));
        }
        self.expression(target, Role::Load);
        let mut others = others.iter();
        for argument in arguments.named_children().skip(1) {
            match others.next() {
                Some(role) => self.pointed_to(argument, *role),
                None => self.expression(argument, Role::Load),
            }
        }
        true
    }

    /// Whether a call looks like an attempt to take a lock: its result decides whether a loop goes on, or a branch in
    /// a function that exchanges the value again.
    fn takes_lock(&self, call: Node<'_>, name: &str) -> bool {
        let exchanges =
            |name: &str| name.starts_with("atomicCAS") || name.starts_with("atomicExch");
        let in_condition = |it: &Node<'_>| {
            it.field() == Field::Condition
                || it.parent().is_some_and(|it| it.is(Kind::ConditionClause))
        };
        let is_part = |it: &Node<'_>| {
            matches!(
                it.kind(),
                Kind::BinaryExpression | Kind::UnaryExpression | Kind::ParenthesizedExpression
            )
        };
        let mut inner = Some(call);
        while let Some(node) = inner.filter(|it| !in_condition(it)) {
            inner = node.parent().filter(is_part);
        }
        let statement = inner.and_then(|it| it.ancestors().find(|it| it.is_statement()));
        let Some(statement) = statement.filter(|_| exchanges(name)) else {
            return false;
        };
        statement.is_loop() || self.is_exchanged_again(call)
    }

    /// Whether the function around an atomic call exchanges the same object by another one.
    fn is_exchanged_again(&self, call: Node<'_>) -> bool {
        let object = |it: Node<'_>| {
            let arguments = it.child(Field::Arguments)?;
            Some(self.text(arguments.first_named()?).to_owned())
        };
        let own = object(call);
        call.enclosing_definition()
            .descendants_of(Kind::CallExpression)
            .any(|it| {
                it != call && it.text(self.source).starts_with("atomicExch") && object(it) == own
            })
    }

    /// `memcpy(to, from, n)` and relatives; false for any other call.
    pub(super) fn bytes(&mut self, call: NamedCall<'_>) -> bool {
        let name = call.name.strip_prefix("__builtin_").unwrap_or(call.name);
        let Some((name, kinds)) = BYTES.iter().find(|(known, _)| *known == name) else {
            return false;
        };
        let given: Vec<Node<'_>> = call.arguments.named_children().collect();
        if given.len() != 3 || !self.users_functions(call).is_empty() {
            return false;
        }
        let mut ids = String::new();
        for (kind, place) in kinds.iter().zip(&given) {
            let variable = self.root(*place);
            if let Some(id) = self.access_site(*kind, place.range(), &variable) {
                ids.push_str(&id);
                ids.push_str(", ");
            }
        }
        // If one side is not monitored, the other cannot have a hook.
        if ids.matches(',').count() == kinds.len() {
            self.replace(call.callee.range(), format!("::hirace::{name}"));
            self.edits.open(call.arguments.start() + 1, ids);
        }
        self.expressions(call.arguments, Role::Load);
        true
    }

    /// Whether a call means an overload that the project defines.
    fn is_users_atomic(&self, call: NamedCall<'_>, target: Option<Node<'_>>) -> bool {
        let own = self.users_functions(call);
        if own.is_empty() {
            return false;
        }
        // A cast selects the overload: the built-in ones have no `float`.
        let Some(pointee) = target.and_then(|it| self.pointee(it)) else {
            return true;
        };
        !is_scalar(&pointee)
            || own.iter().any(|signature| {
                signature
                    .parameters
                    .first()
                    .is_some_and(|it| it.type_text == pointee || !is_scalar(&it.type_text))
            })
    }

    /// The type that a pointer expression points to, if its text shows it.
    pub(super) fn pointee(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            Kind::CastExpression => {
                let kind = node.child(Field::Type)?.child(Field::Type)?;
                Some(self.text(kind).to_owned())
            }
            Kind::CallExpression => {
                let kind = node
                    .child(Field::Function)?
                    .named_cast_type()?
                    .child(Field::Type)?;
                Some(self.text(kind).to_owned())
            }
            Kind::ParenthesizedExpression => self.pointee(node.first_named()?),
            Kind::PointerExpression | Kind::BinaryExpression | Kind::SubscriptExpression => {
                let inner = node
                    .child(Field::Argument)
                    .or_else(|| node.child(Field::Left))?;
                self.pointee(inner)
            }
            Kind::Identifier | Kind::QualifiedIdentifier => {
                let binding = self.binding(node)?;
                (!binding.type_text.is_empty() && binding.type_text != "auto")
                    .then_some(binding.type_text)
            }
            Kind::FieldExpression => Some(self.field(node)?.binding.type_text.clone()),
            _ => None,
        }
    }

    /// `__ldg(&a[i])` or `__ldg(p)`: the hook goes around the pointed-to object.
    pub(super) fn hinted(&mut self, arguments: Node<'_>, role: Role) {
        let mut arguments = arguments.named_children();
        if let Some(pointer) = arguments.next() {
            self.pointed_to(pointer, role);
        }
        arguments.for_each(|it| self.expression(it, Role::Load));
    }

    /// The object that the pointer `argument` points to is used as `role` says.
    pub(super) fn pointed_to(&mut self, argument: Node<'_>, role: Role) {
        if argument.is_address(self.source) {
            if let Some(place) = argument.child(Field::Argument) {
                self.expression(place, role);
            }
            return;
        }
        let variable = self.root(argument);
        let (kind, hook) = match role {
            Role::Store => (SiteKind::Write, "write"),
            Role::Update => (SiteKind::Update, "update"),
            _ => (SiteKind::Read, "copy"),
        };
        let id = self.access_site(kind, argument.range(), &variable);
        if let Some(id) = &id {
            self.edits
                .open(argument.start(), format!("&::hirace::{hook}({id}, *("));
        }
        self.expression(argument, Role::Load);
        if id.is_some() {
            self.edits.close(argument.end(), "))");
        }
    }
}
