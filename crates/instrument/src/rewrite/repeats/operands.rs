//! The names in a function that cannot be changed unseen.

use std::collections::{HashMap, HashSet};

use crate::rewrite::binding::Storage;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::cuda::{is_atomic, takes_numbers};
use crate::rewrite::names::{is_intrinsic, is_scalar};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, declarators, split_name};

/// The kind of object that a name designates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A number that is local to the thread.
    Number,
    /// A pointer that is local to the thread.
    Pointer,
    /// An array with this number of dimensions, in any memory.
    Array(usize),
    /// A variable in shared memory that is not an array.
    Shared,
}

/// The names that a function declares.
#[derive(Debug, Default)]
pub(super) struct Operands {
    /// None for a name of any other kind, of several objects, or of an object that may be changed
    /// through another name.
    names: HashMap<String, Option<Operand>>,
    /// Those among them whose types consist of numbers, arrays and pointers only.
    of_numbers: HashMap<String, bool>,
    /// Numeric parameters of the enclosing templates.
    constants: HashSet<String>,
}

impl Operands {
    pub(super) fn get(&self, name: &str) -> Option<Operand> {
        self.names.get(name).copied().flatten()
    }

    /// Whether the function declares `name`.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    pub(super) fn is_constant(&self, name: &str) -> bool {
        self.constants.contains(name) && !self.declares(name)
    }

    pub(super) fn is_of_numbers(&self, name: &str) -> bool {
        self.of_numbers.get(name) == Some(&true)
    }

    fn declare(&mut self, name: &str, operand: Option<Operand>, numbers: bool) {
        *self.of_numbers.entry(name.to_owned()).or_insert(true) &= numbers;
        let known = self.names.entry(name.to_owned()).or_insert(operand);
        if *known != operand {
            *known = None;
        }
    }

    fn exclude(&mut self, name: &str) {
        if let Some(known) = self.names.get_mut(name) {
            *known = None;
        }
    }
}

impl Rewriter<'_> {
    /// The kinds of the names that a function declares.
    pub(super) fn operands_of(&self, node: Node<'_>, body: Node<'_>) -> Operands {
        let mut operands = Operands::default();
        for it in node.descendants() {
            match it.kind() {
                Kind::ParameterDeclaration | Kind::OptionalParameterDeclaration => {
                    self.declare_names(it, true, &mut operands);
                }
                Kind::Declaration | Kind::ForRangeLoop | Kind::VariadicParameterDeclaration => {
                    self.declare_names(it, false, &mut operands);
                }
                _ => {}
            }
        }
        self.template_constants(node, &mut operands);
        self.exclude_used_otherwise(node, body, &mut operands);
        operands
    }

    fn declare_names(&self, node: Node<'_>, parameter: bool, operands: &mut Operands) {
        let kind = node.child_text(Field::Type, self.source);
        for outer in node.children_in(Field::Declarator) {
            let declarator = Declarator::of(outer, self.source);
            let Some(name) = declarator.name else {
                continue;
            };
            let plain =
                name.is(Kind::Identifier) && !declarator.pack && !self.is_macro(self.text(name));
            let operand = plain
                .then(|| self.declared_operand(node, outer, &declarator, kind, parameter))
                .flatten();
            let numbers = self.is_number_type(kind);
            // All names of a structured binding.
            let names = name.descendants_of(Kind::Identifier);
            for name in names {
                operands.declare(self.text(name), operand, numbers);
            }
        }
    }

    fn declared_operand(
        &self,
        node: Node<'_>,
        outer: Node<'_>,
        declarator: &Declarator<'_>,
        kind: &str,
        parameter: bool,
    ) -> Option<Operand> {
        let qualifiers = self.prepass.qualifiers(node.start(), outer.start());
        let lasting = ["static", "extern", "thread_local"]
            .iter()
            .any(|it| node.has_storage_class(it, self.source));
        let volatile = node.has_type_qualifier("volatile", self.source);
        let own = !lasting && !qualifiers.has(Qualifiers::SHARED) && !node.is(Kind::ForRangeLoop);
        match declarator.nearest() {
            Some(Layer::Array) if parameter => Some(Operand::Pointer),
            Some(Layer::Array) => Some(Operand::Array(declarator.rank())),
            Some(Layer::Pointer(_)) if own => Some(Operand::Pointer),
            None if qualifiers.has(Qualifiers::SHARED) && !lasting => Some(Operand::Shared),
            None if own && !volatile && self.is_number_type(kind) => Some(Operand::Number),
            _ => None,
        }
    }

    /// The numeric parameters of the templates around a function.
    fn template_constants(&self, node: Node<'_>, operands: &mut Operands) {
        let templates = node
            .ancestors()
            .filter(|it| it.is(Kind::TemplateDeclaration));
        let lists = templates.filter_map(|it| it.child(Field::Parameters));
        for parameter in lists.flat_map(Node::named_children) {
            let kind = parameter.child_text(Field::Type, self.source);
            let declarator = declarators(parameter, self.source).next();
            let declarator = declarator.filter(|it| it.layers.is_empty());
            let name = declarator.filter(|_| self.is_number_type(kind));
            let name = name.and_then(|it| it.name);
            operands
                .constants
                .extend(name.map(|it| self.text(it).to_owned()));
        }
    }

    /// Drops the names of objects that may be reached through a reference or a pointer.
    fn exclude_used_otherwise(&self, node: Node<'_>, body: Node<'_>, operands: &mut Operands) {
        let mut seen = HashSet::new();
        for it in node.descendants().filter(|it| it.first_named().is_none()) {
            seen.insert(it.start());
            let name = self.text(it);
            if it.is(Kind::FieldIdentifier) {
                continue;
            }
            let used_by_value =
                matches!(operands.get(name), Some(Operand::Number | Operand::Pointer));
            let declared = it.field() == Field::Declarator || !body.range().contains(&it.start());
            if used_by_value
                && !(it.is(Kind::Identifier) && (declared || self.is_plain_use(it, operands)))
            {
                operands.exclude(name);
            }
        }
        // Uses that the tree does not show, and names in macros, count too.
        let words: Vec<(usize, &str)> = self.words_within(node.range()).collect();
        for (at, word) in words {
            if !seen.contains(&at) {
                operands.exclude(word);
            }
            if self.is_macro(word) {
                for named in self.words_of_macro(word) {
                    operands.exclude(&named);
                }
            }
        }
    }

    /// Whether the number or pointer `node` is only read as a value or assigned to.
    fn is_plain_use(&self, node: Node<'_>, operands: &Operands) -> bool {
        let Some(parent) = node.parent() else {
            return false;
        };
        let field = node.field();
        match parent.kind() {
            Kind::AssignmentExpression if field == Field::Left => {
                node.is(Kind::Identifier) && self.is_plain_result(parent, operands)
            }
            Kind::UpdateExpression => {
                node.is(Kind::Identifier) && self.is_plain_result(parent, operands)
            }
            _ => self.uses_value(node, operands),
        }
    }

    /// Whether the result of an assignment is discarded, or only its value is used.
    fn is_plain_result(&self, node: Node<'_>, operands: &Operands) -> bool {
        let Some(parent) = node.parent() else {
            return false;
        };
        match parent.kind() {
            Kind::ExpressionStatement | Kind::ForStatement => true,
            Kind::CommaExpression => {
                node.field() == Field::Left || self.is_plain_result(parent, operands)
            }
            _ => self.uses_value(node, operands),
        }
    }

    /// Whether the expression around `node` uses only its value.
    fn uses_value(&self, node: Node<'_>, operands: &Operands) -> bool {
        let Some(parent) = node.parent() else {
            return false;
        };
        let field = node.field();
        match parent.kind() {
            Kind::ConditionClause | Kind::ReturnStatement | Kind::ExpressionStatement => true,
            Kind::ForStatement => field != Field::Body,
            Kind::SwitchStatement | Kind::DoStatement => field == Field::Condition,
            Kind::ParenthesizedExpression => {
                let condition = parent.field() == Field::Condition;
                condition || self.uses_value(parent, operands)
            }
            Kind::CommaExpression => field == Field::Left || self.uses_value(parent, operands),
            Kind::ConditionalExpression => {
                field == Field::Condition || self.uses_value(parent, operands)
            }
            Kind::SubscriptExpression => field == Field::Argument && !self.may_bind("[]"),
            Kind::SubscriptArgumentList => {
                parent.named_children().count() == 1 && !self.may_bind("[]")
            }
            Kind::FieldExpression => parent.operator(self.source) == "->",
            Kind::PointerExpression => parent.operator(self.source) == "*",
            Kind::UnaryExpression | Kind::BinaryExpression => {
                let sign = parent.operator(self.source);
                let streamed = matches!(sign, "<<" | ">>") && field == Field::Right;
                !self.may_bind(sign) && (!streamed || self.is_number_of(parent, operands))
            }
            Kind::AssignmentExpression => {
                field == Field::Right && !self.may_bind(parent.operator(self.source))
            }
            Kind::CastExpression => {
                field == Field::Value
                    && parent
                        .child(Field::Type)
                        .is_some_and(|it| self.is_value_type(it))
            }
            Kind::InitDeclarator => field == Field::Value && self.declares_value(parent),
            Kind::Declaration => field == Field::Value && self.declares_value(parent),
            Kind::ArgumentList => parent
                .parent()
                .is_some_and(|it| self.is_taken_by_value(it, parent, node, operands)),
            _ => false,
        }
    }

    /// Whether both operands of a shift are numbers.
    fn is_number_of(&self, shift: Node<'_>, operands: &Operands) -> bool {
        shift
            .child(Field::Left)
            .is_some_and(|it| self.is_number_expression(it, operands))
    }

    /// Whether a type's name is certainly a number's.
    pub(super) fn is_number_type(&self, name: &str) -> bool {
        is_scalar(name) && !self.is_macro(name) && !self.facts.reference_types.contains(name)
    }

    /// Whether a type descriptor denotes a number or a pointer.
    pub(super) fn is_value_type(&self, descriptor: Node<'_>) -> bool {
        let text = descriptor.child_text(Field::Type, self.source);
        match descriptor.child(Field::Declarator) {
            None => self.is_number_type(text),
            Some(declarator) => {
                let layers = Declarator::of(declarator, self.source).layers;
                let pointer = |it: &Layer| matches!(it, Layer::Pointer(_));
                !layers.is_empty() && layers.iter().all(pointer)
            }
        }
    }

    /// Whether an initialiser's declarator certainly does not declare a reference.
    fn declares_value(&self, node: Node<'_>) -> bool {
        let (declaration, declarator) = match node.kind() {
            Kind::Declaration => (Some(node), node.child(Field::Declarator)),
            _ => (node.parent(), Some(node)),
        };
        let kind = declaration.and_then(|it| it.child(Field::Type));
        let (Some(kind), Some(declarator)) = (kind, declarator) else {
            return false;
        };
        let text = self.text(kind);
        match Declarator::of(declarator, self.source).layers.as_slice() {
            [] => self.is_number_type(text) || text == "auto",
            [Layer::Pointer(_), rest @ ..] => !rest.contains(&Layer::Reference),
            _ => false,
        }
    }

    /// Whether a call takes `argument` by value.
    fn is_taken_by_value(
        &self,
        call: Node<'_>,
        list: Node<'_>,
        argument: Node<'_>,
        operands: &Operands,
    ) -> bool {
        let Some(callee) = call
            .child(Field::Function)
            .filter(|_| call.is(Kind::CallExpression))
        else {
            return false;
        };
        if let Some(descriptor) = callee.named_cast_type() {
            let (name, _) = split_name(callee, self.source);
            return name.ends_with("_cast") && self.is_value_type(descriptor);
        }
        let name = self.text(callee);
        match callee.kind() {
            Kind::PrimitiveType => true,
            Kind::Identifier if operands.declares(name) || self.is_macro(name) => false,
            Kind::Identifier => match self.facts.functions.get(name) {
                Some(all) => {
                    let position = list.named_children().position(|it| it == argument);
                    all.iter().all(|it| {
                        position.and_then(|at| it.parameter(at)).is_some_and(|it| {
                            !it.reference && (it.pointer || self.is_number_type(&it.type_text))
                        })
                    })
                }
                None => {
                    takes_numbers(name)
                        || is_atomic(name)
                        || is_intrinsic(name)
                        || self.is_number_type(name)
                        || name == "printf"
                }
            },
            _ => false,
        }
    }

    /// Whether `name` is a file-scope variable that is a constant number on the device.
    pub(super) fn is_constant_at_file_scope(&self, name: &str) -> bool {
        let found = self.facts.variables.get(name);
        let found = found.map_or(&[][..], Vec::as_slice);
        let number = found.iter().all(|variable| {
            let shape = variable.binding.shape;
            variable.binding.storage == Storage::Nothing
                && shape.exact
                && shape.pointers == 0
                && shape.rank == 0
        });
        !found.is_empty() && number && self.member(name).is_none()
    }

    /// The number of dimensions of `name`, if it is an array at file scope.
    pub(super) fn is_array_at_file_scope(&self, name: &str) -> Option<usize> {
        let found = self.facts.variables.get(name)?;
        let rank = found.first()?.binding.shape.rank;
        let same = found.iter().all(|it| it.binding.shape.rank == rank);
        (rank > 0 && same && self.member(name).is_none()).then_some(rank)
    }
}
