//! Where a variable is named in a way that lets code change it which is no assignment to it.
//!
//! Only uses that are known to read are taken to do so. A name stands for a pointer, too, if it is that of an array
//! of which no element is selected.

use hirace_syntax::names::{Home, is_pure, meaning_in, takes_numbers};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, called_name, is_reference_type};

use super::names::{is_conversion, last_name};
use super::{Lowering, macros};
use crate::values::{Origin, Value, VariableId};

/// Methods that only read their object, whichever class it is of.
const READERS: &[&str] = &["capacity", "empty", "length", "size"];

/// Functions of libraries that return their argument, or a part of it.
const PASSING_ON: &[&str] = &["forward", "get", "move"];

/// Functions of libraries that change their arguments, or return what gives access to them.
const CHANGING: &[&str] = &[
    "addressof",
    "begin",
    "data",
    "end",
    "exchange",
    "fill_fragment",
    "load_matrix_sync",
    "mma_sync",
    "ref",
    "swap",
    "tie",
];

/// An expression that stands for a variable, or for a part of one.
struct Part<'t> {
    node: Node<'t>,
    variable: VariableId,
    /// The number of subscripts that lead to an element which is no array.
    rank: usize,
    /// Whether it does not name the variable alone, so that an assignment to it is no definition.
    is_hidden: bool,
}

impl<'t> Lowering<'t, '_> {
    /// Notes whether code around a name may change its variable.
    pub(super) fn use_of(&mut self, name: Node<'t>) {
        for variable in self.variables_of(name) {
            if self.may_be_changed_at(name, variable) {
                self.values.variables[variable].escapes = true;
            }
        }
    }

    /// Whether code around a name may change its variable, other than by an assignment to it.
    fn may_be_changed_at(&mut self, name: Node<'t>, variable: VariableId) -> bool {
        let mut part = Part {
            node: name,
            variable,
            rank: self.values.variables[variable].rank,
            is_hidden: self.is_macro(self.text(name)),
        };
        while let Some(outer) = part.node.parent() {
            if let Some(may_change) = self.changes(outer, &mut part, name) {
                return may_change;
            }
            part.node = part.node.parent().unwrap_or(part.node);
        }
        true
    }

    /// Whether a node may change a part of a variable, which is one of its parts. None if it stands for a part of the
    /// variable itself.
    fn changes(&mut self, outer: Node<'t>, part: &mut Part<'t>, name: Node<'t>) -> Option<bool> {
        let text = self.source.text;
        let is_array = part.rank > 0;
        let is_memory = self.values.variables[part.variable].is_memory;
        match (outer.kind(), part.node.field()) {
            (
                Kind::ParenthesizedExpression
                | Kind::InitializerList
                | Kind::InitializerPair
                | Kind::QualifiedIdentifier,
                _,
            ) => None,
            (Kind::ConditionalExpression, Field::Consequence | Field::Alternative)
            | (Kind::CommaExpression, Field::Right) => {
                part.is_hidden = true;
                None
            }
            (Kind::AssignmentExpression, Field::Left) | (Kind::UpdateExpression, _) => {
                Some(part.is_hidden && self.is_designated(name, part.variable))
            }
            (Kind::SubscriptExpression | Kind::FieldExpression, Field::Argument) if is_memory => {
                Some(false)
            }
            (Kind::SubscriptExpression, Field::Argument) => {
                part.rank = part.rank.saturating_sub(1);
                None
            }
            (Kind::FieldExpression, Field::Argument) => self.member(outer, part),
            (Kind::PointerExpression, _) if outer.is_address(text) => {
                Some(!self.is_written_by(outer, part.variable))
            }
            (Kind::PointerExpression, _) if is_array => {
                part.rank -= 1;
                None
            }
            (Kind::CastExpression, Field::Value) => {
                let target = outer.child(Field::Type);
                part.is_hidden = true;
                let is_reference = target.is_some_and(|it| is_reference_type(it, text));
                (!is_reference).then_some(is_array)
            }
            (Kind::InitDeclarator, _) => {
                let declaration = outer.parent().unwrap_or(outer);
                Some(self.initialises(declaration, outer, part.rank))
            }
            (Kind::Declaration, Field::Value) => {
                let declarator = outer.child(Field::Declarator);
                Some(declarator.is_none_or(|it| self.initialises(outer, it, part.rank)))
            }
            (Kind::ForRangeLoop, Field::Right) => {
                let declarator = outer.child(Field::Declarator);
                Some(declarator.is_some_and(|it| self.initialises(outer, it, 0)))
            }
            (Kind::CompoundLiteralExpression, Field::Value) => {
                let class = last_name(outer.child_text(Field::Type, text));
                Some(self.source.program.may_change_argument(class, 0, is_array))
            }
            (Kind::ArgumentList, _) => {
                let may_change = self.takes(outer, part);
                // What the call returns gives access to it.
                (part.node, part.is_hidden) = (outer, true);
                may_change
            }
            (Kind::BinaryExpression, side) => {
                let index = usize::from(side != Field::Left);
                Some(is_array || self.operator_may_change(outer, part.variable, index))
            }
            (Kind::AssignmentExpression, Field::Right)
            | (Kind::ReturnStatement | Kind::GnuAsmInputOperand | Kind::SubscriptArgumentList, _) => {
                Some(is_array)
            }
            (Kind::CallExpression, Field::Function) => {
                let is_macro = self.is_macro(self.text(name));
                (!is_macro).then(|| self.source.program.may_change_object("operator()"))
            }
            (Kind::LambdaCaptureInitializer, _) => Some(outer.text(text).starts_with('&')),
            (kind, _) => Some(!reads(kind)),
        }
    }

    /// The same for a member of it, or a method.
    fn member(&self, member: Node<'t>, part: &mut Part<'t>) -> Option<bool> {
        let program = self.source.program;
        if member.field() == Field::Function {
            return Some(self.method_may_change(member, part.variable));
        }
        let name = member.child_text(Field::Member, self.source.text);
        let around = member.parent().filter(|_| program.has_pointer_member(name));
        let is_followed = around.is_some_and(|it| match it.kind() {
            Kind::SubscriptExpression => member.field() == Field::Argument,
            Kind::FieldExpression => it.operator(self.source.text) == "->",
            Kind::PointerExpression => !it.is_address(self.source.text),
            _ => false,
        });
        if is_followed {
            return Some(false);
        }
        part.rank = usize::from(program.has_array_member(name));
        None
    }

    /// Whether what a name stands for designates the variable: the text of a macro may name others, too.
    fn is_designated(&self, name: Node<'_>, variable: VariableId) -> bool {
        let text = self.text(name);
        let root = macros::root(self.source.program, text).filter(|_| self.is_macro(text));
        root.is_none_or(|it| it == self.values.variables[variable].name)
    }

    /// Whether a call that gets the address of a shared variable is all that changes it there; it is one that sets the
    /// variable to anything.
    fn is_written_by(&mut self, address: Node<'t>, variable: VariableId) -> bool {
        let list = address.parent().filter(|it| it.is(Kind::ArgumentList));
        let call = list.and_then(Node::parent);
        let call = call.filter(|it| it.is(Kind::CallExpression));
        let Some(call) = call.filter(|_| self.values.variables[variable].is_shared) else {
            return false;
        };
        let place = self.place_after(call);
        self.define(variable, place, Value::Unknown, false, true);
        true
    }

    /// Whether something that a declaration declares with a part of a variable as its first value gives access to the
    /// variable.
    fn initialises(&self, declaration: Node<'_>, declarator: Node<'_>, rank: usize) -> bool {
        let text = self.source.text;
        let parts = Declarator::of(declarator, text);
        let is_constant = declaration.has_type_qualifier("const", text);
        let has_pointer = matches!(parts.nearest(), Some(Layer::Pointer(_)));
        let type_name = declaration.child_text(Field::Type, text);
        let class = last_name(type_name);
        let alias = self.source.program.alias(type_name).unwrap_or("");
        let is_reference =
            parts.is_reference() || type_name.starts_with("decltype") || alias.contains('&');
        if is_reference || has_pointer {
            return !is_constant && (is_reference || rank > 0);
        }
        // `auto p = a` is a pointer, too.
        rank > 0 || self.source.program.may_change_argument(class, 0, false)
    }

    fn method_may_change(&self, method: Node<'_>, variable: VariableId) -> bool {
        let program = self.source.program;
        let name = method.child_text(Field::Member, self.source.text);
        let is_group = self.values.variables[variable].group.is_some();
        match program.has_method(name) {
            true => program.may_change_object(name) || program.returns_access(name),
            false => {
                !is_group && meaning_in(Home::Group, name).is_none() && !READERS.contains(&name)
            }
        }
    }

    /// Whether a function may change the part of a variable that is an argument of it. None if it returns something
    /// that gives access to the variable.
    fn takes(&mut self, list: Node<'t>, part: &Part<'t>) -> Option<bool> {
        let program = self.source.program;
        let outer = list.parent()?;
        let rank = part.rank;
        let index = list.named_children().take_while(|it| *it != part.node);
        let index = index.count();
        if !outer.is(Kind::CallExpression) {
            // `Class object(argument)`, `: member(argument)`, `new Class(argument)`
            let declaration = outer.parent().filter(|_| outer.is(Kind::InitDeclarator));
            let Some(declaration) = declaration else {
                return Some(true);
            };
            let class = last_name(declaration.child_text(Field::Type, self.source.text));
            let is_passed = program.may_change_argument(class, index, rank > 0);
            return Some(is_passed || self.initialises(declaration, outer, rank));
        }
        let Some(callee) = outer.child(Field::Function) else {
            return Some(true);
        };
        let callee = callee.without_parentheses();
        let name = self.text(called_name(callee).0);
        let text = self.text(callee);
        if let Some(target) = callee.named_cast_type()
            && text.contains("_cast")
        {
            let target = self.text(target);
            return match target.contains('&') {
                true => None,
                false => Some(rank > 0 && !target.contains("const")),
            };
        }
        let functor = self.declared(text).filter(|_| callee.is(Kind::Identifier));
        if let Some(functor) = functor {
            let mut lambdas = self.lambdas_of.iter().filter(|it| it.0 == functor);
            return Some(match lambdas.next() {
                Some((_, takes_values)) => !takes_values,
                None => {
                    let is_local = self.values.variables[functor].origin == Origin::Local;
                    program.may_change_argument("operator()", index, rank > 0)
                        || is_local && !program.has_definition("operator()")
                        || program.has_lambdas_by_reference()
                }
            });
        }
        if matches!(
            callee.kind(),
            Kind::CallExpression | Kind::CompoundLiteralExpression
        ) {
            return Some(program.may_change_argument("operator()", index, rank > 0));
        }
        if self.source.is_template_parameter(name) && program.has_lambdas_by_reference() {
            return Some(true);
        }
        if !program.has_definition(name) && program.macro_texts(name).is_empty() {
            if PASSING_ON.contains(&name) {
                return None;
            }
            if CHANGING.contains(&name) {
                return Some(true);
            }
        }
        let is_macro = !program.macro_texts(name).is_empty();
        if is_macro && !macros::may_change(program, name) {
            let root = macros::root(program, name);
            let is_other =
                root.is_some_and(|it| self.declared(it).is_some() || program.is_declared(it));
            return is_other.then_some(false);
        }
        let keeps = is_pure(text)
            || takes_numbers(text)
            || is_conversion(text)
            || program.takes_values(text);
        self.values.variables[part.variable].is_passed_on |= !keeps;
        Some(is_macro || program.may_change_argument(name, index, rank > 0))
    }

    /// Whether an operator of a class may change its operand.
    fn operator_may_change(&self, node: Node<'_>, variable: VariableId, index: usize) -> bool {
        let name = format!("operator{}", node.operator(self.source.text));
        let program = self.source.program;
        self.values.variables[variable].is_class
            && (index == 0 && program.may_change_object(&name)
                || program.has_definition(&name)
                    && program.may_change_argument(&name, index, false))
    }
}

/// Whether a statement or an expression only reads what its parts compute.
fn reads(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::AlignofExpression
            | Kind::ArrayDeclarator
            | Kind::CaseStatement
            | Kind::CommaExpression
            | Kind::ConditionClause
            | Kind::ConditionalExpression
            | Kind::Decltype
            | Kind::DoStatement
            | Kind::ExpressionStatement
            | Kind::FoldExpression
            | Kind::ForStatement
            | Kind::IfStatement
            | Kind::KernelCallSyntax
            | Kind::NewExpression
            | Kind::Noexcept
            | Kind::PointerExpression
            | Kind::SizeofExpression
            | Kind::StaticAssertDeclaration
            | Kind::SubscriptExpression
            | Kind::SwitchStatement
            | Kind::TemplateArgumentList
            | Kind::UnaryExpression
            | Kind::WhileStatement
    )
}
