//! Whether the text shows that all threads of a group reach a statement: the questions that fixes ask of the divergence
//! analysis ([`hirace_ir::divergence`]).

mod program;
#[cfg(test)]
mod tests;
mod units;

use std::rc::Rc;

use hirace_ir::divergence::Divergence;
use hirace_ir::lower::values;
use hirace_ir::values::{Origin, Value, Values};
use hirace_syntax::tree::{Kind, Node};

use super::syntax::{Lowered, Sources, Syntax};

pub(super) use hirace_ir::divergence::Group;

/// Whether all threads of the group that run the kernel reach `node`.
pub(super) fn passed_by_all(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    node: Node<'_>,
    group: Group,
) -> bool {
    let asked = Asked::around(sources, syntax, node);
    asked.is_some_and(|it| {
        let place = it.lowered.flow.place(node);
        let program = program::OfFile { sources, syntax };
        let place = place.filter(|_| !program.is_in_macro(node));
        place.is_some_and(|place| it.divergence(group).is_reached_by_all(place))
    })
}

/// Whether an expression has one value for all threads of the group.
pub(super) fn is_uniform(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    expression: Node<'_>,
    group: Group,
) -> bool {
    let asked = Asked::around(sources, syntax, expression);
    asked.is_some_and(|it| it.divergence(group).agree_on(&it.value(expression)))
}

/// The variable of a cooperative group whose barrier is one of this group, if the function around a place
/// has declared one before it.
pub(super) fn object_for(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    place: Node<'_>,
    group: Group,
) -> Option<String> {
    let asked = Asked::around(sources, syntax, place)?;
    let divergence = asked.divergence(group);
    divergence.object_at(place.start()).map(str::to_owned)
}

/// Whether the number of a warp or a tile selects the place, as with an array that has an element per warp.
pub(super) fn is_of_one(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    place: Node<'_>,
    group: Group,
) -> bool {
    let Some(asked) = Asked::around(sources, syntax, place) else {
        return false;
    };
    let (of_group, of_block) = (asked.divergence(group), asked.divergence(Group::Block));
    let value = asked.value(place);
    value.any(&mut |it| {
        let selects = |it: &Value| {
            matches!(
                it,
                Value::Variable(..) | Value::Call(_) | Value::Binary { .. }
            ) && of_group.agree_on(it)
                && !of_block.agree_on(it)
        };
        let mut referenced = referenced(&asked.lowered.values, it).into_iter();
        selects(it) || referenced.any(|it| it.any(&mut |it| selects(it)))
    })
}

/// What a variable refers to, if it is a reference.
fn referenced<'v>(values: &'v Values, value: &Value) -> Option<&'v Value> {
    let Value::Variable(variable, _) = value else {
        return None;
    };
    let declared = &values.variables[*variable];
    let is_local = declared.is_reference && declared.origin == Origin::Local;
    let first = values
        .definitions_of(*variable)
        .first()
        .filter(|_| is_local)?;
    Some(&values.definitions[*first].value)
}

/// Whether a statement is a barrier of the group, or of a larger one.
pub(crate) fn is_barrier(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    group: Group,
) -> bool {
    if !statement.is(Kind::ExpressionStatement) {
        return false;
    }
    let asked = Asked::around(sources, syntax, statement);
    asked.is_some_and(|it| it.divergence(group).is_barrier(statement.start()))
}

/// The function around a place that a question is about.
struct Asked<'s> {
    sources: &'s Sources<'s>,
    syntax: &'s Syntax<'s>,
    function: Node<'s>,
    lowered: Rc<Lowered>,
}

impl<'s> Asked<'s> {
    /// None in a lambda, of which the text does not show where it runs.
    fn around(sources: &'s Sources<'s>, syntax: &'s Syntax<'s>, node: Node<'s>) -> Option<Self> {
        let function = node.enclosing_function();
        let function = function.filter(|it| it.is(Kind::FunctionDefinition))?;
        Some(Self {
            sources,
            syntax,
            function,
            lowered: sources.lowered(syntax, function),
        })
    }

    fn divergence(&self, group: Group) -> Rc<Divergence> {
        self.sources.divergence(self.syntax, self.function, group)
    }

    fn value(&self, expression: Node<'_>) -> Value {
        let program = program::OfFile {
            sources: self.sources,
            syntax: self.syntax,
        };
        let source = units::source(self.syntax, self.function, &self.lowered.flow, &program);
        values::value(source, &self.lowered.values, expression)
    }
}
