//! Repairs that make a read and the write after it one atomic operation: an exchange, an update that
//! returns the old value, or a compare-and-swap if the write depends on a comparison.
//!
//! The operation has the same effect as the two statements, because nothing comes between them and
//! the new value needs nothing that they change.

use hirace_report::{Access, Race};
use hirace_syntax::tree::{Field, Kind, Node};

use super::atomics::{Function, demand, function_for, is_plain, pointer};
use super::edit::{Edit, Trial};
use super::insert;
use super::syntax::{Sources, Syntax};

/// A change, as a fragment in Markdown, and its edits.
type Change = (String, Vec<Edit>);

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    for access in &race.accesses {
        let changes = sources.of(access).and_then(|it| of_access(it, access));
        let new = changes.filter(|(_, edits)| !found.iter().any(|it| it.1 == *edits));
        found.extend(new);
    }
    found
}

fn of_access(syntax: &Syntax<'_>, access: &Access) -> Option<Change> {
    let node = syntax.at(&access.position.range);
    let is_editable = !access.access.is_atomic()
        && !syntax.is_uncertain(node.start())
        && syntax.is_on_device_only(node);
    let place = access.position.text.as_deref()?;
    if !is_editable || syntax.node_text(node) != place || !is_plain(place) {
        return None;
    }
    claimed(syntax, node, place)
        .or_else(|| exchanged(syntax, node, place))
        .or_else(|| counted(syntax, node, place))
}

/// `v = x; x = value;` or `v = x; x = v + value;`, where `v` may be a new variable.
fn exchanged(syntax: &Syntax<'_>, node: Node<'_>, place: &str) -> Option<Change> {
    let statement = insert::statement_of(node)?;
    let mut siblings = statement.parent()?.named_children();
    let is_store = statement
        .first_named()
        .and_then(Node::assigned)
        .is_some_and(|it| syntax.node_text(it) == place);
    let store = match is_store {
        true => statement,
        false => siblings.find(|it| it.start() >= statement.end())?,
    };
    let read = store
        .parent()?
        .named_children()
        .take_while(|it| it.start() < store.start())
        .last()?;
    let (target, source) = copied(syntax, read)?;
    // An index in the target does not change.
    let changed = words(target).next();
    let (function, operand) = update(syntax, store, place, target)?;
    let is_apart = words(operand).all(|it| Some(it) != changed);
    if syntax.node_text(source) != place || !is_apart {
        return None;
    }
    let Function { name, operation } = function;
    let call = format!("{name}({}, {operand})", pointer(place));
    let line = syntax.place(source.start());
    let what = format!("`{call}` on {line} for the read and the write of `{place}`");
    let demand = demand(operation, place, operand);
    let edits = vec![
        replaced(syntax, source, call, demand),
        removed(syntax, store),
    ];
    Some((what, edits))
}

/// What a statement does to a place whose value the variable `old` has: `x = value;`, `x = old + value;`,
/// `x += value;` or `x++;`.
fn update<'t>(
    syntax: &'t Syntax<'_>,
    statement: Node<'t>,
    place: &str,
    old: &str,
) -> Option<(Function, &'t str)> {
    let exchange = Function {
        name: "atomicExch",
        operation: "exchange",
    };
    let text = |it| syntax.node_text(it);
    let change = statement.first_named()?;
    let is_change = statement.is(Kind::ExpressionStatement)
        && change.assigned().is_some_and(|it| text(it) == place);
    if !is_change {
        return None;
    }
    let operator = syntax.operator(change);
    let (function, operand) = match change.child(Field::Right) {
        None => (function_for(operator)?, "1"),
        Some(value) if operator == "=" => {
            let value = value.without_parentheses();
            let operands = [Field::Left, Field::Right].map(|it| value.child(it).map(text));
            match operands {
                [Some(left), Some(right)] if value.is(Kind::BinaryExpression) && left == old => {
                    (function_for(syntax.operator(value))?, right)
                }
                [Some(left), Some(right)] if syntax.operator(value) == "+" && right == old => {
                    (function_for("+")?, left)
                }
                _ => (exchange, text(value)),
            }
        }
        Some(value) => (function_for(operator.strip_suffix('=')?)?, text(value)),
    };
    is_value(operand).then_some((function, operand))
}

/// `x++` where the value is used, as in `items[count++] = item`.
pub(super) fn counted(syntax: &Syntax<'_>, node: Node<'_>, place: &str) -> Option<Change> {
    let update = node.enclosing(Kind::UpdateExpression)?;
    let target = update.child(Field::Argument)?;
    if syntax.node_text(target.without_parentheses()) != place
        || update.parent()?.is(Kind::ExpressionStatement)
    {
        return None;
    }
    let operator = syntax.operator(update);
    let Function { name, operation } = function_for(operator)?;
    let call = format!("{name}({}, 1)", pointer(place));
    let text = match target.start() == update.start() {
        true => call.clone(),
        // The value of `++x` is the new one.
        false => format!("({call} {} 1)", operator.get(..1)?),
    };
    let line = syntax.place(update.start());
    let demand = demand(operation, place, "1");
    let edit = replaced(syntax, update, text, demand);
    Some((format!("`{call}` on {line}"), vec![edit]))
}

/// `if (x == old) { x = value; … }`
fn claimed(syntax: &Syntax<'_>, node: Node<'_>, place: &str) -> Option<Change> {
    let branch = node.enclosing(Kind::IfStatement)?;
    let condition = branch.child(Field::Condition)?;
    let condition = condition.child(Field::Value).unwrap_or(condition);
    let condition = condition.without_parentheses();
    let operands = [Field::Left, Field::Right].map(|it| condition.child(it));
    let [Some(left), Some(right)] = operands else {
        return None;
    };
    let (left, right) = (syntax.node_text(left), syntax.node_text(right));
    let old = match (left == place, right == place) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    let body = branch.child(Field::Consequence)?;
    let store = body.named_children().next()?;
    let value = stored(syntax, store, place)?;
    let is_whole = body.is(Kind::CompoundStatement) && syntax.operator(condition) == "==";
    if !is_whole || !is_value(old) {
        return None;
    }
    let call = format!("atomicCAS({}, {old}, {value})", pointer(place));
    let line = syntax.place(condition.start());
    let what = format!("`{call}` on {line} for the comparison and the write of `{place}`");
    let demand = demand("bits", place, value);
    let edits = vec![
        replaced(syntax, condition, format!("{call} == {old}"), demand),
        removed(syntax, store),
    ];
    Some((what, edits))
}

/// The value of `place = value;`.
fn stored<'t>(syntax: &'t Syntax<'_>, statement: Node<'t>, place: &str) -> Option<&'t str> {
    let (target, value) = copied(syntax, statement)?;
    let value = syntax.node_text(value);
    (target == place && is_value(value)).then_some(value)
}

/// The target and the value of `target = value;` or of the declaration of one variable.
fn copied<'t>(syntax: &'t Syntax<'_>, statement: Node<'t>) -> Option<(&'t str, Node<'t>)> {
    let mut inside = statement.named_children();
    if statement.is(Kind::Declaration) {
        let mut variables = inside.filter(|it| it.is(Kind::InitDeclarator));
        let variable = variables.next()?;
        let is_only = variables.next().is_none();
        let name = syntax.declared(statement).filter(|_| is_only)?;
        return Some((name, variable.child(Field::Value)?));
    }
    let assignment = inside.next()?;
    let is_assignment = statement.is(Kind::ExpressionStatement)
        && assignment.is(Kind::AssignmentExpression)
        && syntax.operator(assignment) == "=";
    let target = assignment.child(Field::Left).filter(|_| is_assignment)?;
    Some((
        syntax.node_text(target),
        assignment.child(Field::Right)?.without_parentheses(),
    ))
}

/// Whether an expression consists of numbers and variables only, and not of what pointers lead to.
fn is_value(expression: &str) -> bool {
    is_plain(expression)
        && !["[", "*", "->", "."]
            .iter()
            .any(|it| expression.contains(it))
}

fn words(expression: &str) -> impl Iterator<Item = &str> {
    let is_separator = |it: char| !it.is_alphanumeric() && it != '_';
    let words = expression.split(is_separator);
    words.filter(|it| it.starts_with(|first: char| !first.is_ascii_digit()))
}

fn replaced(syntax: &Syntax<'_>, node: Node<'_>, text: String, demand: String) -> Edit {
    Edit {
        file: syntax.file.to_owned(),
        range: node.range(),
        text,
        trial: Trial::Value {
            instead: syntax.node_text(node).to_owned(),
            demand,
        },
    }
}

/// The removal of a statement, with its line if it is alone there.
fn removed(syntax: &Syntax<'_>, statement: Node<'_>) -> Edit {
    let (lines, text) = (syntax.lines, syntax.text);
    let (start, end) = (statement.start(), statement.end());
    let rest = text.get(end..lines.end(end)).unwrap_or_default();
    let is_alone = lines.is_first(start) && rest.trim().is_empty();
    let blanks = rest.len() - rest.trim_start().len();
    let range = match is_alone {
        true => lines.start(start)..(lines.range(end).end + 1).min(text.len()),
        false => start..end + blanks,
    };
    Edit {
        file: syntax.file.to_owned(),
        range,
        text: String::new(),
        trial: Trial::Switch {
            statements: 0..0,
            instead: syntax.node_text(statement).to_owned(),
            demand: String::new(),
        },
    }
}
