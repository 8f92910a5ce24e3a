//! What expressions compute.

use hirace_syntax::names::{is_pure, takes_numbers};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use super::Source;
use super::changes::is_own_member;
use super::names::{is_conversion, is_integer_name};
use crate::values::{Call, Dependence, Origin, Value, Values};

/// Reads expressions whose names have been looked up.
pub(super) struct Expressions<'v, 't, 'p> {
    pub source: Source<'t, 'p>,
    /// The variables, and what the identifier at a position stands for.
    pub values: &'v Values,
}

impl Expressions<'_, '_, '_> {
    /// What an expression computes.
    pub fn value(&self, expression: Node<'_>) -> Value {
        // What comes before it in the parentheses of an `if` decides nothing.
        let condition = expression.child(Field::Value);
        let condition = condition.filter(|_| expression.is(Kind::ConditionClause));
        let expression = condition.unwrap_or(expression).without_parentheses();
        let text = self.text(expression);
        let child = |field| expression.child(field).map(|it| self.value(it));
        match expression.kind() {
            Kind::NumberLiteral => Value::Constant(self.source.program.integer(text)),
            Kind::Identifier => {
                let known = self.values.names.get(&expression.start());
                known.cloned().unwrap_or(Value::Unknown)
            }
            Kind::This => Value::This,
            Kind::LambdaExpression => Value::Unknown,
            _ if is_own_member(expression) => {
                let known = self.values.names.get(&expression.start());
                known.cloned().unwrap_or(Value::Unknown)
            }
            Kind::FieldExpression => match child(Field::Argument) {
                Some(object) => {
                    let member = expression.child_text(Field::Member, self.source.text);
                    Value::Member(Box::new(object), member.to_owned())
                }
                None => Value::Unknown,
            },
            Kind::BinaryExpression => match (child(Field::Left), child(Field::Right)) {
                (Some(left), Some(right)) => Value::Binary {
                    operator: self.operator(expression).to_owned(),
                    sides: Box::new([left, right]),
                    is_torn: self.is_torn(expression),
                },
                _ => Value::Unknown,
            },
            Kind::UnaryExpression => match child(Field::Argument) {
                Some(argument) => {
                    Value::Unary(self.operator(expression).to_owned(), Box::new(argument))
                }
                None => Value::Unknown,
            },
            Kind::CastExpression => self.cast(expression),
            Kind::CallExpression => self.call(expression),
            Kind::AssignmentExpression if self.operator(expression) == "=" => {
                child(Field::Right).unwrap_or(Value::Unknown)
            }
            // `if (int n = f())`
            Kind::Declaration => {
                let first = expression.child(Field::Declarator);
                let first = first.and_then(|it| it.child(Field::Value));
                let value = child(Field::Value).or_else(|| Some(self.value(first?)));
                value.unwrap_or(Value::Unknown)
            }
            // Others may change the same object at the same time.
            Kind::UpdateExpression | Kind::AssignmentExpression
                if !self.is_own_variable(expression.assigned()) =>
            {
                Value::Unknown
            }
            Kind::CommaExpression => child(Field::Right).unwrap_or(Value::Unknown),
            // Which bytes there are does not depend on values.
            Kind::SizeofExpression | Kind::AlignofExpression => Value::Constant(None),
            Kind::CompoundLiteralExpression => self.literal(expression),
            Kind::NewExpression | Kind::CompoundStatement => Value::Unknown,
            _ => self.parts(expression),
        }
    }

    fn cast(&self, expression: Node<'_>) -> Value {
        let target = expression.child(Field::Type);
        // The grammar takes `(a) + 1` for a cast.
        let value = expression.child(Field::Value).map(|it| self.value(it));
        let operand = target.and_then(|it| self.values.names.get(&it.start()));
        let target = target.map_or("", |it| self.text(it));
        match value {
            Some(value) if operand.is_some() => {
                Value::Parts(operand.cloned().into_iter().chain([value]).collect())
            }
            Some(value) if is_integer_name(target) => Value::ToInteger(Box::new(value)),
            value => Value::Parts(value.into_iter().collect()),
        }
    }

    /// `Class{…}`
    fn literal(&self, expression: Node<'_>) -> Value {
        let class = expression.child_text(Field::Type, self.source.text);
        let program = self.source.program;
        let is_unknown =
            self.source.is_template_parameter(class) && program.has_classes_of_threads();
        match program.dependence_of_text(class) {
            Dependence::Arguments if !is_unknown => self.parts(expression),
            _ => Value::Unknown,
        }
    }

    fn parts(&self, node: Node<'_>) -> Value {
        let parts: Vec<Value> = node.named_children().map(|it| self.value(it)).collect();
        match parts.is_empty() {
            true => Value::Constant(None),
            false => Value::Parts(parts),
        }
    }

    fn call(&self, node: Node<'_>) -> Value {
        let Some(callee) = node.child(Field::Function) else {
            return Value::Unknown;
        };
        let mut arguments: Vec<Value> = node.arguments().map(|it| self.value(it)).collect();
        let text = self.text(callee);
        if arguments.len() == 1 && is_conversion(text) {
            return Value::ToInteger(Box::new(arguments.remove(0)));
        }
        if callee.named_cast_type().is_some() && text.contains("_cast<") {
            return Value::Parts(arguments);
        }
        let callee = callee.without_parentheses();
        let object = callee.child(Field::Argument);
        let object = object.filter(|_| callee.is(Kind::FieldExpression));
        let name = self.text(called_name(callee).0);
        let known = self.values.names.get(&callee.start());
        let known = known.filter(|_| callee.is(Kind::Identifier));
        let is_variable = known.is_some_and(|it| self.is_declared_as(it, name));
        if !is_variable
            && let Some(known) = known
            && !self.source.program.macro_texts(name).is_empty()
        {
            arguments.push(known.clone());
            return Value::Parts(arguments);
        }
        // Template arguments may be classes of the program.
        let of_arguments = || self.source.program.dependence_of_text(text);
        let by_source = self.source.program.dependence(name);
        let by_source = by_source.map(|it| it.max(of_arguments()));
        let depends = match by_source {
            _ if is_variable => Dependence::Thread,
            Some(it) => it,
            None if object.is_none() && (is_pure(name) || takes_numbers(name)) => {
                Dependence::Arguments
            }
            None => Dependence::Thread,
        };
        let callee = match object {
            Some(_) => callee.child_text(Field::Member, self.source.text),
            None => text,
        };
        Value::Call(Box::new(Call {
            callee: callee.to_owned(),
            object: match object {
                Some(it) => Some(self.value(it)),
                // A method may call others of its object without naming it.
                None => (self.source.is_method && self.source.program.has_method(name))
                    .then_some(Value::This),
            },
            arguments,
            returns: match object {
                Some(_) => None,
                None => self.source.group(text),
            },
            depends,
        }))
    }

    /// Whether an expression names a variable that a thread has for itself, or an element of one.
    fn is_own_variable(&self, target: Option<Node<'_>>) -> bool {
        let Some(target) = target.map(Node::without_parentheses) else {
            return false;
        };
        match target.kind() {
            Kind::Identifier => {
                let known = self.values.names.get(&target.start());
                matches!(known, Some(Value::Variable(it, _)) if {
                    let variable = &self.values.variables[*it];
                    let is_local = matches!(variable.origin, Origin::Local | Origin::Parameter(_));
                    is_local && !variable.is_shared && !variable.is_class
                })
            }
            Kind::SubscriptExpression => {
                let array = target.child(Field::Argument);
                let known = array.and_then(|it| self.values.names.get(&it.start()));
                let is_array = matches!(known, Some(Value::Variable(it, _)) if self.values.variables[*it].rank > 0);
                is_array && self.is_own_variable(array)
            }
            _ => false,
        }
    }

    /// Whether a value is that of a variable which the function declares by this name.
    fn is_declared_as(&self, value: &Value, name: &str) -> bool {
        let Value::Variable(variable, _) = value else {
            return false;
        };
        let variable = &self.values.variables[*variable];
        variable.name == name && matches!(variable.origin, Origin::Local | Origin::Parameter(_))
    }

    /// Whether a tree has an operation that the text does not have; see [`Value::Binary`].
    fn is_torn(&self, expression: Node<'_>) -> bool {
        let outer = expression.parent();
        let outer = outer.filter(|it| it.is(Kind::BinaryExpression));
        let binds = |it| precedence(self.operator(it));
        outer.is_some_and(|outer| binds(outer) > binds(expression))
    }

    fn operator(&self, node: Node<'_>) -> &str {
        node.operator(self.source.text)
    }

    fn text(&self, node: Node<'_>) -> &str {
        node.text(self.source.text)
    }
}

/// How tightly an operator binds: the higher, the tighter.
fn precedence(operator: &str) -> u32 {
    match operator {
        "*" | "/" | "%" => 9,
        "+" | "-" => 8,
        "<<" | ">>" => 7,
        "<" | "<=" | ">" | ">=" => 6,
        "==" | "!=" => 5,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        "&&" => 1,
        _ => 0,
    }
}
