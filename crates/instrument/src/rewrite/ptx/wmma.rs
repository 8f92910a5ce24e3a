//! Matrix instructions of warps whose fragments are opaque, as calls of the functions in
//! `device/hirace/cuda/ptx_wmma.h` (PTX ISA, "Warp-level Matrix Instructions using wmma").

use super::matrix::{assigned, listed, multiplied, sum_type, summands};
use super::operands::{SITE, SPACE, address, assign, elements, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++, with [`SITE`] in place of its site's number.
pub(super) fn wmma(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("wmma", ["load", which, "sync", "aligned", rest @ ..]) => {
            let [registers, from, stride @ ..] = operands else {
                return None;
            };
            load(which, rest, registers, (from, stride.first()), assembly)
        }
        ("wmma", ["store", "d", "sync", "aligned", rest @ ..]) => {
            let [to, registers, stride @ ..] = operands else {
                return None;
            };
            store(rest, registers, (to, stride.first()), assembly)
        }
        ("wmma", ["mma", "sync", "aligned", rest @ ..]) => product(rest, operands, assembly),
        _ => None,
    }
}

/// `m16n16k16`.
fn shape(word: &str) -> Option<[usize; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// A matrix in memory.
struct Stored {
    /// Its rows and columns.
    size: [usize; 2],
    /// The type of its elements and of its registers.
    types: [&'static str; 2],
    by_rows: bool,
}

impl Stored {
    /// The matrix `a`, `b`, `c` or `d`, by the modifiers.
    fn of(which: &str, words: &[&str]) -> Option<Self> {
        let [m, n, k] = words.iter().find_map(|it| shape(it))?;
        let types = match *words.last()? {
            "f16" | "bf16" => ["b16", "b32"],
            "tf32" => ["b32", "b32"],
            "s8" | "u8" => ["b8", "b32"],
            "s32" => ["b32", "b32"],
            "f32" => ["f32", "f32"],
            "f64" => ["f64", "f64"],
            _ => return None,
        };
        let size = match which {
            "a" => [m, k],
            "b" => [k, n],
            "c" | "d" => [m, n],
            _ => return None,
        };
        let by_rows = words.contains(&"row");
        (by_rows || words.contains(&"col")).then_some(Self {
            size,
            types,
            by_rows,
        })
    }

    /// The template arguments of its functions.
    fn arguments(&self, registers: usize) -> String {
        let ([rows, columns], [element, word]) = (self.size, self.types);
        format!("<{SPACE}{element}, {rows}, {columns}, {SPACE}{word}, {registers}>")
    }

    /// Its pointer, stride and layout as arguments. Without a stride, rows or columns are contiguous.
    fn place(
        &self,
        words: &[&str],
        (at, stride): (&Operand, Option<&Operand>),
        assembly: &Assembly,
    ) -> Option<String> {
        let at = address(at, words, assembly)?;
        let stride = match stride {
            Some(stride) => value(stride, "u32", assembly)?,
            None => self.size[usize::from(self.by_rows)].to_string(),
        };
        Some(format!("{at}, {stride}, {}", self.by_rows))
    }
}

fn load(
    which: &str,
    words: &[&str],
    registers: &Operand,
    place: (&Operand, Option<&Operand>),
    assembly: &Assembly,
) -> Option<String> {
    let matrix = Stored::of(which, words)?;
    let registers = elements(registers);
    let mut code = format!(
        "const auto hirace_loaded = {SPACE}load_wmma{}({SITE}, {}); ",
        matrix.arguments(registers.len()),
        matrix.place(words, place, assembly)?,
    );
    for (at, target) in registers.iter().enumerate() {
        let word = format!("hirace_loaded.words[{at}]");
        code.push_str(&assign(target, matrix.types[1], &word, assembly)?);
    }
    Some(code)
}

fn store(
    words: &[&str],
    registers: &Operand,
    place: (&Operand, Option<&Operand>),
    assembly: &Assembly,
) -> Option<String> {
    let matrix = Stored::of("d", words)?;
    let registers = elements(registers);
    Some(format!(
        "{SPACE}store_wmma{}({SITE}, {}, {{{}}});",
        matrix.arguments(registers.len()),
        matrix.place(words, place, assembly)?,
        listed(registers, matrix.types[1], assembly)?,
    ))
}

/// `wmma.mma.sync.aligned.LAYOUT.LAYOUT.SHAPE.D.A.B.C d, a, b, c`, where `f16` as the type of A and B is not written.
fn product(words: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let saturates = words.last() == Some(&"satfinite");
    let plain = |it: &&&str| !matches!(**it, "satfinite" | "rn");
    let words: Vec<&str> = words.iter().filter(plain).copied().collect();
    let (shaped, to, of_a, of_b, from) = match words[..] {
        [_, _, shaped, to, from] => (shaped, to, "f16", "f16", from),
        [_, _, shaped, to, of_a, of_b, from] => (shaped, to, of_a, of_b, from),
        _ => return None,
    };
    let ([m, n, k], [d, a, b, c]) = (shape(shaped)?, operands) else {
        return None;
    };
    let ((a_type, _), (b_type, _)) = (multiplied(of_a)?, multiplied(of_b)?);
    let sum = sum_type(of_a, of_b, to)?;
    sum_type(of_a, of_b, from)?;
    let [d, a, b, c] = [d, a, b, c].map(elements);
    let (before, count) = summands(c, from, sum, assembly)?;
    let word = if of_a == "f64" { "f64" } else { "b32" };
    let results = if to == "f16" { 2 * d.len() } else { d.len() };
    if count != m * n / 32 || results != count {
        return None;
    }
    let code = format!(
        "const auto hirace_product = \
         {SPACE}product_wmma<{a_type}, {b_type}, {SPACE}{sum}, {m}, {n}, {k}, {saturates}, {SPACE}{word}>\
         ({SITE}, {{{}}}, {{{}}}, {{{before}}}); ",
        listed(a, word, assembly)?,
        listed(b, word, assembly)?,
    );
    Some(code + &assigned(d, to, sum, assembly)?)
}

/// What the instruction accesses, if it loads or stores a matrix.
pub(super) fn accessed(instruction: &Instruction) -> Option<&Operand> {
    let place = match (instruction.head(), instruction.modifiers().first()) {
        ("wmma", Some(&"load")) => 1,
        ("wmma", Some(&"store")) => 0,
        _ => return None,
    };
    match instruction.operands.get(place)? {
        Operand::Address(base, _) => Some(base),
        _ => None,
    }
}
