//! What changes variables: assignments, and code that gets their addresses.

use hirace_syntax::names::{is_block_barrier, is_pure, meaning, takes_numbers};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use super::Lowering;
use crate::values::{Barrier, Origin, Value, Variable, VariableId};

impl<'t> Lowering<'t, '_> {
    /// Notes what a node changes, after its parts.
    pub(super) fn note_changes(&mut self, node: Node<'t>) {
        match node.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                self.assignment(node);
                self.operator(node, node.assigned());
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
    pub(super) fn all_escape(&mut self, node: Node<'_>) {
        for name in node.descendants() {
            for variable in self.variables_of(name) {
                self.escapes(Some(variable));
            }
        }
    }

    /// The same for all variables in a value.
    pub(super) fn all_escape_in(&mut self, value: &Value) {
        for variable in variables_in(value) {
            self.escapes(Some(variable));
        }
    }

    /// The variables that a name stands for: several, if it is that of a macro.
    pub(super) fn variables_of(&self, name: Node<'_>) -> Vec<VariableId> {
        let is_name = matches!(name.kind(), Kind::Identifier | Kind::FieldExpression);
        let value = self.values.names.get(&name.start()).filter(|_| is_name);
        value.map_or_else(Vec::new, variables_in)
    }

    /// An operator of a class may change its object.
    fn operator(&mut self, node: Node<'t>, object: Option<Node<'t>>) {
        let variable = object.and_then(|it| self.whole(it));
        let Some(variable) = variable.filter(|it| self.values.variables[*it].is_class) else {
            return;
        };
        let name = format!("operator{}", node.operator(self.source.text));
        let program = self.source.program;
        let is_free = program.has_definition(&name) && program.may_change_argument(&name, 0, false);
        if program.may_change_object(&name) || is_free {
            self.escapes(Some(variable));
        }
    }

    fn escapes(&mut self, variable: Option<VariableId>) {
        if let Some(it) = variable {
            self.values.variables[it].escapes = true;
        }
    }

    /// The variable that an identifier stands for.
    pub(super) fn variable(&self, identifier: Node<'_>) -> Option<VariableId> {
        match self.values.names.get(&identifier.start())? {
            Value::Variable(variable, _) => Some(*variable),
            _ => None,
        }
    }

    /// The variable of which an expression is a part or an element, or which it is.
    pub(super) fn whole(&self, expression: Node<'_>) -> Option<VariableId> {
        let expression = expression.without_parentheses();
        match expression.kind() {
            _ if expression.is(Kind::Identifier) || is_own_member(expression) => {
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
            // `(a = b) += c`
            if target.assigned().is_some() {
                self.all_escape(target);
            }
            return;
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
        let is_certain = !self.source.program.is_uncertain(node.start());
        let replaces = is_whole && conditions.is_empty() && is_certain;
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

    /// Methods of the own object that are called may change its members.
    pub(super) fn change_members(&mut self) {
        let members = self.values.variables.iter_mut();
        for member in members.filter(|it| self.members_change && it.origin == Origin::Member) {
            member.escapes = true;
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
            None if name == "sync" && callee.is(Kind::QualifiedIdentifier) => {
                let group = call.arguments().next();
                Barrier::Object(group.map_or(Value::Unknown, |it| self.value(it)))
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
        let is_own = self.source.is_method && object.is_none_or(is_own_object);
        self.members_change |= is_own && program.may_change_object(function);
        self.note_barrier(call, callee);
        let is_known = program.has_definition(function)
            || is_pure(function)
            || takes_numbers(function)
            || meaning(function).is_some();
        for argument in call.arguments().filter(|_| !is_known && object.is_none()) {
            if argument.is(Kind::Identifier) && !program.is_declared(self.text(argument)) {
                // It may be a macro that declares it.
                self.escapes(self.variable(argument));
            }
        }
    }
}

fn variables_in(value: &Value) -> Vec<VariableId> {
    let mut found = Vec::new();
    value.any(&mut |it| {
        if let Value::Variable(variable, _) = it {
            found.push(*variable);
        }
        false
    });
    found
}

/// Whether an expression is the object whose method this is.
fn is_own_object(object: Node<'_>) -> bool {
    let object = object.without_parentheses();
    let inner = object.child(Field::Argument);
    let is_own = |it: Node<'_>| it.without_parentheses().is(Kind::This);
    is_own(object) || object.is(Kind::PointerExpression) && inner.is_some_and(is_own)
}

/// Whether an expression is a member of that object, as `this->member`.
pub(super) fn is_own_member(expression: Node<'_>) -> bool {
    let object = expression.child(Field::Argument);
    expression.is(Kind::FieldExpression) && object.is_some_and(is_own_object)
}

/// The name of the variable of which an expression is a part, or an element, or to whose memory it leads.
fn root(expression: Node<'_>) -> Option<Node<'_>> {
    let expression = expression.without_parentheses();
    match expression.kind() {
        Kind::Identifier => Some(expression),
        Kind::FieldExpression if is_own_member(expression) => Some(expression),
        Kind::FieldExpression | Kind::SubscriptExpression | Kind::PointerExpression => {
            root(expression.child(Field::Argument)?)
        }
        _ => None,
    }
}
