//! The values that an expression has in the lanes of a warp, if these have consecutive numbers.
//!
//! `threadIdx.x` rises by one from lane to lane, and starts at a multiple of 32. Sums and multiples
//! of such values rise by a fixed step from a number with a known residue. This decides whether all
//! lanes agree on a quotient or a comparison: they agree on `t / 32` and `t < 64`, but not on
//! `7 * t / 32` and `7 * t < 64`. All of this holds for mathematical integers. For a value that may
//! be too large for its type, or negative and unsigned, only what holds modulo any power of two is
//! kept. A kernel that uses `threadIdx.y` or `threadIdx.z` may have other warps.

use super::affine::{AffineValue, WARP_SIZE};
use super::{Divergence, groups};
use crate::values::{Origin, Value, VariableId};

/// Whether all lanes of a warp get the same value from a binary expression, even if an operand
/// differs between them.
pub(super) fn agree(divergence: &Divergence, unit: usize, expression: &Value) -> bool {
    let Value::Binary {
        operator, sides, ..
    } = expression
    else {
        return false;
    };
    if expression.any(&mut |it| matches!(it, Value::Binary { is_torn: true, .. })) {
        return false;
    }
    let reader = Reader { divergence };
    let [left, right] = &**sides;
    if !reader.is_integer(unit, left) || !reader.is_integer(unit, right) {
        return false;
    }
    let (Some(left), Some(right)) = (reader.read(unit, left), reader.read(unit, right)) else {
        return false;
    };
    match operator.as_str() {
        "<" | ">=" => left.agree_on_less(right),
        ">" | "<=" => right.agree_on_less(left),
        operator => left
            .combined(operator, right)
            .is_some_and(|it| it.step == 0),
    }
}

/// The objects that CUDA C++ has for the place of a thread ("Built-in Variables").
const BUILT_IN: [&str; 4] = ["blockDim", "blockIdx", "gridDim", "threadIdx"];

/// Evaluates expressions.
struct Reader<'d> {
    divergence: &'d Divergence,
}

impl Reader<'_> {
    fn read(&self, unit: usize, value: &Value) -> Option<AffineValue> {
        self.read_form(unit, value).or_else(|| {
            let is_uniform = self.divergence.is_uniform(unit, value);
            is_uniform.then_some(AffineValue::UNIFORM)
        })
    }

    /// The values that follow from an expression's form.
    fn read_form(&self, unit: usize, value: &Value) -> Option<AffineValue> {
        match value {
            Value::Constant(number) => AffineValue::constant((*number)?),
            Value::Variable(variable, _) => self.variable(unit, *variable),
            Value::Member(object, member) if member == "x" => {
                let is_index = matches!(**object, Value::Variable(it, _) if self.name(unit, it) == "threadIdx");
                (is_index && self.divergence.has_plain_warps).then_some(AffineValue::THREAD_NUMBER)
            }
            Value::Binary {
                operator, sides, ..
            } => {
                let [left, right] = &**sides;
                if !self.is_integer(unit, left) || !self.is_integer(unit, right) {
                    return None;
                }
                let (left, right) = (self.read(unit, left)?, self.read(unit, right)?);
                left.combined(operator, right)
            }
            Value::Unary(operator, argument) => {
                let value = self.read(unit, argument)?;
                match operator.as_str() {
                    "-" => value.times(-1),
                    "~" => value.times(-1)?.plus(AffineValue::constant(-1)?),
                    _ => None,
                }
            }
            Value::ToInteger(inner) => self.read(unit, inner),
            Value::Call(call) => groups::rank(self.divergence, unit, call),
            _ => None,
        }
    }

    /// Whether a value is an integer, as far as its parts show.
    fn is_integer(&self, unit: usize, value: &Value) -> bool {
        let variables = &self.divergence.units[unit].values.variables;
        match value {
            Value::Constant(number) => number.is_some(),
            Value::ToInteger(_) => true,
            Value::Variable(variable, _) | Value::AtEntry(variable) => {
                let declared = &variables[*variable];
                let is_first_integer = || {
                    let only = self.divergence.units[unit]
                        .values
                        .only_definition(*variable)?;
                    let is_integer = || Some(self.is_integer(unit, &only.value));
                    self.divergence.following(is_integer)
                };
                // The numbers of pointers rise by one from element to element.
                let is_pointer = declared.is_memory
                    && (declared.is_shared || declared.origin != Origin::Outside);
                is_pointer
                    || declared.is_integer
                        && (!declared.is_deduced || is_first_integer() == Some(true))
                    || declared.known.is_some()
                    || declared.name == "warpSize"
            }
            Value::Member(object, member) => {
                let is_built_in = |name: &str| BUILT_IN.contains(&name);
                let is_index =
                    matches!(**object, Value::Variable(it, _) if is_built_in(self.name(unit, it)));
                is_index && ["x", "y", "z"].contains(&member.as_str())
            }
            Value::Call(call) => {
                groups::returns_integer(self.divergence, unit, call)
                    || ["abs", "max", "min"].contains(&call.name())
                        && call.arguments.iter().all(|it| self.is_integer(unit, it))
            }
            Value::Binary { sides, .. } => sides.iter().all(|it| self.is_integer(unit, it)),
            Value::Unary(_, inner) => self.is_integer(unit, inner),
            Value::Parts(_) | Value::This | Value::Unknown => false,
        }
    }

    fn name(&self, unit: usize, variable: VariableId) -> &str {
        &self.divergence.units[unit].values.variables[variable].name
    }

    /// The value of an integer variable that keeps its first value.
    fn variable(&self, unit: usize, variable: VariableId) -> Option<AffineValue> {
        let values = &self.divergence.units[unit].values;
        let declared = &values.variables[variable];
        if matches!(declared.origin, Origin::Outside | Origin::Member) {
            return match declared.name.as_str() {
                "warpSize" => AffineValue::constant(WARP_SIZE),
                _ => AffineValue::constant(declared.known?),
            };
        }
        let only = values.only_definition(variable)?;
        let is_kept = declared.is_constant || !declared.escapes && !declared.is_passed_on;
        if !declared.is_integer || !is_kept {
            return None;
        }
        self.divergence.following(|| match declared.origin {
            Origin::Parameter(index) => self.argument(unit, index),
            _ => self.read(unit, &only.value),
        })
    }

    /// The argument that all callers of a function pass, if it is the same.
    fn argument(&self, unit: usize, index: usize) -> Option<AffineValue> {
        let unit = &self.divergence.units[unit];
        let callers = unit.callers.as_ref().filter(|_| !unit.is_kernel)?;
        let mut values = callers.iter().map(|it| {
            let argument = it.call.arguments.get(index)?;
            self.read(it.unit, argument)
        });
        let first = values.next()??;
        values.all(|it| it == Some(first)).then_some(first)
    }
}
