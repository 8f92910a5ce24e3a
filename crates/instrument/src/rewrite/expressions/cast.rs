//! Casts, and expressions that look like casts.

use crate::rewrite::binding::Storage;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{is_reference_type, split_name};

impl Rewriter<'_> {
    /// Whether `node` is `(T)` with a known type `T`.
    pub(crate) fn is_parenthesized_type(&self, node: Node<'_>) -> bool {
        if !node.is(Kind::ParenthesizedExpression) {
            return false;
        }
        let Some(inner) = node.first_named() else {
            return false;
        };
        let text = self.text(inner);
        match inner.kind() {
            Kind::Identifier => match self.scopes.get(text) {
                Some(binding) => binding.type_text == "typename",
                None => self.facts.is_type(text) || text.ends_with("_t"),
            },
            Kind::QualifiedIdentifier => {
                let (name, _) = split_name(inner, self.source);
                self.facts.is_type(&name) || name.ends_with("_t") || name.ends_with("_type")
            }
            _ => false,
        }
    }

    pub(super) fn cast(&mut self, node: Node<'_>, role: Role) {
        let (Some(target), Some(value)) = (node.child(Field::Type), node.child(Field::Value))
        else {
            return;
        };
        if self.operand_taken_for_type(target) {
            let signs = match self.text(value).starts_with("&&") {
                true => 2,
                false => usize::from(value.is(Kind::PointerExpression)),
            };
            let operand = (0..signs).try_fold(value, |it, _| it.child(Field::Argument));
            if let Some(operand) = operand {
                self.expression(operand, Role::Load);
            }
            return;
        }
        if !is_reference_type(target, self.source) {
            // `(float*)raw`, where the array is an object of the CPU's class for
            // `extern __shared__`: `+` converts it to a pointer first.
            if self.is_dynamic_shared(value) {
                self.edits.open(value.start(), "+");
            }
            let role = self.cast_to(target);
            return self.expression(value, role);
        }
        // The grammar binds `(T&)x = v` as a cast of an assignment.
        if value.is(Kind::AssignmentExpression) {
            return self.assignment(value);
        }
        let opened = self.open_access(node, role);
        if self.points_to_shared(value) {
            self.edits.open(value.start(), "*");
        }
        self.expression(value, Role::Locate);
        self.close_access(node, opened);
    }

    /// The left operand of `(n) * x` or `(a[i]) + x`, parsed as a cast of `*x` or `+x`; false if
    /// `descriptor` is a known type.
    fn operand_taken_for_type(&mut self, descriptor: Node<'_>) -> bool {
        let is_name = |kind| matches!(kind, Kind::TypeIdentifier | Kind::QualifiedIdentifier);
        let name = descriptor.child(Field::Type);
        let Some(name) = name.filter(|it| is_name(it.kind())) else {
            return false;
        };
        let mut subscripts = Vec::new();
        let mut next = descriptor.child(Field::Declarator);
        while let Some(declarator) = next {
            if !declarator.is(Kind::AbstractArrayDeclarator) {
                return false;
            }
            subscripts.extend(declarator.child(Field::Size));
            next = declarator.child(Field::Declarator);
        }
        let Some(binding) = self.binding(name) else {
            return false;
        };
        if binding.storage == Storage::Nothing && binding.type_text == "typename" {
            return false;
        }
        let through_pointer = subscripts.len() > binding.shape.rank;
        if subscripts.len() >= binding.shape.rank {
            let in_memory = through_pointer || binding.storage == Storage::Memory;
            self.read_of_text(name, descriptor, in_memory);
        }
        if through_pointer {
            self.read_of_text(name, name, binding.storage == Storage::Memory);
        }
        for subscript in subscripts {
            self.expression(subscript, Role::Load);
        }
        true
    }

    /// A load of the object that `node` names, for which the tree has no expression.
    fn read_of_text(&mut self, name: Node<'_>, node: Node<'_>, in_memory: bool) {
        let variable = self.text(name).to_owned();
        if !in_memory {
            self.sites.remarks.private += 1;
        } else if let Some(id) = self.access_site(SiteKind::Read, node.range(), &variable) {
            self.edits
                .open(node.start(), format!("::hirace::read({id}, "));
            self.edits.close(node.end(), ")");
        }
    }

    /// How a cast to `descriptor`, not a reference, uses its operand.
    pub(crate) fn cast_to(&mut self, descriptor: Node<'_>) -> Role {
        if descriptor.child(Field::Declarator).is_some() {
            return Role::Load;
        }
        match descriptor.child_text(Field::Type, self.source) {
            "void" => Role::Locate,
            name => self.initialising(name),
        }
    }

    /// Whether `node` names a file-scope `extern __shared__` array.
    pub(crate) fn is_dynamic_shared(&self, node: Node<'_>) -> bool {
        let name = Some(node).filter(|it| self.on_cpu() && it.is(Kind::Identifier));
        let binding = name.and_then(|it| self.binding(it));
        binding.is_some_and(|it| it.dynamic_shared)
    }

    /// Whether `node` names an `extern __shared__` array. For the CPU it is a pointer, or an object
    /// that acts like one, and must be dereferenced to reach the array.
    pub(crate) fn points_to_shared(&self, node: Node<'_>) -> bool {
        let name = Some(node).filter(|it| self.on_cpu() && it.is(Kind::Identifier));
        let binding = name.and_then(|it| self.binding(it));
        binding.is_some_and(|it| it.dynamic_shared || it.shared && it.storage == Storage::Local)
    }
}
