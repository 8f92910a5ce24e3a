//! How a named function uses its arguments.

use crate::rewrite::binding::{LambdaFact, Storage};
use crate::rewrite::classify::Whose;
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::Signature;
use crate::rewrite::names::passes_through;
use crate::rewrite::role::{Role, Target};
use crate::rewrite::value_use::Bound;
use hirace_model::table::outside_project;
use hirace_syntax::names::makes_vector;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;
use hirace_syntax::words::Words;

/// Functions of the C library that write results through pointer arguments, without the `f` of
/// their versions for `float`.
const RESULTS: [&str; 5] = ["sincos", "sincospi", "modf", "frexp", "remquo"];

/// Library functions that use the addresses of their arguments.
const LOCATING: Words = Words::of("swap exchange addressof ref cref tie");

/// Functions that do not access the objects that their arguments point to.
const PURE: Words = Words::of("printf fprintf assert free malloc operatordelete addressof launder");

/// Whether `name` is a function of the CUDA driver, which only the host calls.
fn is_driver_call(name: &str) -> bool {
    name.strip_prefix("cu")
        .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_uppercase()))
}

/// Whether no two of these functions are of one class or namespace, except for declarations of the same.
fn one_of_each_scope(functions: &[&Signature]) -> bool {
    let types = |it: &Signature| {
        let types = it.parameters.iter().map(|it| it.type_text.clone());
        types.collect::<Vec<_>>()
    };
    functions.iter().enumerate().all(|(at, one)| {
        let mut others = functions.iter().skip(at + 1);
        others.all(|other| one.class != other.class || types(one) == types(other))
    })
}

/// Whether parameters take numbers, some by value and some by reference.
fn differ_in_reference_to_number(bounds: &[Bound<'_>]) -> bool {
    let by_reference = bounds.iter().filter(|it| it.reference).count();
    (1..bounds.len()).contains(&by_reference) && bounds.iter().all(Bound::is_number)
}

/// Whether an expression names an object by itself.
fn is_place(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        Kind::Identifier
            | Kind::SubscriptExpression
            | Kind::FieldExpression
            | Kind::PointerExpression
    )
}

impl Rewriter<'_> {
    /// Handles the arguments of a call by name.
    pub(super) fn known_arguments(
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
            || LOCATING.has(name) && (from_library || self.candidates(name, 2).is_empty())
            || matches!(name, "__builtin_addressof" | "__builtin_object_size")
        {
            let passed = || {
                arguments.parent().and_then(Node::parent).is_some_and(|it| {
                    matches!(it.kind(), Kind::ArgumentList | Kind::ParameterPackExpansion)
                })
            };
            return match name {
                "move" | "as_const" => self.expressions(arguments, role),
                // Passed on, it still designates the object itself.
                "forward" if !passed() => self.expressions(arguments, role),
                "swap" => self.swap(arguments, 2),
                "exchange" => self.swap(arguments, 1),
                _ => self.expressions(arguments, Role::Locate),
            };
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
        let count = arguments.named_children().count();
        let member = scope.is_none() && self.member(name).is_some();
        let is_object = match callee.kind() {
            _ if member && self.candidates(name, count).is_empty() => true,
            Kind::ParenthesizedExpression | Kind::SubscriptExpression | Kind::PointerExpression => {
                true
            }
            Kind::CallExpression | Kind::CompoundLiteralExpression => {
                if !self.is_of_project(callee) {
                    self.note_outside(name, arguments, &Whose::Any);
                }
                true
            }
            _ => false,
        };
        if is_object {
            return self.arguments_of_object(callee, arguments);
        }
        if RESULTS.contains(&name.trim_end_matches('f')) && self.candidates(name, 2).is_empty() {
            return self.results(arguments);
        }
        let whose = self.whose(callee);
        self.note_outside(name, arguments, &whose);
        self.arguments_of(name, arguments, &whose);
    }

    /// Whether the type or function in `T<n>()`, `T{}` or `f(x)` is the project's, going by
    /// its name.
    pub(super) fn is_of_project(&self, made: Node<'_>) -> bool {
        let maker = made.child(Field::Function).or(made.child(Field::Type));
        maker.is_some_and(|maker| {
            let (name, _) = split_name(maker, self.source);
            self.facts.functions.contains_key(&name) || self.is_name_of_project(&name)
        })
    }

    /// Whether the project declares `name`, other than as a function.
    fn is_name_of_project(&self, name: &str) -> bool {
        self.facts.is_type(name)
            || self.facts.may_come_from_macro(name)
            || self.facts.macros.contains_key(name)
            || self.facts.variables.contains_key(name)
            || self.scopes.get(name).is_some()
    }

    /// Arguments of a call through `callee`, a variable or a computed value: an object with a call
    /// operator, or a pointer to a function. The compiler knows which.
    pub(super) fn arguments_of_object(&mut self, callee: Node<'_>, arguments: Node<'_>) {
        // The argument of a macro may name another macro, or several functions.
        if callee.is(Kind::Identifier)
            && self
                .macro_parameters
                .iter()
                .any(|it| it == self.text(callee))
        {
            return self.expressions(arguments, Role::Argument);
        }
        let count = arguments.named_children().count();
        let text = self.repeatable(callee);
        for (index, argument) in arguments.named_children().enumerate() {
            let bound = self.facts.functions.values().flatten().any(|function| {
                let parameter = function.parameter(index);
                function.accepts(count)
                    && function.qualifiers.has(Qualifiers::DEVICE)
                    && parameter.is_some_and(|it| it.reference && !it.constant)
            });
            let role = match &text {
                Some(text) => {
                    self.target = Target {
                        type_text: format!("decltype({text})"),
                        place: format!(", {index}, {bound}"),
                    };
                    Role::Called
                }
                None if bound => Role::Locate,
                None => Role::Argument,
            };
            self.expression(argument, role);
        }
    }

    /// A function that writes results through its last arguments.
    pub(super) fn results(&mut self, arguments: Node<'_>) {
        for argument in arguments.named_children() {
            let shape = self.shape(argument);
            if argument.is_address(self.source) || shape.pointers > 0 || shape.rank > 0 {
                self.pointed_to(argument, Role::Store);
            } else {
                self.expression(argument, Role::Load);
            }
        }
    }

    /// Notes memory passed to a function that has no body in the project.
    pub(super) fn note_outside(&mut self, name: &str, arguments: Node<'_>, whose: &Whose) {
        let count = arguments.named_children().count();
        let candidates = self.candidates_of(name, count, whose);
        let here = candidates.iter().any(|it| it.defined)
            || self.is_name_of_project(name)
            || name.starts_with("__")
            || name.starts_with("cuda")
            || (matches!(name, "init" | "make_pipeline")
                && self.on_cpu()
                && self.facts.cuda_objects)
            || is_driver_call(name)
            || makes_vector(name)
            || PURE.has(name);
        if here {
            return;
        }
        let passes_memory = arguments.named_children().any(|argument| {
            let shape = self.shape(argument);
            let place = argument.child(Field::Argument);
            let place = place.filter(|_| argument.is_address(self.source));
            place.is_some_and(|it| self.storage(it) == Storage::Memory)
                || shape.pointers > 0
                || shape.rank > 0
        });
        if passes_memory {
            let reason = outside_project(name);
            self.sites.not_monitored(arguments.start(), reason);
        }
    }

    /// `std::swap(a[i], a[j])`, `std::exchange(a[i], v)`: the argument is read and written.
    pub(super) fn swap(&mut self, arguments: Node<'_>, places: usize) {
        self.arguments(arguments, |_, index, _| match index < places {
            true => Role::Exchange,
            false => Role::Load,
        });
    }

    /// Arguments of a call that may mean any of the known functions called `name`.
    pub(crate) fn arguments_of(&mut self, name: &str, arguments: Node<'_>, whose: &Whose) {
        let count = arguments.named_children().count();
        // A macro may have defined the function.
        let known = |name: &&str| !self.candidates_of(name, count, whose).is_empty();
        let Some(name) = [name, ""].into_iter().find(known) else {
            return self.expressions(arguments, Role::Argument);
        };
        let one_of_each = one_of_each_scope(&self.candidates_of(name, count, whose));
        self.arguments(arguments, |this, index, node| {
            let candidates = this.candidates_of(name, count, whose);
            let bounds: Vec<Bound<'_>> = candidates
                .iter()
                .filter_map(|it| Some(Bound::of(it.parameter(index)?, it.defined)))
                .collect();
            match one_of_each && is_place(node) && differ_in_reference_to_number(&bounds) {
                true => Role::Taken,
                false => this.bound_role(node, &bounds),
            }
        });
    }

    pub(super) fn arguments(
        &mut self,
        arguments: Node<'_>,
        role: impl Fn(&Self, usize, Node<'_>) -> Role,
    ) {
        for (index, argument) in arguments.named_children().enumerate() {
            let role = role(self, index, argument);
            self.expression(argument, role);
        }
    }
}
