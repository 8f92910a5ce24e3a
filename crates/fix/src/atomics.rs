//! Repairs that replace a plain update of a location by an atomic one.

use hirace_report::{Access, Position, Race};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::words_in;

use super::edit::{Edit, Trial};
use super::syntax::{Sources, Syntax};

/// An atomic function, and the `Operation` of `device/hirace/executor/repair_trial.h` that it must perform
/// like the plain operator.
#[derive(Clone, Copy)]
pub(super) struct Function {
    pub name: &'static str,
    pub operation: &'static str,
}

/// CUDA's atomic functions, by the operators and functions that they can replace.
pub(super) fn function_for(operator: &str) -> Option<Function> {
    let (name, operation) = match operator {
        "+" | "++" => ("atomicAdd", "add"),
        "-" | "--" => ("atomicSub", "subtract"),
        "&" => ("atomicAnd", "bits"),
        "|" => ("atomicOr", "bits"),
        "^" => ("atomicXor", "bits"),
        "max" => ("atomicMax", "order"),
        "min" => ("atomicMin", "order"),
        _ => return None,
    };
    Some(Function { name, operation })
}

/// A statement that only changes a location.
struct Change<'t> {
    statement: Node<'t>,
    place: &'t str,
    function: Function,
    operand: &'t str,
}

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<(String, Vec<Edit>)> {
    let mut edits: Vec<Vec<Edit>> = Vec::new();
    for access in &race.accesses {
        let changes = sources
            .of(access)
            .and_then(|syntax| Some((syntax, change(syntax, access, race)?)));
        if let Some((syntax, change)) = changes {
            let forms = change.forms(syntax);
            if !edits.contains(&forms) {
                edits.push(forms);
            }
        }
    }
    let count = edits.iter().map(Vec::len).max().unwrap_or(0);
    let candidate = |form| {
        let forms = edits.iter();
        let chosen = forms.filter_map(|forms| forms.get(form).or(forms.first()).cloned());
        let chosen: Vec<Edit> = chosen.collect();
        let quoted: Vec<_> = chosen.iter().map(|it| sources.quoted(it)).collect();
        (quoted.join(" and "), chosen)
    };
    (0..count).map(candidate).collect()
}

impl Change<'_> {
    /// Whether the operand reads what the race is about, as in `s[t] += s[t + d]`. That read would race with
    /// the atomic as it does with the plain update. If the threads are of one block, it lacks a barrier.
    fn reads_what_races(&self, syntax: &Syntax<'_>, race: &Race) -> bool {
        let statement = self.statement.range();
        let is_in_operand = |it: &Access| {
            let Position {
                file, range, text, ..
            } = &it.position;
            file.as_deref() == Some(syntax.file)
                && statement.contains(&range.start)
                && text.as_deref() != Some(self.place)
        };
        let mut names = words_in(self.operand);
        let lacks_barrier = matches!(race.code.as_ref(), "HR001" | "HR002");
        race.accesses.iter().any(is_in_operand)
            || lacks_barrier && root(self.place).is_some_and(|root| names.any(|it| it == root))
    }

    /// The atomic calls that may have the same effect. `atomicSub` exists only for integers.
    fn forms(&self, syntax: &Syntax<'_>) -> Vec<Edit> {
        let mut forms = vec![self.edit(syntax, self.function, self.operand)];
        if let Some(add) = function_for("+").filter(|_| self.function.name == "atomicSub") {
            let simple = |it: char| it.is_alphanumeric() || "_.[]".contains(it);
            let negative = match self.operand.chars().all(simple) {
                true => format!("-{}", self.operand),
                false => format!("-({})", self.operand),
            };
            forms.push(self.edit(syntax, add, &negative));
        }
        forms
    }

    fn edit(&self, syntax: &Syntax<'_>, function: Function, operand: &str) -> Edit {
        let Function { name, operation } = function;
        let text = format!("{name}({}, {operand});", pointer(self.place));
        let demand = demand(operation, self.place, operand);
        Edit {
            file: syntax.file.to_owned(),
            range: self.statement.range(),
            trial: Trial::Switch {
                statements: 0..text.len(),
                instead: syntax.node_text(self.statement).to_owned(),
                demand: format!("{demand}; "),
            },
            text,
        }
    }
}

/// An expression that does not compile if an atomic function for values of this type would do something
/// else than the plain operation.
pub(super) fn demand(operation: &str, place: &str, operand: &str) -> String {
    format!(
        "::hirace::cpu::trial::demand<::hirace::cpu::trial::Operation::{operation}, \
         decltype({place}), decltype({operand})>()"
    )
}

/// The change that an access belongs to, if an atomic call can replace it. Reads are left out: as
/// atomics they would no longer race, but could still come too early or too late.
fn change<'t>(syntax: &'t Syntax<'_>, access: &Access, race: &Race) -> Option<Change<'t>> {
    if access.access.is_atomic() {
        return None;
    }
    let node = syntax.at(&access.position.range);
    if !syntax.is_on_device_only(node) || is_in_operator(syntax, node) {
        return None;
    }
    let found = updated(syntax, node, race).or_else(|| replaced_if(syntax, node))?;
    let is_its_place = found.place == access.position.text.as_deref()?;
    (is_its_place && !found.reads_what_races(syntax, race)).then_some(found)
}

/// Whether the access is in an operator of a class. Such an operator works on values, and its
/// callers are to blame if several threads share one. `operator()` is an ordinary call.
fn is_in_operator(syntax: &Syntax<'_>, node: Node<'_>) -> bool {
    let declared = node.enclosing_function().and_then(|it| syntax.declared(it));
    declared.is_some_and(|it| it.contains("operator") && !it.contains("operator()"))
}

/// `x += v;`, `x++;`, `x = x + v;`, `x = max(x, v);`, and `x = 1;` if all threads write the same
/// number.
fn updated<'t>(syntax: &'t Syntax<'_>, node: Node<'t>, race: &Race) -> Option<Change<'t>> {
    let text = |node: Node<'t>| syntax.node_text(node);
    let (change, target) = node.ancestors().find_map(|it| Some((it, it.assigned()?)))?;
    let statement = change.parent().filter(|it| is_statement(*it))?;
    let place = text(target.without_parentheses());
    let operator = syntax.operator(change);
    let (function, operand) = if change.is(Kind::UpdateExpression) {
        (function_for(operator)?, "1")
    } else {
        let right = change.child(Field::Right)?;
        match operator {
            "=" => computed(syntax, place, right.without_parentheses()).or_else(|| {
                let [one, other] = &race.accesses;
                let same = right.is(Kind::NumberLiteral) && one.position == other.position;
                let exchange = Function {
                    name: "atomicExch",
                    operation: "exchange",
                };
                same.then(|| (exchange, text(right)))
            })?,
            _ => (function_for(operator.strip_suffix('=')?)?, text(right)),
        }
    };
    Some(Change {
        statement,
        place,
        function,
        operand,
    })
}

/// The function and the operand of `x + v`, `max(x, v)` or `x < v ? v : x`, where `place` is x.
fn computed<'t>(
    syntax: &'t Syntax<'_>,
    place: &str,
    value: Node<'t>,
) -> Option<(Function, &'t str)> {
    let text = |node: Node<'t>| syntax.node_text(node.without_parentheses());
    match value.kind() {
        Kind::BinaryExpression => {
            let left = value.child(Field::Left)?;
            let right = value.child(Field::Right)?;
            let operator = syntax.operator(value);
            let function = function_for(operator)?;
            if text(left) == place {
                return Some((function, syntax.node_text(right)));
            }
            if text(right) == place && operator != "-" {
                return Some((function, syntax.node_text(left)));
            }
            sum(syntax, place, value)
        }
        Kind::CallExpression => {
            let callee = syntax.node_text(value.child(Field::Function)?);
            let callee = callee.trim_start_matches("std::").trim_start_matches("::");
            let function = function_for(callee).filter(|it| it.operation == "order")?;
            let arguments: Vec<_> = value.arguments().collect();
            match arguments.as_slice() {
                [a, b] if text(*a) == place => Some((function, syntax.node_text(*b))),
                [a, b] if text(*b) == place => Some((function, syntax.node_text(*a))),
                _ => None,
            }
        }
        Kind::ConditionalExpression => {
            let (lesser, greater) = compared(syntax, value.child(Field::Condition)?)?;
            let yes = text(value.child(Field::Consequence)?);
            let no = text(value.child(Field::Alternative)?);
            let operand = [lesser, greater].into_iter().find(|it| *it != place)?;
            let name = match (yes == greater, yes == lesser) {
                (true, false) => "max",
                (false, true) => "min",
                _ => return None,
            };
            let both = [yes, no].contains(&place) && [yes, no].contains(&operand);
            (both && is_plain(operand)).then_some((function_for(name)?, operand))
        }
        _ => None,
    }
}

/// `x + a - b`: the operand that is added to the place x.
fn sum<'t>(syntax: &'t Syntax<'_>, place: &str, value: Node<'t>) -> Option<(Function, &'t str)> {
    let mut first = value;
    loop {
        let left = first.child(Field::Left)?;
        let operator = first.child(Field::Operator)?;
        let name = syntax.node_text(operator);
        if !first.is(Kind::BinaryExpression) || !matches!(name, "+" | "-") {
            return None;
        }
        if syntax.node_text(left) == place {
            let rest = syntax.text.get(operator.end()..value.end())?;
            return (name == "+").then_some((function_for("+")?, rest.trim_start()));
        }
        first = left;
    }
}

/// `if (v < x) x = v;`
fn replaced_if<'t>(syntax: &'t Syntax<'_>, node: Node<'t>) -> Option<Change<'t>> {
    let statement = node.enclosing(Kind::IfStatement)?;
    if statement.child(Field::Alternative).is_some() || !is_statement_place(statement) {
        return None;
    }
    let mut body = statement.child(Field::Consequence)?;
    if body.is(Kind::CompoundStatement) {
        let mut inside = body.named_children();
        body = inside.next()?;
        if inside.next().is_some() {
            return None;
        }
    }
    let change = body.first_named()?;
    if !body.is(Kind::ExpressionStatement) || !change.is(Kind::AssignmentExpression) {
        return None;
    }
    let text = |field| change.child(field).map(|it| syntax.node_text(it));
    let (place, operand) = (text(Field::Left)?, text(Field::Right)?);
    let condition = statement.child(Field::Condition)?;
    let condition = condition.child(Field::Value).unwrap_or(condition);
    let (lesser, greater) = compared(syntax, condition)?;
    let name = match (lesser == operand, greater == operand) {
        (true, false) if greater == place => "min",
        (false, true) if lesser == place => "max",
        _ => return None,
    };
    let sound = text(Field::Operator)? == "=" && is_plain(operand) && is_plain(place);
    sound.then_some(Change {
        statement,
        place,
        function: function_for(name)?,
        operand,
    })
}

/// The lesser and the greater operand if a comparison holds.
fn compared<'t>(syntax: &'t Syntax<'_>, condition: Node<'t>) -> Option<(&'t str, &'t str)> {
    let condition = condition.without_parentheses();
    let text = |field| condition.child(field).map(|it| syntax.node_text(it));
    let (left, right) = (text(Field::Left)?, text(Field::Right)?);
    match text(Field::Operator)? {
        "<" | "<=" => Some((left, right)),
        ">" | ">=" => Some((right, left)),
        _ => None,
    }
}

/// Whether CUDA has the atomic function of a call for an object of so many bytes, as far as the declaration of its
/// variable tells the type.
pub(super) fn is_supported(
    call: &str,
    bytes: Option<u32>,
    syntax: &Syntax<'_>,
    node: Node<'_>,
    place: &str,
) -> bool {
    let kind = root(place).and_then(|it| type_of(syntax, node, it));
    let kind = kind.map(|it| alias(syntax, it).unwrap_or(it));
    if kind.is_some_and(|it| is_class(syntax, it)) {
        return false;
    }
    let has = |names: &[&str]| kind.is_some_and(|kind| names.iter().any(|it| kind.contains(it)));
    let name = call.split('(').next().unwrap_or(call);
    match bytes {
        Some(1 | 2) => name == "atomicAdd" && has(&["half", "bfloat16"]),
        _ if has(&["float", "double"]) => matches!(name, "atomicAdd" | "atomicExch"),
        _ => true,
    }
}

/// The type that the declaration of a variable names, in the function around a place.
fn type_of<'t>(syntax: &'t Syntax<'_>, place: Node<'t>, name: &str) -> Option<&'t str> {
    let function = place.enclosing_function()?;
    let declarations = function
        .descendants()
        .filter(|it| matches!(it.kind(), Kind::Declaration | Kind::ParameterDeclaration));
    let mut found = declarations.filter(|it| syntax.declares(*it, name));
    Some(found.next()?.child_text(Field::Type, syntax.text))
}

/// The type that an alias of the file names: `using name = type;` or `typedef type name;`.
fn alias<'t>(syntax: &Syntax<'t>, name: &str) -> Option<&'t str> {
    syntax.text.split(';').find_map(|statement| {
        // What comes before is another statement without a semicolon, such as a directive.
        let definition =
            |keyword: &str| Some(&statement[statement.rfind(keyword)? + keyword.len()..]);
        let typedef = || definition("typedef ")?.trim().strip_suffix(name);
        let using = || {
            let (alias, kind) = definition("using ")?.split_once('=')?;
            (alias.trim() == name).then_some(kind)
        };
        let ends_a_word = |it: &&str| it.ends_with(|it: char| it.is_whitespace() || it == '>');
        using()
            .or_else(|| typedef().filter(ends_a_word))
            .map(str::trim)
    })
}

/// Whether a type is a class: one of the file, or a complex number.
fn is_class(syntax: &Syntax<'_>, kind: &str) -> bool {
    kind.contains("omplex") || syntax.classes(kind).next().is_some()
}

/// The variable that an expression begins with.
fn root(place: &str) -> Option<&str> {
    words_in(place).next()
}

/// Whether evaluating an expression twice has the effect of evaluating it once.
pub(super) fn is_plain(expression: &str) -> bool {
    !["(", "++", "--", "="]
        .iter()
        .any(|it| expression.contains(it))
}

fn is_statement(node: Node<'_>) -> bool {
    node.is(Kind::ExpressionStatement) && is_statement_place(node)
}

/// Whether another statement may replace it: not in the head of a loop or a branch.
fn is_statement_place(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        Kind::CompoundStatement
        | Kind::ElseClause
        | Kind::CaseStatement
        | Kind::LabeledStatement => true,
        Kind::IfStatement => node.field() == Field::Consequence,
        _ => node.field() == Field::Body,
    }
}

/// `&x`, and `p` for `*p`.
pub(super) fn pointer(place: &str) -> String {
    let Some(pointer) = place.strip_prefix('*') else {
        return format!("&{place}");
    };
    let pointer = pointer.trim_start();
    let inner = pointer
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'))
        .filter(|it| !it.contains([')', ',']));
    inner.unwrap_or(pointer).to_owned()
}
