//! How the value of an lvalue is used: by an operator, a parameter, an assignment.
//!
//! For a number all of these are loads. An object of a class is passed on: its operators and
//! constructors are instrumented and contain the accesses – unless the language copies the object.
//! If the source does not show which is the case, hooks get the types that they need to decide. If
//! those types cannot be spelled either, an object does not count as accessed: a missed race is
//! better than a false alarm.

use super::binding::ParameterFact;
use super::context::Rewriter;
use super::facts::Signature;
use super::names::{bare_name, is_scalar};
use super::role::{Role, Target};
use hirace_syntax::names::is_vector;
use hirace_syntax::tree::{Kind, Node};

/// Longest expression to repeat as the operand of `decltype`.
const REPEATED_LIMIT: usize = 160;

/// A parameter or operand that an argument may bind to.
pub(crate) struct Bound<'a> {
    pub(crate) reference: bool,
    pub(crate) constant: bool,
    /// Whether the body of the function is known.
    pub(crate) defined: bool,
    pub(crate) type_text: &'a str,
}

impl<'a> Bound<'a> {
    pub(crate) fn of(parameter: &'a ParameterFact, defined: bool) -> Self {
        Self {
            reference: parameter.reference,
            constant: parameter.constant,
            defined,
            type_text: if parameter.pointer {
                "void"
            } else {
                &parameter.type_text
            },
        }
    }

    /// Whether it takes a number.
    pub(crate) fn is_number(&self) -> bool {
        self.type_text != "void" && is_scalar(self.type_text)
    }
}

impl Rewriter<'_> {
    /// The role of a copied value, unless a conversion turns it into a number.
    pub(crate) fn copied(&self) -> Role {
        if self.facts.converts {
            Role::Argument
        } else {
            Role::Copy
        }
    }

    /// The same for a member of a class without constructors.
    pub(crate) fn copied_into_member(&self) -> Role {
        if self.facts.functions.contains_key("operator") {
            Role::Argument
        } else {
            Role::Copy
        }
    }

    /// The role of the initialiser of an object of the type `type_text`.
    pub(crate) fn initialising(&mut self, type_text: &str) -> Role {
        if is_scalar(type_text) {
            return Role::Load;
        }
        if matches!(type_text, "auto" | "decltype(auto)") {
            return Role::Copy;
        }
        match self.spelled(type_text) {
            Some(target) if self.facts.converts || self.may_hold_references(type_text) => {
                self.target = Target::first_of_one(target);
                Role::Initializer
            }
            _ => self.copied(),
        }
    }

    /// Whether objects of this type may hold references to their initialisers, judging by its name.
    fn may_hold_references(&self, type_text: &str) -> bool {
        let name = bare_name(type_text);
        (type_text.contains('<') || self.facts.is_type(name)) && !self.facts.is_plain(name)
    }

    /// The role of the right side of `left = right`.
    pub(crate) fn assigned(&mut self, left: Node<'_>) -> Role {
        let shape = self.shape(left);
        if shape.pointers > 0 || shape.exact {
            return Role::Load;
        }
        match self.repeatable(left) {
            Some(text) if self.facts.converts => {
                self.target = Target::bare(format!("decltype({text})"));
                Role::Assigned
            }
            _ => self.copied(),
        }
    }

    /// The role of the left side of `left = right`.
    pub(crate) fn assigned_to(&mut self, right: Node<'_>) -> Role {
        if !self.facts.assigns_others || right.is(Kind::InitializerList) {
            return Role::Store;
        }
        match self.repeatable(right) {
            Some(text) => {
                self.target = Target::bare(format!("decltype({text})"));
                Role::StoreFrom
            }
            None => Role::Store,
        }
    }

    /// An expression's text, if it may be repeated as the operand of `decltype`.
    pub(crate) fn repeatable(&self, node: Node<'_>) -> Option<String> {
        let text = self.text(node);
        let unfit = node.descendants().any(|it| {
            matches!(
                it.kind(),
                Kind::LambdaExpression | Kind::CompoundStatement | Kind::InitializerList
            )
        });
        let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = !unfit
            && !["#", "//", "/*", "\\", "__VA_ARGS__"]
                .iter()
                .any(|it| text.contains(it));
        (plain && folded.len() <= REPEATED_LIMIT && !folded.is_empty()).then_some(folded)
    }

    /// The role of operand `position` of the operator `sign` with `count` operands.
    pub(crate) fn operand(
        &self,
        sign: &str,
        position: usize,
        count: usize,
        node: Node<'_>,
    ) -> Role {
        let shape = self.shape(node);
        if shape.pointers > 0 || shape.exact {
            return Role::Load;
        }
        let name = format!("operator{sign}");
        let Some(all) = self.facts.functions.get(&name) else {
            return Role::Load;
        };
        let bounds: Vec<Bound<'_>> = all
            .iter()
            .filter_map(|it| operand_of(it, position, count))
            .collect();
        match self.bound_role(node, &bounds) {
            Role::Locate => Role::Load,
            role => role,
        }
    }

    /// The role of an argument that binds to one of `bounds`.
    ///
    /// If overloads differ, the answer avoids false alarms: an argument that may be bound to a
    /// plain reference is not an access at the call.
    pub(crate) fn bound_role(&self, node: Node<'_>, bounds: &[Bound<'_>]) -> Role {
        let class = self.class_name(node);
        let mut fitting: Vec<&Bound<'_>> = bounds
            .iter()
            .filter(|it| match &class {
                Some(class) => bare_name(it.type_text) == class || !self.is_concrete(it.type_text),
                None => true,
            })
            .collect();
        // A conversion produces the parameter's type.
        let converted = fitting.is_empty();
        if converted {
            fitting.extend(bounds);
        }
        let by_value: Vec<&&Bound<'_>> = fitting.iter().filter(|it| !it.reference).collect();
        let by_reference = |it: &&&Bound<'_>| it.reference && !it.constant;
        if by_value.is_empty() {
            // Without a known body the loads in it have no hooks.
            let unseen = fitting.iter().all(|it| it.constant && !it.defined);
            return if unseen && !fitting.is_empty() {
                Role::Argument
            } else {
                Role::Locate
            };
        }
        if fitting.iter().any(|it| by_reference(&it)) {
            return Role::Locate;
        }
        let numbers = by_value.iter().all(|it| is_scalar(it.type_text));
        if by_value.len() < fitting.len() {
            // A class is more often bound to the reference.
            let vectors = fitting.iter().all(|bound| {
                let vector = is_vector(bare_name(bound.type_text));
                if bound.reference {
                    !vector && self.is_concrete(bound.type_text)
                } else {
                    vector
                }
            });
            return if vectors { Role::Argument } else { Role::Load };
        }
        if numbers || (converted && class.is_some()) {
            return Role::Load;
        }
        if class.is_some() {
            Role::Copy
        } else {
            self.copied()
        }
    }

    /// The class name of an object, or `int` for a number, if it is known.
    fn class_name(&self, node: Node<'_>) -> Option<String> {
        let text = self.type_text(node)?;
        self.is_concrete(&text).then(|| bare_name(&text).to_owned())
    }

    /// Whether a type's name is one known type.
    fn is_concrete(&self, type_text: &str) -> bool {
        let name = bare_name(type_text);
        if self.scopes.get(name).is_some() {
            return false;
        }
        is_scalar(type_text) || is_vector(name) || self.facts.classes.contains_key(name)
    }
}

/// The parameter that operand `position` of `count` of the operator `signature` binds to.
fn operand_of(signature: &Signature, position: usize, count: usize) -> Option<Bound<'_>> {
    let given = signature.parameters.len();
    // A friend that is defined in a class has all operands as parameters.
    if given == count {
        return Some(Bound::of(
            signature.parameters.get(position)?,
            signature.defined,
        ));
    }
    let class = signature.class.as_deref()?;
    if given + 1 != count {
        return None;
    }
    match position.checked_sub(1) {
        Some(index) => Some(Bound::of(
            signature.parameters.get(index)?,
            signature.defined,
        )),
        None => Some(Bound {
            reference: true,
            constant: true,
            defined: signature.defined,
            type_text: class,
        }),
    }
}
