//! What changes variables: assignments, and code that gets their addresses.

use hirace_syntax::names::{is_block_barrier, is_pure};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use super::Lowering;
use super::names::is_conversion;
use crate::values::{Barrier, Value, Variable, VariableId};

impl<'t> Lowering<'t, '_> {
    /// Notes what a node changes, after its parts.
    pub(super) fn note_changes(&mut self, node: Node<'t>) {
        match node.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                self.assignment(node);
                self.operator(node, node.assigned());
            }
            Kind::BinaryExpression => self.operator(node, node.child(Field::Left)),
            Kind::GnuAsmOutputOperand => self.all_escape(node),
            Kind::PointerExpression if node.is_address(self.source.text) => {
                let object = node.child(Field::Argument);
                self.escapes(object.and_then(|it| self.whole(it)));
            }
            Kind::CallExpression => self.call(node),
            _ => {}
        }
    }

    /// Notes that a statement which could not be parsed may change all variables that it names.
    pub(super) fn unparsed(&mut self, body: Node<'t>) {
        for error in body.descendants_of(Kind::Error) {
            let statement = error.ancestors().find(|it| it.is_statement());
            self.all_escape(statement.unwrap_or(body));
        }
    }

    /// Notes that code may change all variables that a node names.
    fn all_escape(&mut self, node: Node<'_>) {
        for name in node.descendants_of(Kind::Identifier) {
            self.escapes(self.variable(name));
        }
    }

    /// An operator of a class may change its object.
    fn operator(&mut self, node: Node<'t>, object: Option<Node<'t>>) {
        let variable = object.and_then(|it| self.whole(it));
        let Some(variable) = variable.filter(|it| self.values.variables[*it].is_class) else {
            return;
        };
        let name = format!("operator{}", node.operator(self.source.text));
        if self.source.program.may_change_object(&name) {
            self.escapes(Some(variable));
        }
    }

    /// The name of an array stands for a pointer to its elements, unless it selects one of them.
    pub(super) fn decay(&mut self, name: Node<'t>) {
        let variable = self.variable(name);
        let is_array = variable.is_some_and(|it| self.values.variables[it].is_array);
        let selects = name.parent().is_some_and(|it| match it.kind() {
            Kind::SubscriptExpression => name.field() == Field::Argument,
            // Which functions may change an argument, or what a reference refers to, is asked there.
            Kind::ArgumentList
            | Kind::InitDeclarator
            | Kind::ForRangeLoop
            | Kind::SizeofExpression
            | Kind::FieldExpression => true,
            _ => false,
        });
        if is_array && !selects {
            self.escapes(variable);
        }
    }

    fn escapes(&mut self, variable: Option<VariableId>) {
        if let Some(it) = variable {
            self.values.variables[it].escapes = true;
        }
    }

    /// The variable that an identifier stands for.
    fn variable(&self, identifier: Node<'_>) -> Option<VariableId> {
        match self.values.names.get(&identifier.start())? {
            Value::Variable(variable, _) => Some(*variable),
            _ => None,
        }
    }

    /// The variable of which an expression is a part or an element, or which it is.
    pub(super) fn whole(&self, expression: Node<'_>) -> Option<VariableId> {
        let expression = expression.without_parentheses();
        match expression.kind() {
            Kind::Identifier => {
                let variable = self.variable(expression)?;
                (!self.values.variables[variable].is_memory).then_some(variable)
            }
            Kind::FieldExpression | Kind::SubscriptExpression => {
                let inner = expression.child(Field::Argument)?;
                (!self.is_behind_member(expression)).then(|| self.whole(inner))?
            }
            _ => None,
        }
    }

    /// Whether an object is in memory that a member points to, as `p.out[i]` is.
    fn is_behind_member(&self, object: Node<'_>) -> bool {
        let outer = object.without_parentheses();
        let Some(inner) = outer.child(Field::Argument) else {
            return false;
        };
        let inner = inner.without_parentheses();
        let dereferences = match outer.kind() {
            Kind::SubscriptExpression => true,
            Kind::PointerExpression => !outer.is_address(self.source.text),
            Kind::FieldExpression => outer.operator(self.source.text) == "->",
            _ => false,
        };
        let is_pointer = || {
            let member = inner.child_text(Field::Member, self.source.text);
            inner.is(Kind::FieldExpression) && self.source.program.has_pointer_member(member)
        };
        dereferences && is_pointer() || self.is_behind_member(inner)
    }

    /// An assignment, `++` or `--`.
    fn assignment(&mut self, node: Node<'t>) {
        let Some(target) = node.assigned().map(Node::without_parentheses) else {
            return;
        };
        let root = root(target);
        let Some(variable) = root.and_then(|it| self.variable(it)) else {
            // It may be one of several variables.
            let choice = target.descendants_of(Kind::ConditionalExpression).next();
            return choice.into_iter().for_each(|it| self.all_escape(it));
        };
        let is_whole = Some(target) == root;
        if self.values.variables[variable].is_memory && !is_whole || self.is_behind_member(target) {
            return;
        }
        // Nothing here tells when, or how often, a lambda runs.
        if self.depths[variable] < self.lambdas {
            return self.escapes(Some(variable));
        }
        let assigned = node.child(Field::Right).map(|it| self.value(it));
        let mut parts: Vec<Value> = assigned.into_iter().collect();
        // Which element of an array is set may differ between threads.
        if !is_whole || node.operator(self.source.text) != "=" {
            parts.push(self.value(target));
        }
        let conditions = self.conditions(node);
        let replaces = is_whole && conditions.is_empty();
        parts.extend(conditions);
        let place = self.place_after(node);
        self.define(variable, place, Value::Parts(parts), replaces, true);
    }

    /// The conditions in the statement around an expression that decide whether it is evaluated.
    fn conditions(&self, expression: Node<'t>) -> Vec<Value> {
        let mut found = Vec::new();
        let mut inner = expression;
        while let Some(outer) = inner.parent().filter(|it| !it.is_statement()) {
            let operator = outer.operator(self.source.text);
            let decides = match (outer.kind(), inner.field()) {
                (Kind::BinaryExpression, Field::Right)
                    if ["&&", "||", "and", "or"].contains(&operator) =>
                {
                    outer.child(Field::Left)
                }
                (Kind::ConditionalExpression, Field::Consequence | Field::Alternative) => {
                    outer.child(Field::Condition)
                }
                _ => None,
            };
            found.extend(decides.map(|it| self.value(it)));
            inner = outer;
        }
        found
    }

    /// Notes a reference to a variable, or a pointer to an array, through which other code may change it.
    pub(super) fn note_reference(
        &mut self,
        declaration: Node<'t>,
        declarator: Node<'t>,
        value: Node<'t>,
    ) {
        let inner = match declarator.is(Kind::InitDeclarator) {
            true => declarator.child(Field::Declarator).unwrap_or(declarator),
            false => declarator,
        };
        let is_constant = declaration.has_type_qualifier("const", self.source.text);
        let Some(variable) = self.whole(value).filter(|_| !is_constant) else {
            return;
        };
        let is_array = self.values.variables[variable].is_array;
        let may_write = match inner.kind() {
            Kind::ReferenceDeclarator => true,
            Kind::PointerDeclarator => is_array,
            // `auto p = a` is a pointer, too.
            _ => is_array && value.is(Kind::Identifier),
        };
        if may_write {
            self.escapes(Some(variable));
        }
    }

    /// A reference changes when what it refers to is assigned.
    pub(super) fn follow_references(&mut self) {
        for (reference, variable) in std::mem::take(&mut self.references) {
            let definitions = self.values.definitions_of(variable).iter();
            let is_assigned = definitions
                .map(|it| &self.values.definitions[*it])
                .any(|it| it.is_assignment);
            let Variable { is_constant, .. } = self.values.variables[reference];
            let escapes = is_constant && self.values.variables[variable].escapes;
            self.values.variables[reference].escapes |= is_assigned || escapes;
        }
    }

    fn note_barrier(&mut self, call: Node<'t>, callee: Node<'t>) {
        let name = self.text(called_name(callee).0);
        let barrier = match callee.child(Field::Argument) {
            Some(object) if callee.is(Kind::FieldExpression) && name == "sync" => {
                Barrier::Object(self.value(object))
            }
            None if is_block_barrier(name) => Barrier::Block,
            None if name == "__syncwarp" && call.arguments().next().is_none() => Barrier::Warp,
            _ => return,
        };
        if !self.source.program.is_uncertain(call.start()) {
            self.values.barriers.insert(call.start(), barrier);
        }
    }

    /// What a call changes through its arguments and its object.
    fn call(&mut self, call: Node<'t>) {
        let Some(callee) = call.child(Field::Function) else {
            return;
        };
        let program = self.source.program;
        let function = self.text(called_name(callee).0);
        let object = callee.child(Field::Argument);
        let object = object.filter(|_| callee.is(Kind::FieldExpression));
        if let Some(variable) = object.and_then(|it| self.whole(it))
            && program.may_change_object(function)
        {
            self.escapes(Some(variable));
        }
        self.note_barrier(call, callee);
        if let Some(variable) = self.whole(callee).filter(|_| object.is_none())
            && program.may_change_object("operator()")
        {
            self.escapes(Some(variable));
        }
        let text = self.text(callee);
        let keeps = is_pure(text) || is_conversion(text) || program.takes_values(text);
        let is_macro = !program.macro_texts(function).is_empty();
        for (index, argument) in call.arguments().enumerate() {
            if is_macro
                && argument.is(Kind::Identifier)
                && !program.is_declared(self.text(argument))
            {
                // The macro may declare it.
                self.escapes(self.variable(argument));
            }
            let Some(variable) = self.whole(argument) else {
                continue;
            };
            let variable = &mut self.values.variables[variable];
            variable.escapes |= program.may_change_argument(function, index, variable.is_array);
            variable.is_passed_on |= !keeps;
        }
    }
}

/// The name of the variable of which an expression is a part, or an element, or to whose memory it leads.
fn root(expression: Node<'_>) -> Option<Node<'_>> {
    let expression = expression.without_parentheses();
    match expression.kind() {
        Kind::Identifier => Some(expression),
        Kind::FieldExpression | Kind::SubscriptExpression | Kind::PointerExpression => {
            root(expression.child(Field::Argument)?)
        }
        _ => None,
    }
}
