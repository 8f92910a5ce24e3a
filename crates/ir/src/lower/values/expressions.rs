//! What expressions compute.

use std::collections::HashMap;

use hirace_syntax::tree::{Field, Kind, Node};

use super::Source;
use super::names::{is_conversion, is_integer_name};
use crate::values::{Call, Value};

/// Reads expressions whose names have been looked up.
pub(super) struct Expressions<'v, 't, 'p> {
    pub source: Source<'t, 'p>,
    /// What the identifier at a position stands for.
    pub names: &'v HashMap<usize, Value>,
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
            Kind::NumberLiteral => Value::Constant(self.integer(text)),
            Kind::Identifier => {
                let known = self.names.get(&expression.start());
                known.cloned().unwrap_or(Value::Unknown)
            }
            Kind::This => Value::This,
            Kind::LambdaExpression => Value::Unknown,
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
            Kind::CastExpression => {
                let target = expression.child_text(Field::Type, self.source.text);
                match child(Field::Value) {
                    Some(value) if is_integer_name(target) => Value::ToInteger(Box::new(value)),
                    value => Value::Parts(value.into_iter().collect()),
                }
            }
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
            Kind::CommaExpression => child(Field::Right).unwrap_or(Value::Unknown),
            _ => self.parts(expression),
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
        let object = callee.child(Field::Argument);
        let object = object.filter(|_| callee.is(Kind::FieldExpression));
        let callee = match object {
            Some(_) => callee.child_text(Field::Member, self.source.text),
            None => text,
        };
        Value::Call(Box::new(Call {
            callee: callee.to_owned(),
            object: object.map(|it| self.value(it)),
            arguments,
            returns: match object {
                Some(_) => None,
                None => self.source.group(text),
            },
        }))
    }

    fn integer(&self, text: &str) -> Option<i64> {
        let is_octal = text.len() > 1 && text.starts_with('0');
        self.source.program.integer(text).filter(|_| !is_octal)
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
