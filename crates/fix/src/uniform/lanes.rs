//! The values that an expression has in the lanes of a warp, if these have consecutive numbers.
//!
//! `threadIdx.x` rises by one from lane to lane, and starts at a multiple of 32. Sums and multiples
//! of such values rise by a fixed step from a number with a known residue. This decides whether all
//! lanes agree on a quotient or a comparison: they agree on `t / 32` and `t < 64`, but not on
//! `7 * t / 32` and `7 * t < 64`. All of this holds for mathematical integers. For a value that may
//! be too large for its type, or negative and unsigned, only what holds modulo any power of two is
//! kept. A kernel that uses `threadIdx.y` or `threadIdx.z` may have other warps.

use hirace_syntax::tree::{Field, Kind, Node};

use super::affine::{AffineValue, WARP_SIZE};
use super::{Check, Scope, Syntax, groups, is_pure};

/// The longest chain of variables to follow for a value.
const MAX_VARIABLES: usize = 8;

/// Types that can represent all values from 0 to [`AffineValue::MAX`].
const INTEGERS: &[&str] = &[
    "auto",
    "int",
    "int32_t",
    "int64_t",
    "long",
    "long int",
    "long long",
    "size_t",
    "uint",
    "uint32_t",
    "uint64_t",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "unsigned long long",
];

/// Whether all lanes of a warp get the same value from a binary expression, even if an operand
/// differs between them. `open` is as for [`Check::is_uniform`].
pub(super) fn agree(
    check: &Check<'_>,
    scope: &Scope<'_>,
    expression: Node<'_>,
    open: &mut Vec<String>,
) -> bool {
    let operator = scope.syntax.operator(expression);
    if expression.descendants().any(|it| is_torn(scope.syntax, it)) {
        return false;
    }
    let mut reader = Reader {
        check,
        open,
        variables: 0,
    };
    let mut side = |field| reader.read(scope, expression.child(field)?);
    let (Some(left), Some(right)) = (side(Field::Left), side(Field::Right)) else {
        return false;
    };
    match operator {
        "<" | ">=" => left.agree_on_less(right),
        ">" | "<=" => right.agree_on_less(left),
        operator => left
            .combined(operator, right)
            .is_some_and(|it| it.step == 0),
    }
}

/// Whether the tree has an operation that the text does not have: if `b < c` might begin template
/// arguments, the grammar parses `a * b < c` as `a * (b < c)`, and `b < c * d` as `(b < c) * d`.
fn is_torn(syntax: &Syntax<'_>, expression: Node<'_>) -> bool {
    let is_operation = |it: &Node<'_>| it.is(Kind::BinaryExpression);
    let binds = |it| precedence(syntax.operator(it));
    is_operation(&expression)
        && expression
            .parent()
            .filter(is_operation)
            .is_some_and(|outer| binds(outer) > binds(expression))
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

/// Evaluates expressions.
struct Reader<'c, 's> {
    check: &'c Check<'s>,
    open: &'c mut Vec<String>,
    /// The length of the current chain of variables.
    variables: usize,
}

impl Reader<'_, '_> {
    fn read(&mut self, scope: &Scope<'_>, expression: Node<'_>) -> Option<AffineValue> {
        let expression = expression.without_parentheses();
        self.read_form(scope, expression).or_else(|| {
            let is_uniform = self.check.is_uniform(scope, expression, self.open);
            is_uniform.then_some(AffineValue::UNIFORM)
        })
    }

    /// The values that follow from an expression's form.
    fn read_form(&mut self, scope: &Scope<'_>, expression: Node<'_>) -> Option<AffineValue> {
        let text = scope.syntax.node_text(expression);
        match expression.kind() {
            Kind::NumberLiteral => integer(scope, text),
            Kind::Identifier if text == "warpSize" => AffineValue::constant(WARP_SIZE),
            Kind::Identifier => self.variable(scope, text),
            Kind::FieldExpression if text == "threadIdx.x" => {
                self.has_plain_warps().then_some(AffineValue::THREAD_NUMBER)
            }
            Kind::BinaryExpression => {
                let operator = scope.syntax.operator(expression);
                let left = self.read(scope, expression.child(Field::Left)?)?;
                let right = self.read(scope, expression.child(Field::Right)?)?;
                left.combined(operator, right)
            }
            Kind::UnaryExpression => {
                let operator = scope.syntax.operator(expression);
                let value = self.read(scope, expression.child(Field::Argument)?)?;
                match operator {
                    "-" => value.times(-1),
                    "~" => value.times(-1)?.plus(AffineValue::constant(-1)?),
                    _ => None,
                }
            }
            Kind::CastExpression => {
                let target = expression.child(Field::Type)?;
                let value = expression.child(Field::Value)?;
                is_integer_name(scope.syntax.node_text(target)).then(|| self.read(scope, value))?
            }
            Kind::CallExpression => {
                if let Some(rank) = groups::rank(self.check, scope, expression) {
                    return Some(rank);
                }
                let target = scope.syntax.node_text(expression.child(Field::Function)?);
                let mut arguments = expression.arguments();
                let (value, None) = (arguments.next()?, arguments.next()) else {
                    return None;
                };
                is_conversion(target).then(|| self.read(scope, value))?
            }
            _ => None,
        }
    }

    /// Whether the threads of a warp differ only in `threadIdx.x`, as far as the text shows.
    fn has_plain_warps(&self) -> bool {
        let mut files = self.check.sources.all();
        !files.any(|it| it.text.contains("threadIdx.y") || it.text.contains("threadIdx.z"))
    }

    /// The value of an integer variable that keeps its initial value.
    fn variable(&mut self, scope: &Scope<'_>, name: &str) -> Option<AffineValue> {
        if self.variables == MAX_VARIABLES {
            return None;
        }
        self.variables += 1;
        let value = match scope.parameter(name) {
            Some(_) if scope.is_kernel() => None,
            Some((declaration, index)) => self
                .keeps_integer(scope, declaration, name)
                .then(|| self.argument(scope, index))?,
            None => self.initial_value(scope, name),
        };
        self.variables -= 1;
        value
    }

    /// The initial value of a variable in the function, or of a constant in its file.
    fn initial_value(&mut self, scope: &Scope<'_>, name: &str) -> Option<AffineValue> {
        let declares =
            |it: &Node<'_>| it.is(Kind::InitDeclarator) && scope.syntax.declared(*it) == Some(name);
        let mut inside = scope.function.descendants().filter(declares);
        if let Some(declarator) = inside.next() {
            let is_kept = self.keeps_integer(scope, declarator.parent()?, name);
            return (is_kept && inside.next().is_none())
                .then(|| self.read(scope, declarator.child(Field::Value)?))?;
        }
        let file = scope.function.ancestors().last()?;
        let mut all = file.descendants().filter(declares);
        let declaration = all.next()?.parent()?;
        let is_unique = all.next().is_none() && is_integer(scope.syntax, declaration);
        is_unique.then(|| integer(scope, name))?
    }

    /// The argument that all callers of a function pass, if it is the same.
    fn argument(&mut self, scope: &Scope<'_>, index: usize) -> Option<AffineValue> {
        let arguments = self.check.arguments(scope, index)?;
        let mut values = arguments.iter().map(|(caller, argument)| {
            let mut reader = Reader {
                check: self.check,
                open: &mut Vec::new(),
                variables: self.variables,
            };
            reader.read(caller, *argument)
        });
        let first = values.next()??;
        values.all(|it| it == Some(first)).then_some(first)
    }

    /// Whether a variable is an integer, and nothing in its function changes it.
    fn keeps_integer(&self, scope: &Scope<'_>, declaration: Node<'_>, name: &str) -> bool {
        let source = scope.syntax.text;
        let keeps = |node: Node<'_>| match node.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                !self.check.changes(scope, node, name)
            }
            Kind::PointerExpression => node.child_text(Field::Argument, source) != name,
            Kind::GnuAsmOutputOperand => {
                let mut names = node.descendants_of(Kind::Identifier);
                !names.any(|it| it.text(source) == name)
            }
            Kind::InitDeclarator => {
                let target = node.child(Field::Declarator);
                let is_reference = target.is_some_and(|it| it.is(Kind::ReferenceDeclarator));
                !(is_reference && node.child_text(Field::Value, source) == name)
            }
            Kind::CallExpression => {
                !node.arguments().any(|it| it.text(source) == name)
                    || self.takes_values(scope, node)
            }
            _ => true,
        };
        is_integer(scope.syntax, declaration)
            && (scope.syntax.node_text(declaration).starts_with("const")
                || scope.function.descendants().all(keeps))
    }

    /// Whether a function is known to change none of its arguments.
    fn takes_values(&self, scope: &Scope<'_>, call: Node<'_>) -> bool {
        let name = call.child_text(Field::Function, scope.syntax.text);
        let definitions = self.check.sources.definitions(name);
        let mut by_value = definitions.map(|(syntax, it)| {
            let body = it.child(Field::Body).map_or(it.end(), Node::start);
            !syntax.text[it.start()..body].contains('&')
        });
        is_pure(name)
            || is_conversion(name)
            || by_value
                .next()
                .is_some_and(|it| it && by_value.all(|it| it))
    }
}

/// The value of a literal, or of a constant with one.
fn integer(scope: &Scope<'_>, text: &str) -> Option<AffineValue> {
    let is_octal = text.len() > 1 && text.starts_with('0');
    let number = scope.syntax.constant(text).filter(|_| !is_octal)?;
    AffineValue::constant(number.try_into().ok()?)
}

/// Whether a declaration is one of integers of a type in [`INTEGERS`].
fn is_integer(syntax: &Syntax<'_>, declaration: Node<'_>) -> bool {
    is_integer_name(declaration.child_text(Field::Type, syntax.text))
        && !declaration
            .children_in(Field::Declarator)
            .any(|it| it.is(Kind::ReferenceDeclarator))
}

/// Whether a call converts its argument to such an integer.
fn is_conversion(callee: &str) -> bool {
    let target = callee.strip_prefix("static_cast<");
    is_integer_name(target.map_or(callee, |it| it.trim_end_matches('>')))
}

fn is_integer_name(name: &str) -> bool {
    INTEGERS.contains(&name.strip_prefix("std::").unwrap_or(name))
}
