//! Calls: what the callee does with its arguments.

mod arguments;
mod cub_calls;
mod cuda_objects;
mod matrix_calls;
mod memory;
mod printed;
mod random_calls;
mod texture_calls;

use std::ops::Range;

use super::context::Rewriter;
use super::expressions::Content;
use super::facts::Signature;
use super::names::cuda::ordered_atomic;
use super::names::{is_named_cast, is_scalar};
use super::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::names::{Meaning, meaning};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{is_reference_type, split_name};

/// A call of a function by its name.
#[derive(Clone, Copy)]
pub(crate) struct NamedCall<'t> {
    pub node: Node<'t>,
    pub callee: Node<'t>,
    pub arguments: Node<'t>,
    /// The last part of the callee's name.
    pub name: &'t str,
    /// What stands before the last `::`.
    pub scope: Option<&'t str>,
}

impl Rewriter<'_> {
    pub(crate) fn call(&mut self, node: Node<'_>, role: Role) {
        if node.child_of(Kind::KernelCallSyntax).is_some() {
            return self.launch(node);
        }
        if self.launch_by_macro(node) {
            return;
        }
        let Some((callee, arguments)) = node.as_call() else {
            return;
        };
        if callee.is(Kind::FieldExpression) {
            return self.method_call(node, callee, arguments, role);
        }
        match self.content_of_callee(callee) {
            // `(T)(a[i])`: a cast that looks like a call.
            Content::Type => {
                let target = callee.first_named().map_or("", |it| self.text(it));
                let role = self.initialising(target);
                return self.expressions(arguments, role);
            }
            Content::Unknown => return self.expressions(arguments, Role::Argument),
            Content::Value => {}
        }
        let (name, scope) = split_name(callee, self.source);
        let known = self.scopes.get(&name).is_some() && scope.is_none();
        if is_named_cast(&name) {
            return self.named_cast(node, callee, arguments, role);
        }
        if !known {
            let call = NamedCall {
                node,
                callee,
                arguments,
                name: &name,
                scope: scope.as_deref(),
            };
            if !self.is_macro_call(&name) && self.library_call(call) {
                return;
            }
            let known = self.facts.macro_use(&name, true);
            if let Some(known) = known.filter(|_| scope.is_none()) {
                return self.macro_call(node, &name, known, arguments, role);
            }
        }
        if known && callee.is(Kind::TemplateFunction) {
            // `i < n && j > (m)` parsed as a call of `i<…>`.
            for child in callee.arguments().filter(|it| !it.is(Kind::TypeDescriptor)) {
                self.expression(child, Role::Load);
            }
            return self.expressions(arguments, Role::Load);
        }
        // `std::move(x)` accesses `x` as the enclosing expression does.
        let same = scope.is_some() && matches!(name.as_str(), "move" | "as_const" | "forward");
        let opened = !same && self.open_access(node, role);
        self.callee(callee);
        if (scope.is_some() || self.facts.is_type(&name)) && self.refers(&name) {
            self.expressions(arguments, Role::Locate);
        } else if self.makes_object(callee, &name) {
            let written = self.text(callee);
            // Elsewhere a function may have the same name as a type.
            let parameter = self.scopes.get(&name).is_some();
            let target = parameter.then(|| written.to_owned());
            self.constructor_arguments(written, target, arguments);
        } else {
            self.known_arguments(callee, &name, scope.as_deref(), known, arguments, role);
        }
        self.close_access(node, opened);
    }

    /// Whether `name(…)` is a use of one of the user's macros, which may have the name of a library's function. In its
    /// own body the name means the function.
    fn is_macro_call(&self, name: &str) -> bool {
        let mut definitions = self.facts.macros.get(name).into_iter().flatten();
        let own = self.body.is_some() && self.enclosing.name == name;
        !own && definitions.any(|it| it.parameters.is_some())
    }

    /// The expression that a call calls, which may read a pointer to a function.
    fn callee(&mut self, callee: Node<'_>) {
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
            _ => match self.member_pointer(callee) {
                Some(member) => self.object_of_method(member),
                None => self.expression(callee, Role::Base),
            },
        }
    }

    /// `p->*m` in `(p->*m)(…)`. It is no value that a hook can take ([expr.mptr.oper]): only a call can use it.
    fn member_pointer<'t>(&self, callee: Node<'t>) -> Option<Node<'t>> {
        let inner = std::iter::successors(Some(callee), |it| match it.kind() {
            Kind::ParenthesizedExpression => it.first_named(),
            // `p->*m[i]` is `p->*(m[i])`.
            Kind::SubscriptExpression => it.child(Field::Argument),
            _ => None,
        });
        let last = inner.last().filter(|it| it.is(Kind::FieldExpression))?;
        let member = last.child(Field::Member)?;
        let from = last.child(Field::Argument)?.end();
        let operator = self.source.get(from..member.start())?.trim_ascii();
        (operator.starts_with("->*") || operator.starts_with(".*")).then_some(last)
    }

    /// The object of `p->m` or `o.m`, where `m` is a method.
    fn object_of_method(&mut self, member: Node<'_>) {
        let arrow = member.operator(self.source) == "->";
        if let Some(object) = member.child(Field::Argument) {
            self.expression(object, if arrow { Role::Base } else { Role::Locate });
        }
    }

    /// What `x` may be in `(x)(a[i])`: a parameter of a macro may be a type or a function.
    fn content_of_callee(&self, callee: Node<'_>) -> Content {
        let name = callee.first_named().map_or("", |it| self.text(it));
        let in_parentheses = callee.is(Kind::ParenthesizedExpression);
        if in_parentheses && self.macro_parameters.iter().any(|it| it == name) {
            return Content::Unknown;
        }
        self.parenthesized_content(callee)
    }

    /// A call of a function of CUDA or its libraries with special handling for its accesses.
    /// Returns whether it is one.
    fn library_call(&mut self, call: NamedCall<'_>) -> bool {
        match meaning(call.name) {
            Some(Meaning::Atomic) if self.atomic(call, &[]) => return true,
            Some(Meaning::HintedLoad) => {
                self.hinted(call.arguments, Role::Copy);
                return true;
            }
            Some(Meaning::HintedStore) => {
                self.hinted(call.arguments, Role::Store);
                return true;
            }
            _ => {}
        }
        if self.on_cpu()
            && let Some(others) = ordered_atomic(call.name)
            && self.atomic(call, others)
        {
            return true;
        }
        self.bytes(call)
            || self.allocation(call)
            || self.texels(call)
            || self.cub_function(call)
            || self.thrust_algorithm(call)
            || self.asynchronous_copy(call)
            || self.ptx_function(call)
            || self.random_number(call)
            || self.matrix_function(call)
            || self.group_sync_function(call)
            || self.initialised_object(call)
            || self.printed(call)
    }

    /// Whether a call may mean a function of the program, whatever its parameters.
    pub(crate) fn is_users(&self, call: NamedCall<'_>) -> bool {
        self.may_be_users(call.callee, call.name)
    }

    /// The functions of the program that a call may mean.
    fn users_functions(&self, call: NamedCall<'_>) -> Vec<&Signature> {
        let count = call.arguments.named_children().count();
        self.candidates_of(call.name, count, &self.whose(call.callee))
    }

    /// Opens a hook around `argument`, by which a call in `range` accesses `place`. The hook passes
    /// the site of the accesses to the library.
    fn open_sited(
        &mut self,
        (kind, range): (SiteKind, Range<usize>),
        place: Option<Node<'_>>,
        hook: &str,
        argument: Node<'_>,
    ) {
        let variable = place.map(|it| self.root(it)).unwrap_or_default();
        let id = self.place_of_call(kind, range, &variable);
        let start = self.expression_start(argument);
        self.edits.open(start, format!("::hirace::{hook}({id}, "));
    }

    /// A site for the accesses of a library in a call. If they are not to be monitored, the site
    /// switches the library's checks off, but for atomic objects.
    fn place_of_call(&mut self, kind: SiteKind, range: Range<usize>, variable: &str) -> String {
        let id = match self.wanted(range.clone(), variable) {
            true => self.site(kind, range, variable),
            false if kind == SiteKind::Atomic => self.order_only_site(range, variable),
            false => return "::hirace::unchecked_site".to_owned(),
        };
        id.unwrap_or_else(|| "::hirace::unknown_site".to_owned())
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

    /// The name of the method that a call calls through `callee`.
    pub(crate) fn method_name(&self, callee: Node<'_>) -> String {
        let member = callee.child(Field::Member);
        member.map_or_else(String::new, |it| split_name(it, self.source).0)
    }

    fn method_call(&mut self, node: Node<'_>, callee: Node<'_>, arguments: Node<'_>, role: Role) {
        let method = self.method_name(callee);
        if method == "sync" && self.group_sync(node, callee, arguments) {
            return;
        }
        let opened = self.open_access(node, role);
        if let Some(object) = callee.child(Field::Argument) {
            let cuda_object = self.open_cuda_object(node, callee, object, &method);
            let arrow = callee.operator(self.source) == "->";
            let cub_object = !arrow && self.open_cub_object(node, object, &method);
            self.object_of_method(callee);
            self.close_access(object, cub_object);
            self.close_cuda_object(callee, object, cuda_object);
        }
        let whose = self.whose(callee);
        self.arguments_of(&method, arguments, &whose);
        self.close_access(node, opened);
    }

    fn named_cast(&mut self, node: Node<'_>, callee: Node<'_>, arguments: Node<'_>, role: Role) {
        let target = callee.named_cast_type();
        let reference = target.is_some_and(|it| is_reference_type(it, self.source));
        let Some(value) = arguments.first_named() else {
            return;
        };
        if reference {
            let opened = self.open_access(node, role);
            if self.points_to_shared(value) {
                self.edits.open(value.start(), "*");
            }
            self.expression(value, Role::Locate);
            self.close_access(node, opened);
            return;
        }
        if self.is_dynamic_shared(value) {
            self.edits.open(value.start(), "+");
        }
        let role = target.map_or(Role::Load, |it| self.cast_to(it));
        self.expression(value, role);
    }
}
