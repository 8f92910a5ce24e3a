//! Calls: what the callee does with its arguments.

use crate::model::SiteKind;
use crate::parse::qualifier::Qualifiers;
use crate::parse::tree::{Field, Kind, Node};
use crate::parse::view::{is_reference_type, split_name};

use super::classify::{is_named_cast, named_cast_type, operator, passes_through};
use super::context::{Rewriter, Role};
use super::roles::Bound;
use super::scope::{LambdaFact, Storage, is_scalar};

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

/// Functions of the C library that leave results where their arguments point to, without
/// the `f` of their versions for `float`.
const RESULTS: [&str; 5] = ["sincos", "sincospi", "modf", "frexp", "remquo"];

/// Functions that do nothing to what their arguments point to.
const PURE: [&str; 6] = ["printf", "assert", "free", "malloc", "addressof", "launder"];

/// Functions of the C library that work on bytes, and what they do to what their first
/// arguments point to.
const BYTES: [(&str, &[SiteKind]); 4] = [
    ("memcpy", &[SiteKind::Write, SiteKind::Read]),
    ("memmove", &[SiteKind::Write, SiteKind::Read]),
    ("memset", &[SiteKind::Write]),
    ("memcmp", &[SiteKind::Read, SiteKind::Read]),
];

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
                return self.hinted(arguments, Role::Copy);
            }
            if HINTED_STORES.contains(&name.as_str()) {
                return self.hinted(arguments, Role::Store);
            }
            if self.bytes(callee, arguments, &name) {
                return;
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
            return self.arguments(arguments, |_, _, _| Role::Load);
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
            self.known_arguments(callee, &name, scope.as_deref(), known, arguments, role);
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
        callee: Node<'_>,
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
                return self.arguments(arguments, |_, _, _| role);
            }
            if name == "forward" {
                // Passed on, it stands for the object itself.
                let passed = arguments.parent().and_then(Node::parent).is_some_and(|it| {
                    matches!(it.kind(), Kind::ArgumentList | Kind::ParameterPackExpansion)
                });
                let role = if passed { Role::Locate } else { role };
                return self.arguments(arguments, |_, _, _| role);
            }
            if matches!(name, "swap" | "exchange") {
                return self.swap(arguments, if name == "swap" { 2 } else { 1 });
            }
            return self.arguments(arguments, |_, _, _| Role::Locate);
        }
        if known {
            let lambda = self.scopes.get(name).and_then(|it| it.lambda.clone());
            if let Some(LambdaFact { parameters, .. }) = lambda {
                return self.arguments(arguments, |this, index, node| {
                    let parameter = parameters.get(index).or_else(|| parameters.last());
                    parameter.map_or(Role::Load, |it| {
                        this.bound_role(node, &[Bound::of(it, true)])
                    })
                });
            }
            return self.arguments_of_object(callee, arguments);
        }
        let member = scope.is_none() && self.member(name).is_some();
        if member
            && self
                .candidates(name, arguments.named_children().count())
                .is_empty()
        {
            return self.arguments_of_object(callee, arguments);
        }
        if matches!(
            callee.kind(),
            Kind::ParenthesizedExpression | Kind::SubscriptExpression | Kind::PointerExpression
        ) {
            return self.arguments_of_object(callee, arguments);
        }
        if RESULTS.contains(&name.trim_end_matches('f')) && self.candidates(name, 2).is_empty() {
            return self.results(arguments);
        }
        self.note_outside(name, arguments);
        self.arguments_of(name, arguments);
    }

    /// Arguments of a call through `callee`, a variable or something computed: an object
    /// with a call operator, or a pointer to a function. The compiler knows which.
    fn arguments_of_object(&mut self, callee: Node<'_>, arguments: Node<'_>) {
        let count = arguments.named_children().count();
        let text = self.repeatable(callee);
        for (index, argument) in arguments.named_children().enumerate() {
            let bound = self.facts.functions.values().flatten().any(|it| {
                let parameter = it.parameter(index);
                it.accepts(count)
                    && it.qualifiers.has(Qualifiers::DEVICE)
                    && parameter.is_some_and(|it| it.reference && !it.constant)
            });
            let role = match &text {
                Some(text) => {
                    self.target = format!("decltype({text}), {index}, {bound}");
                    Role::Called
                }
                None if bound => Role::Locate,
                None => Role::Argument,
            };
            self.expression(argument, role);
        }
    }

    /// A function that leaves results where its last arguments point to.
    fn results(&mut self, arguments: Node<'_>) {
        for argument in arguments.named_children() {
            let shape = self.shape(argument);
            let taken =
                argument.is(Kind::PointerExpression) && operator(argument, self.source) == "&";
            if taken || shape.pointers > 0 || shape.rank > 0 {
                self.pointed_to(argument, Role::Store);
            } else {
                self.expression(argument, Role::Load);
            }
        }
    }

    /// Says so where memory is handed to a function that has no body in the project.
    fn note_outside(&mut self, name: &str, arguments: Node<'_>) {
        let count = arguments.named_children().count();
        let candidates = self.candidates(name, count);
        let here = candidates.iter().any(|it| it.defined)
            || !self.candidates("", count).is_empty()
            || self.facts.is_type(name)
            || self.facts.macros.contains_key(name)
            || self.scopes.get(name).is_some()
            || name.starts_with("__")
            || name.starts_with("cuda")
            || PURE.contains(&name);
        if here {
            return;
        }
        let handed = arguments.named_children().any(|argument| {
            let shape = self.shape(argument);
            let taken = argument.is(Kind::PointerExpression)
                && operator(argument, self.source) == "&"
                && argument
                    .child(Field::Argument)
                    .is_some_and(|it| self.storage(it) == Storage::Memory);
            taken || shape.pointers > 0 || shape.rank > 0
        });
        if handed {
            let reason = format!(
                "`{name}` is not part of the project: what it does to its arguments is not checked"
            );
            self.sites.not_monitored(arguments.start(), reason);
        }
    }

    /// `std::swap(a[i], a[j])`, `std::exchange(a[i], v)`: read and written.
    fn swap(&mut self, arguments: Node<'_>, places: usize) {
        self.arguments(arguments, |_, index, _| {
            if index < places {
                Role::Exchange
            } else {
                Role::Load
            }
        });
    }

    /// Arguments of a call of any of the known functions called `name`.
    pub(crate) fn arguments_of(&mut self, name: &str, arguments: Node<'_>) {
        let count = arguments.named_children().count();
        // A macro may have defined the function.
        let name = if self.candidates(name, count).is_empty() {
            ""
        } else {
            name
        };
        let unknown = self.candidates(name, count).is_empty();
        self.arguments(arguments, |this, index, node| {
            if unknown {
                return Role::Argument;
            }
            let candidates = this.candidates(name, count);
            let bounds: Vec<Bound<'_>> = candidates
                .iter()
                .filter_map(|it| Some(Bound::of(it.parameter(index)?, it.defined)))
                .collect();
            this.bound_role(node, &bounds)
        });
    }

    fn arguments(&mut self, arguments: Node<'_>, role: impl Fn(&Self, usize, Node<'_>) -> Role) {
        for (index, argument) in arguments.named_children().enumerate() {
            let role = role(self, index, argument);
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
        let role = named_cast_type(callee).map_or(Role::Load, |it| self.cast_to(it));
        self.expression(value, role);
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
        if self.wanted(place.range(), &variable)
            && let Some(id) = self.site(SiteKind::Atomic, place.range(), &variable)
        {
            self.edits
                .replace(self.source, callee.range(), format!("::hirace::{name}"));
            self.edits.open(arguments.start() + 1, format!("{id}, "));
        }
        self.arguments(arguments, |_, _, _| Role::Load);
        true
    }

    /// `memcpy(to, from, n)` and relatives; false for any other call.
    fn bytes(&mut self, callee: Node<'_>, arguments: Node<'_>, name: &str) -> bool {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let Some((name, kinds)) = BYTES.iter().find(|(known, _)| *known == name) else {
            return false;
        };
        let given: Vec<Node<'_>> = arguments.named_children().collect();
        if given.len() != 3 || !self.candidates(name, 3).is_empty() {
            return false;
        }
        let mut ids = String::new();
        for (kind, place) in kinds.iter().zip(&given) {
            let variable = self.root(*place);
            if !self.wanted(place.range(), &variable) {
                continue;
            }
            if let Some(id) = self.site(*kind, place.range(), &variable) {
                ids.push_str(&id);
                ids.push_str(", ");
            }
        }
        // Where one side is left out there is no hook for the other.
        if ids.matches(',').count() == kinds.len() {
            self.edits
                .replace(self.source, callee.range(), format!("::hirace::{name}"));
            self.edits.open(arguments.start() + 1, ids);
        }
        self.arguments(arguments, |_, _, _| Role::Load);
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
            } else {
                self.pointed_to(argument, role);
            }
        }
    }

    /// What the pointer `argument` points to is used as `role` says.
    fn pointed_to(&mut self, argument: Node<'_>, role: Role) {
        if argument.is(Kind::PointerExpression) && operator(argument, self.source) == "&" {
            if let Some(place) = argument.child(Field::Argument) {
                self.expression(place, role);
            }
            return;
        }
        let variable = self.root(argument);
        let (kind, hook) = match role {
            Role::Store => (SiteKind::Write, "write"),
            _ => (SiteKind::Read, "copy"),
        };
        let id = if self.wanted(argument.range(), &variable) {
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
