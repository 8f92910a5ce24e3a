//! Calls: what the callee does with its arguments.

use crate::model::SiteKind;
use crate::parse::tree::{Field, Kind, Node};
use crate::parse::view::{is_reference_type, split_name};

use super::classify::{is_named_cast, named_cast_type, operator, passes_through};
use super::context::{Rewriter, Role};
use super::facts::ParameterFact;
use super::scope::{LambdaFact, is_scalar};

/// The atomic functions of CUDA, without `_block` and `_system`.
const ATOMICS: [&str; 11] = [
    "atomicAdd",
    "atomicSub",
    "atomicExch",
    "atomicMin",
    "atomicMax",
    "atomicInc",
    "atomicDec",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
];

/// Loads with a cache hint: `__ldg(p)` and relatives.
const HINTED_LOADS: [&str; 7] = [
    "__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu", "__nv_ldg",
];

/// Stores with a cache hint: `__stcg(p, v)` and relatives.
const HINTED_STORES: [&str; 4] = ["__stwb", "__stcg", "__stcs", "__stwt"];

/// Functions whose work on memory the hooks do not see.
const UNSEEN: [&str; 5] = ["memcpy", "memset", "memmove", "memcmp", "__builtin_memcpy"];

/// Whether `name` is an atomic function of CUDA.
pub(crate) fn is_atomic(name: &str) -> bool {
    let base = name
        .strip_suffix("_block")
        .or_else(|| name.strip_suffix("_system"));
    ATOMICS.contains(&base.unwrap_or(name))
}

impl Rewriter<'_> {
    pub(crate) fn call(&mut self, node: Node<'_>, role: Role) {
        if node.child_of(Kind::KernelCallSyntax).is_some() {
            return self.launch(node);
        }
        let (Some(callee), Some(arguments)) =
            (node.child(Field::Function), node.child(Field::Arguments))
        else {
            return;
        };
        if callee.is(Kind::FieldExpression) {
            return self.method_call(node, callee, arguments, role);
        }
        let (name, scope) = split_name(callee, self.source);
        let known = self.scopes.get(&name).is_some() && scope.is_none();
        if is_named_cast(&name) {
            return self.named_cast(node, callee, arguments, role);
        }
        if !known {
            if is_atomic(&name) && self.atomic(callee, arguments, &name) {
                return;
            }
            if HINTED_LOADS.contains(&name.as_str()) {
                return self.hinted(arguments, Role::Load);
            }
            if HINTED_STORES.contains(&name.as_str()) {
                return self.hinted(arguments, Role::Store);
            }
            if UNSEEN.contains(&name.as_str()) {
                let reason = format!("`{name}` reads and writes memory without hooks");
                self.sites.not_monitored(node.start(), reason);
            }
            if let Some(known) = self
                .facts
                .macro_use(&name, true)
                .filter(|_| scope.is_none())
            {
                return self.macro_call(node, &name, known, arguments, role);
            }
        }
        if known && callee.is(Kind::TemplateFunction) {
            // `i < n && j > (m)` taken for a call of `i<…>`.
            for child in callee
                .child(Field::Arguments)
                .into_iter()
                .flat_map(Node::named_children)
            {
                if !child.is(Kind::TypeDescriptor) {
                    self.expression(child, Role::Load);
                }
            }
            return self.arguments(arguments, |_, _| Role::Load);
        }
        // `std::move(x)` is an access of `x` in what is done with it.
        let same = scope.is_some() && matches!(name.as_str(), "move" | "as_const" | "forward");
        let opened = !same && self.open_access(node, role);
        match callee.kind() {
            Kind::Identifier
            | Kind::QualifiedIdentifier
            | Kind::TemplateFunction
            | Kind::PrimitiveType
            | Kind::TypeIdentifier => {}
            Kind::ParenthesizedExpression
                if callee.first_named().is_some_and(|it| {
                    it.is(Kind::Identifier) && self.scopes.get(self.text(it)).is_none()
                }) => {}
            _ => self.expression(callee, Role::Base),
        }
        if self.makes_object(callee, &name) {
            let written = self.text(callee);
            // Elsewhere a function may have the name of a type.
            let parameter = self.scopes.get(&name).is_some();
            let target = parameter.then(|| written.to_owned());
            self.constructor_arguments(written, target, arguments);
        } else {
            self.known_arguments(&name, scope.as_deref(), known, arguments, role);
        }
        self.close_access(node, opened);
    }

    /// Whether a call is a type's name with initialisers: `T(x)`.
    fn makes_object(&self, callee: Node<'_>, name: &str) -> bool {
        match callee.kind() {
            Kind::PrimitiveType | Kind::TypeIdentifier => true,
            Kind::Identifier => match self.scopes.get(name) {
                Some(binding) => binding.type_text == "typename",
                None => is_scalar(name) || self.facts.is_type(name),
            },
            Kind::TemplateFunction | Kind::QualifiedIdentifier => {
                self.scopes.get(name).is_none() && self.facts.is_type(name)
            }
            _ => false,
        }
    }

    /// Arguments of a call by name.
    fn known_arguments(
        &mut self,
        name: &str,
        scope: Option<&str>,
        known: bool,
        arguments: Node<'_>,
        role: Role,
    ) {
        let from_library = matches!(scope, Some("std" | "thrust"));
        if (passes_through(name) && scope.is_some())
            || matches!(
                name,
                "swap" | "exchange" | "addressof" | "ref" | "cref" | "tie"
            ) && (from_library || self.candidates(name, 2).is_empty())
            || matches!(name, "__builtin_addressof" | "__builtin_object_size")
        {
            if matches!(name, "move" | "as_const") {
                return self.arguments(arguments, |_, _| role);
            }
            if name == "forward" {
                // Passed on, it stands for the object itself.
                let passed = arguments.parent().and_then(Node::parent).is_some_and(|it| {
                    matches!(it.kind(), Kind::ArgumentList | Kind::ParameterPackExpansion)
                });
                let role = if passed { Role::Locate } else { role };
                return self.arguments(arguments, |_, _| role);
            }
            if matches!(name, "swap" | "exchange") {
                return self.swap(arguments, if name == "swap" { 2 } else { 1 });
            }
            return self.arguments(arguments, |_, _| Role::Locate);
        }
        if known {
            let lambda = self.scopes.get(name).and_then(|it| it.lambda.clone());
            if let Some(LambdaFact { parameters, .. }) = lambda {
                return self.arguments(arguments, |_, index| {
                    let parameter = parameters.get(index).or_else(|| parameters.last());
                    parameter.map_or(Role::Load, |it| role_of(std::iter::once((it, true))))
                });
            }
            return self.arguments_of("operator()", arguments);
        }
        self.arguments_of(name, arguments);
    }

    /// `std::swap(a[i], a[j])`, `std::exchange(a[i], v)`: read and written.
    fn swap(&mut self, arguments: Node<'_>, places: usize) {
        self.arguments(arguments, |_, index| {
            if index < places {
                Role::Update
            } else {
                Role::Load
            }
        });
    }

    /// Arguments of a call of any of the known functions called `name`.
    pub(crate) fn arguments_of(&mut self, name: &str, arguments: Node<'_>) {
        let count = arguments.named_children().count();
        let roles: Vec<Role> = {
            let candidates = self.candidates(name, count);
            (0..count)
                .map(|index| {
                    role_of(candidates.iter().filter_map(|it| {
                        it.parameter(index).map(|parameter| (parameter, it.defined))
                    }))
                })
                .collect()
        };
        // CUDA's own functions take their arguments by value.
        let unknown = self.candidates(name, count).is_empty() && !name.starts_with("__");
        self.arguments(arguments, |_, index| match roles.get(index) {
            _ if unknown => Role::Argument,
            Some(role) => *role,
            None => Role::Load,
        });
    }

    fn arguments(&mut self, arguments: Node<'_>, role: impl Fn(&Self, usize) -> Role) {
        for (index, argument) in arguments.named_children().enumerate() {
            let role = role(self, index);
            self.expression(argument, role);
        }
    }

    fn method_call(&mut self, node: Node<'_>, callee: Node<'_>, arguments: Node<'_>, role: Role) {
        let method = callee
            .child(Field::Member)
            .map(|it| split_name(it, self.source).0);
        let method = method.unwrap_or_default();
        if method == "sync" && self.group_sync(node, callee, arguments) {
            return;
        }
        let opened = self.open_access(node, role);
        let arrow = operator(callee, self.source) == "->";
        if let Some(object) = callee.child(Field::Argument) {
            self.expression(object, if arrow { Role::Base } else { Role::Locate });
        }
        self.arguments_of(&method, arguments);
        self.close_access(node, opened);
    }

    fn named_cast(&mut self, node: Node<'_>, callee: Node<'_>, arguments: Node<'_>, role: Role) {
        let reference =
            named_cast_type(callee).is_some_and(|it| is_reference_type(it, self.source));
        let Some(value) = arguments.first_named() else {
            return;
        };
        if reference {
            let opened = self.open_access(node, role);
            self.expression(value, Role::Locate);
            self.close_access(node, opened);
            return;
        }
        if self.is_dynamic_shared(value) {
            self.edits.open(value.start(), "+");
        }
        self.expression(value, Role::Load);
    }

    /// An atomic function; false if the call means one of the user's own.
    fn atomic(&mut self, callee: Node<'_>, arguments: Node<'_>, name: &str) -> bool {
        let count = arguments.named_children().count();
        let target = arguments.first_named();
        if self.is_users_atomic(name, count, target) {
            return false;
        }
        let Some(target) = target else { return false };
        let (place, variable) =
            if target.is(Kind::PointerExpression) && operator(target, self.source) == "&" {
                let inner = target.child(Field::Argument).unwrap_or(target);
                (inner, self.root(inner))
            } else {
                (target, self.root(target))
            };
        if self
            .options
            .selection
            .monitors(&self.enclosing.name, &variable)
            && let Some(id) = self.site(SiteKind::Atomic, place.range(), &variable)
        {
            self.edits
                .replace(self.source, callee.range(), format!("::hirace::{name}"));
            self.edits.open(arguments.start() + 1, format!("{id}, "));
        }
        self.arguments(arguments, |_, _| Role::Load);
        true
    }

    /// Whether a call of `name` means an overload that the project defines.
    fn is_users_atomic(&self, name: &str, count: usize, target: Option<Node<'_>>) -> bool {
        let own = self.candidates(name, count);
        if own.is_empty() {
            return false;
        }
        // A cast says which overload is meant: the built-in ones have no `float`.
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

    /// The type a pointer expression points to, where its text shows it.
    fn pointee(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            Kind::CastExpression => {
                let kind = node.child(Field::Type)?.child(Field::Type)?;
                Some(self.text(kind).to_owned())
            }
            Kind::CallExpression => {
                let kind = named_cast_type(node.child(Field::Function)?)?.child(Field::Type)?;
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
    fn hinted(&mut self, arguments: Node<'_>, role: Role) {
        for (index, argument) in arguments.named_children().enumerate() {
            if index > 0 {
                self.expression(argument, Role::Load);
                continue;
            }
            if argument.is(Kind::PointerExpression) && operator(argument, self.source) == "&" {
                if let Some(place) = argument.child(Field::Argument) {
                    self.expression(place, role);
                }
                continue;
            }
            let variable = self.root(argument);
            let kind = if role == Role::Load {
                SiteKind::Read
            } else {
                SiteKind::Write
            };
            let hook = if role == Role::Load { "read" } else { "write" };
            let wanted = self
                .options
                .selection
                .monitors(&self.enclosing.name, &variable);
            let id = if wanted {
                self.site(kind, argument.range(), &variable)
            } else {
                None
            };
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
}

/// What a call does with an argument, given the parameters it may bind to.
///
/// Where overloads differ the answer errs towards no false alarm: an argument
/// that may be bound to a plain reference is not an access at the call.
fn role_of<'a>(parameters: impl Iterator<Item = (&'a ParameterFact, bool)>) -> Role {
    let (mut by_value, mut by_const, mut by_reference) = (false, false, false);
    for (parameter, defined) in parameters {
        match (parameter.reference, parameter.constant) {
            (false, _) => by_value = true,
            // Without a body at hand nobody hooks the loads in it.
            (true, true) if !defined => by_value = true,
            (true, true) => by_const = true,
            (true, false) => by_reference = true,
        }
    }
    if by_reference || (by_const && !by_value) {
        Role::Locate
    } else {
        Role::Load
    }
}
