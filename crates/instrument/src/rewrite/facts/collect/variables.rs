//! Variables and data members.

use super::Collector;
use crate::rewrite::binding::{Binding, Storage};
use crate::rewrite::facts::adjacent::{
    Adjacent, is_empty_bit_field, is_uncertain_member, separator_mark,
};
use crate::rewrite::facts::{FieldFact, Variable, VariableKind, is_header};
use crate::rewrite::names::{bare_name, is_scalar};
use hirace_syntax::names::is_vector;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, declarators, has_const, names_reference, split_name};

impl Collector<'_> {
    pub(super) fn declaration(&mut self, node: Node<'_>) {
        let Some(kind) = node.child(Field::Type) else {
            // A constructor or a conversion.
            return self.function(node, false);
        };
        let type_text = kind.text(self.source);
        self.note_hidden_pointers(node, type_text);
        let is_static = node.has_storage_class("static", self.source);
        let constant = has_const(node, self.source);
        let bit_field = node.child_of(Kind::BitfieldClause).is_some();
        for declarator in declarators(node, self.source) {
            if declarator.is_function() {
                self.function(node, false);
                continue;
            }
            let Some(name) = declarator.name else {
                continue;
            };
            let object_constant = match declarator.nearest() {
                Some(Layer::Pointer(constant)) => constant,
                _ => constant && !declarator.element_is_pointer(),
            };
            if name.text(self.source).is_empty() {
                if is_empty_bit_field(node, self.source) {
                    let mark = separator_mark(node, self.prepass, self.source);
                    self.separate(node, mark);
                }
            } else if node.is(Kind::FieldDeclaration) {
                let uncertain = is_uncertain_member(node, self.prepass);
                let name = name.text(self.source).to_owned();
                if !bit_field && !is_static {
                    self.separate(node, Some(name.clone()));
                }
                let fact = FieldFact {
                    binding: Binding::object(Storage::Memory, &declarator, type_text),
                    reference: declarator.is_reference()
                        || (declarator.layers.is_empty() && self.names_reference(type_text)),
                    constant: is_static && object_constant,
                    bits: bit_field.then(|| self.bit_group(&name, uncertain)),
                    packed: self.packed,
                };
                self.field(name, fact);
            } else if self.classes.is_empty() {
                self.variable(node, name, &declarator, type_text, object_constant);
            }
        }
    }

    /// Remembers device variables outside the section that the CPU executor searches for pointers:
    /// constants, and variables of templates and classes.
    fn note_hidden_pointers(&mut self, node: Node<'_>, type_text: &str) {
        let qualifiers = self.prepass.qualifiers_of(node);
        let on_device = qualifiers.has(Qualifiers::DEVICE | Qualifiers::MANAGED);
        let templated = || node.enclosing(Kind::TemplateDeclaration).is_some();
        let elsewhere = qualifiers.has(Qualifiers::CONSTANT)
            || (on_device
                && (!self.classes.is_empty()
                    || node.has_storage_class("inline", self.source)
                    || templated()));
        let number = is_scalar(type_text) || is_vector(bare_name(type_text));
        let may_point = |declarator: Declarator<'_>| {
            let pointer = |it: &Layer| matches!(it, Layer::Pointer(_) | Layer::Reference);
            !declarator.is_function() && (!number || declarator.layers.iter().any(pointer))
        };
        let everywhere = elsewhere || on_device;
        let points = everywhere && declarators(node, self.source).any(may_point);
        self.facts.device_pointers |= points;
        self.facts.hidden_pointers |= elsewhere && points;
    }

    fn field(&mut self, name: String, fact: FieldFact) {
        let fields = self.facts.fields.entry(name.clone()).or_default();
        fields.push(fact.clone());
        if let Some(class) = self.classes.last() {
            let class = self.facts.classes.entry(class.clone()).or_default();
            class.fields.insert(name, fact);
        }
    }

    /// The number of the group that the bit-field `name` continues or begins.
    fn bit_group(&mut self, name: &str, uncertain: bool) -> usize {
        let groups = &mut self.facts.bit_groups;
        let bits = Adjacent::Bits {
            name: name.to_owned(),
            uncertain,
        };
        match groups.last_mut().filter(|_| self.after_bits) {
            Some(group) => group.push(bits),
            None => groups.push(vec![bits]),
        }
        self.after_bits = true;
        groups.len() - 1
    }

    /// A member that separates bit-fields. If the preprocessor may leave it out, `mark` is a name that its class
    /// has only with it; without one, the bit-fields count as one location.
    fn separate(&mut self, node: Node<'_>, mark: Option<String>) {
        self.after_bits &= is_uncertain_member(node, self.prepass);
        let groups = &mut self.facts.bit_groups;
        let group = groups.last_mut().filter(|_| self.after_bits);
        if let Some((group, name)) = group.zip(mark) {
            group.push(Adjacent::Separator { name });
        }
    }

    /// Whether a type's name is an alias for a reference.
    pub(super) fn names_reference(&self, type_text: &str) -> bool {
        let name = bare_name(type_text);
        names_reference(type_text) || self.facts.reference_types.contains(name)
    }

    fn variable(
        &mut self,
        node: Node<'_>,
        name: Node<'_>,
        declarator: &Declarator<'_>,
        type_text: &str,
        constant: bool,
    ) {
        let qualifiers = self.prepass.qualifiers(node.start(), name.start());
        let kind = if qualifiers.has(Qualifiers::SHARED) {
            match node.has_storage_class("extern", self.source) && declarator.rank() > 0 {
                true => VariableKind::DynamicShared,
                false => VariableKind::Shared,
            }
        } else if qualifiers.has(Qualifiers::DEVICE | Qualifiers::MANAGED)
            && !constant
            && !qualifiers.has(Qualifiers::CONSTANT | Qualifiers::CONSTEXPR)
        {
            VariableKind::Device
        } else {
            VariableKind::Constant
        };
        let storage = match kind {
            VariableKind::Constant => Storage::Nothing,
            _ => Storage::Memory,
        };
        let mut binding = Binding::object(storage, declarator, type_text);
        binding.dynamic_shared = kind == VariableKind::DynamicShared;
        binding.shared = kind == VariableKind::Shared;
        let file = (!is_header(self.path)).then(|| self.path.to_owned());
        let on_device = qualifiers.has(Qualifiers::CONSTANT | Qualifiers::DEVICE);
        let variable = Variable {
            file,
            constant: on_device && kind == VariableKind::Constant,
            constant_memory: qualifiers.has(Qualifiers::CONSTANT) && !constant,
            binding,
        };
        let (name, _) = split_name(name, self.source);
        let is_extern = node.has_storage_class("extern", self.source);
        let names = &mut self.facts.per_file;
        names.note(&name, qualifiers, !is_extern, self.path);
        if kind == VariableKind::Shared && !is_extern {
            self.facts.file_shared.insert(name.clone());
        }
        self.facts.variables.entry(name).or_default().push(variable);
    }
}
