//! Whether operands have the types that their instruction takes, as far as assemblers refuse others (PTX ISA, "Operand
//! Type Checking"). An instruction that is not known here takes anything.

use std::collections::HashMap;

use hirace_instrument::rewrite::ptx::{Instruction, Operand};

use super::Lowering;
use crate::Refused;
use crate::module::StatementKind;

impl Lowering<'_> {
    /// What an assembler would not accept.
    pub fn mistakes(&mut self) -> Vec<Refused> {
        std::mem::take(&mut self.mistakes)
    }

    /// Finds mistakes in operands and labels.
    pub(super) fn check(&mut self) {
        let registers = self.assembly.registers.iter();
        let types: HashMap<&str, &str> = registers
            .map(|(name, kind)| (name.as_str(), kind.as_str()))
            .collect();
        let mut labels = HashMap::new();
        for (at, statement) in self.body().iter().enumerate() {
            let line = statement.line;
            let what = match &statement.kind {
                StatementKind::Instruction(..) => mistake(&self.instructions[&at], &types),
                StatementKind::Label(name) => {
                    let first = labels.insert(self.scopes.name_at(at, name), line);
                    first.map(|it| format!("the label `{name}` is on line {it}, too"))
                }
                _ => None,
            };
            self.mistakes
                .extend(what.map(|what| Refused { line, what }));
        }
    }
}

/// What an operand may be.
#[derive(Clone, Copy)]
enum Takes<'a> {
    /// A register of this type, or of another one of its size: integers for integers, numbers for numbers.
    Type(&'a str),
    /// A register of at least so many bytes.
    AtLeast(u32),
    /// A register of so many bytes.
    Bytes(u32),
    Predicate,
    /// An address in brackets.
    Address,
    Anything,
}

/// The bytes of a register; 0 for a predicate, and `None` for other types.
fn bytes(kind: &str) -> Option<u32> {
    match kind {
        "pred" => Some(0),
        "f16x2" | "bf16x2" | "u16x2" | "s16x2" | "tf32" => Some(4),
        _ => {
            let bits = kind.trim_start_matches(|it: char| it.is_ascii_alphabetic());
            Some(bits.parse::<u32>().ok()?.div_ceil(8))
        }
    }
}

fn is_float(kind: &str) -> bool {
    kind.starts_with('f') || kind.starts_with("bf") || kind == "tf32"
}

fn is_integer(kind: &str) -> bool {
    kind.starts_with('u') || kind.starts_with('s')
}

impl Takes<'_> {
    /// Whether a register of a type will do.
    fn admits(self, kind: &str) -> bool {
        let size = bytes(kind);
        match self {
            Self::Anything => true,
            Self::Predicate => kind == "pred",
            Self::AtLeast(least) => size.is_some_and(|it| it >= least && it > 0),
            Self::Bytes(wanted) => size == Some(wanted),
            Self::Address => matches!(size, Some(4 | 8)) && !is_float(kind),
            Self::Type(wanted) => {
                let mixes =
                    is_float(wanted) && is_integer(kind) || is_integer(wanted) && is_float(kind);
                // Halves are kept in registers of any kind.
                let is_half = matches!(bytes(wanted), Some(2)) || wanted.ends_with("x2");
                size == bytes(wanted) && (!mixes || is_half)
            }
        }
    }
}

/// The types of the operands, as far as they are known.
fn taken(instruction: &Instruction) -> Vec<Takes<'_>> {
    use Takes::{Address, Anything, AtLeast, Bytes, Predicate, Type};
    let modifiers = instruction.modifiers();
    let Some(&last) = modifiers.last() else {
        return Vec::new();
    };
    let has = |word: &str| modifiers.contains(&word);
    let before = modifiers.len().checked_sub(2).map(|it| modifiers[it]);
    let word = Bytes(4);
    let twice = Bytes(2 * bytes(last).unwrap_or(0));
    match instruction.head() {
        "mul" if has("wide") => vec![twice, Type(last), Type(last)],
        "mad" if has("wide") => vec![twice, Type(last), Type(last), twice],
        "and" | "or" | "xor" | "not" if last == "pred" => vec![Predicate; 3],
        "add" | "sub" | "mul" | "mad" | "addc" | "subc" | "madc" | "mul24" | "mad24" | "div"
        | "rem" | "min" | "max" | "neg" | "abs" | "sad" | "and" | "or" | "xor" | "not" | "cnot"
        | "fma" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh"
        | "copysign" | "brev" => {
            vec![Type(last); 4]
        }
        "shl" | "shr" => vec![Type(last), Type(last), word],
        "shf" | "lop3" | "prmt" => vec![word; 4],
        "bfe" => vec![Type(last), Type(last), word, word],
        "bfi" => vec![Type(last), Type(last), Type(last), word, word],
        "clz" | "popc" | "bfind" => vec![word, Type(last)],
        "dp4a" | "dp2a" => vec![word; 4],
        "setp" => vec![Predicate, Type(last), Type(last), Predicate],
        "set" => vec![
            before.map_or(Anything, Type),
            Type(last),
            Type(last),
            Predicate,
        ],
        "selp" => vec![Type(last), Type(last), Type(last), Predicate],
        "slct" => before.map_or_else(Vec::new, |it| {
            vec![Type(it), Type(it), Type(it), Type(last)]
        }),
        "mov" if last == "pred" => vec![Predicate; 2],
        "mov" if before.is_some() => Vec::new(),
        "mov" => vec![bytes(last).map_or(Anything, Bytes); 2],
        "ld" | "ldu" => vec![bytes(last).map_or(Anything, AtLeast), Address],
        "st" => vec![Address, bytes(last).map_or(Anything, AtLeast)],
        "atom" => vec![Anything, Address],
        "red" => vec![Address],
        _ => Vec::new(),
    }
}

/// The number of registers in braces that a modifier such as `.v4` asks for.
fn vector(instruction: &Instruction) -> Option<usize> {
    let words = instruction.modifiers();
    let mut sizes = words
        .iter()
        .filter_map(|it| it.strip_prefix('v')?.parse().ok());
    sizes
        .next_back()
        .filter(|_| matches!(instruction.head(), "ld" | "ldu" | "st"))
}

/// What an assembler would say against the operands of an instruction; `types` are those of its function's registers.
fn mistake(instruction: &Instruction, types: &HashMap<&str, &str>) -> Option<String> {
    let name = instruction.name();
    if let Some(guard) = &instruction.guard
        && let Some(kind) = types.get(guard.register.as_str())
        && *kind != "pred"
    {
        return Some(format!(
            "`@{}`: the guard of an instruction is a predicate, and this register has the type .{kind}",
            plain(&guard.register)
        ));
    }
    if let Some(message) = constants(instruction) {
        return Some(format!("`{name}`: {message}"));
    }
    let wanted = vector(instruction);
    for (takes, operand) in taken(instruction).into_iter().zip(&instruction.operands) {
        if let (Takes::AtLeast(_), Some(wanted)) = (takes, wanted) {
            let given = match operand {
                Operand::Vector(elements) => elements.len(),
                _ => 1,
            };
            if given != wanted {
                return Some(format!(
                    "`{name}` takes {wanted} registers in braces, and has {given}"
                ));
            }
        }
        if let Some((register, kind)) = unfit(takes, operand, types) {
            return Some(format!(
                "`{name}`: the register `{}` has the type .{kind}",
                plain(register)
            ));
        }
    }
    None
}

/// The register of an operand that an instruction does not take, and its type.
fn unfit<'a>(
    takes: Takes<'_>,
    operand: &'a Operand,
    types: &HashMap<&str, &'a str>,
) -> Option<(&'a str, &'a str)> {
    let kind_of = |it: &'a Operand| match it {
        Operand::Register(name) => Some((name.as_str(), *types.get(name.as_str())?)),
        _ => None,
    };
    let among = |operands: &'a [Operand]| {
        let mut each = operands.iter().filter_map(kind_of);
        each.find(|it| !takes.admits(it.1))
    };
    match (takes, operand) {
        (_, Operand::Register(_)) => kind_of(operand).filter(|it| !takes.admits(it.1)),
        (Takes::Address, Operand::Address(base, _)) => {
            kind_of(base).filter(|it| !takes.admits(it.1))
        }
        (Takes::Predicate, Operand::Not(inner)) => kind_of(inner).filter(|it| it.1 != "pred"),
        (Takes::Predicate, Operand::Pair(first, second)) => {
            let both = [first, second].map(|it| kind_of(it));
            both.into_iter().flatten().find(|it| it.1 != "pred")
        }
        (Takes::AtLeast(_), Operand::Vector(elements)) => among(elements),
        (Takes::Bytes(wanted), Operand::Vector(elements)) => {
            // The parts of `mov` have one size.
            let part = wanted.checked_div(u32::try_from(elements.len()).ok()?)?;
            let mut each = elements.iter().filter_map(kind_of);
            each.find(|it| bytes(it.1) != Some(part))
        }
        _ => None,
    }
}

/// What is wrong with a constant operand: too many digits, the number of a barrier, the size of a copy.
fn constants(instruction: &Instruction) -> Option<String> {
    let number = |operand: Option<&Operand>| match operand {
        Some(Operand::Number(text)) => integer(text),
        _ => None,
    };
    let too_large = instruction.operands.iter().find_map(|it| match it {
        Operand::Number(text) if !text.starts_with('(') && integer(text) == Some(None) => {
            Some(text)
        }
        _ => None,
    });
    if let Some(text) = too_large {
        return Some(format!("{text} does not fit into 64 bits"));
    }
    let modifiers = instruction.modifiers();
    match (instruction.head(), modifiers.as_slice()) {
        ("bar" | "barrier", ["sync" | "arrive" | "red" | "cta", ..]) => {
            let at = number(
                instruction
                    .operands
                    .iter()
                    .find(|it| matches!(it, Operand::Number(_))),
            );
            let first = instruction.operands.first();
            let is_first = matches!(first, Some(Operand::Number(_)));
            let at = at.flatten().filter(|it| is_first && *it > 15)?;
            Some(format!(
                "the barriers of a block have the numbers 0 to 15, and not {at}"
            ))
        }
        ("cp", ["async", cache @ ("ca" | "cg"), ..]) => {
            let size = number(instruction.operands.get(2)).flatten()?;
            let sizes: &[u64] = if *cache == "cg" { &[16] } else { &[4, 8, 16] };
            let allowed = if *cache == "cg" { "16" } else { "4, 8 or 16" };
            (!sizes.contains(&size)).then(|| format!("it copies {allowed} bytes, and not {size}"))
        }
        _ => None,
    }
}

/// The value of an integer without its sign; the inner `None` if it has more than 64 bits. `None` for other numbers.
fn integer(text: &str) -> Option<Option<u64>> {
    let digits = text.trim_start_matches('-').trim_end_matches('U');
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'f' | b'F' | b'd' | b'D', ..] => return None,
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    let is_integer = !digits.is_empty() && digits.chars().all(|it| it.is_digit(radix));
    is_integer.then(|| u64::from_str_radix(digits, radix).ok())
}

/// The name of a register as written: those in braces have the number of their scope.
fn plain(name: &str) -> &str {
    let number = name.rsplit_once('$');
    let is_scope = number.is_some_and(|it| it.1.chars().all(|it| it.is_ascii_digit()));
    number.filter(|_| is_scope).map_or(name, |it| it.0)
}
