//! Conversions and arithmetic as calls of the functions in `device/hirace/cuda/ptx_arithmetic.h`.

use super::operands::{SPACE, assign, is_integer, is_number, is_small, value};
use super::syntax::{Assembly, Instruction, Operand};

/// `cvt` between types for which C++ or `conversions.h` has the same conversion.
pub(super) fn converted(
    words: &[&str],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let [modes @ .., to, from] = words else {
        return None;
    };
    if let Some(code) = small_results(modes, to, from, operands, assembly) {
        return Some(code);
    }
    if !is_number(to) || !is_number(from) {
        return None;
    }
    let is = |mode: &str| modes.contains(&mode);
    let rounding: Vec<&str> = modes
        .iter()
        .copied()
        .filter(|it| !matches!(*it, "ftz" | "sat"))
        .collect();
    let saturated = is("sat") && !is_integer(to);
    let name = match (&rounding[..], is_integer(to), is_integer(from)) {
        ([], true, true) if is("sat") => "convert_saturated",
        ([], true, true) => "convert",
        (["rn" | "rni"], true, false) => "round_nearest",
        (["rz" | "rzi"], true, false) => "round_to_zero",
        (["rm" | "rmi"], true, false) => "round_down",
        (["rp" | "rpi"], true, false) => "round_up",
        ([mode @ ("rz" | "rm" | "rp")], false, _) if is_small(to) => {
            let name = format!("{SPACE}directed<{SPACE}{to}, {}>", half_rounding(mode)?);
            let around = Around {
                flushed: is("ftz") && *from == "f32",
                saturated,
                ..Around::default()
            };
            return around.function(&name, &[from], to, operands, assembly);
        }
        (["rz" | "rm" | "rp"], false, _) if matches!(*to, "f32" | "f64") => match rounding[0] {
            "rz" => "converted_rz",
            "rm" => "converted_rm",
            _ => "converted_rp",
        },
        (["rn"], false, true) => "convert",
        ([] | ["rn"], false, false) => "convert",
        (["rni"], false, false) if to == from => "integral_nearest",
        (["rzi"], false, false) if to == from => "integral_to_zero",
        (["rmi"], false, false) if to == from => "integral_down",
        (["rpi"], false, false) if to == from => "integral_up",
        _ => return None,
    };
    let name = format!("{SPACE}{name}<{SPACE}{to}, {SPACE}{from}>");
    let around = Around {
        flushed: is("ftz") && (*to == "f32" || *from == "f32"),
        saturated,
        ..Around::default()
    };
    around.function(&name, &[from], to, operands, assembly)
}

/// A directed rounding of 16-bit numbers in C++.
fn half_rounding(mode: &str) -> Option<&'static str> {
    Some(match mode {
        "rz" => "::hirace::cpu::HalfRounding::to_zero",
        "rm" => "::hirace::cpu::HalfRounding::down",
        "rp" => "::hirace::cpu::HalfRounding::up",
        _ => return None,
    })
}

/// `cvt` of `f32` to smaller numbers in ways that other conversions do not have.
fn small_results(
    modes: &[&str],
    to: &str,
    from: &str,
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let is_small_result = is_small(to) || to == "tf32";
    let around = Around {
        rectified: modes.contains(&"relu"),
        finite: modes.contains(&"satfinite") && is_small_result,
        ..Around::default()
    };
    let around_it = |it: &&str| *it == "relu" || (*it == "satfinite" && is_small_result);
    let modes: Vec<&str> = modes.iter().copied().filter(|it| !around_it(it)).collect();
    let (name, kinds, result) = match (&modes[..], to, from) {
        (["rn"], "f16x2" | "bf16x2", "f32") => {
            let element = to.trim_end_matches("x2");
            let name = format!("{SPACE}pair_of<{SPACE}{to}, {SPACE}{element}>");
            (name, &["f32", "f32"][..], to)
        }
        ([mode], "f16x2" | "bf16x2", "f32") => {
            let (rounding, element) = (half_rounding(mode)?, to.trim_end_matches("x2"));
            let name =
                format!("{SPACE}directed_pair_of<{SPACE}{to}, {SPACE}{element}, {rounding}>");
            (name, &["f32", "f32"][..], to)
        }
        (["rn"], "f16" | "bf16", "f32") => {
            let name = format!("{SPACE}convert<{SPACE}{to}, {SPACE}f32>");
            (name, &["f32"][..], to)
        }
        ([mode @ ("rz" | "rm" | "rp")], "f16" | "bf16", "f32") => {
            let name = format!("{SPACE}directed<{SPACE}{to}, {}>", half_rounding(mode)?);
            (name, &["f32"][..], to)
        }
        (["rn", "satfinite"], "e4m3x2" | "e5m2x2", "f32") => {
            let name = format!("{SPACE}tiny_pair<{SPACE}{to}>");
            (name, &["f32", "f32"][..], "b16")
        }
        (["rn", "satfinite"], "e4m3x2" | "e5m2x2", "f16x2") => {
            let name = format!("{SPACE}tiny_pair_of_halves<{SPACE}{to}>");
            (name, &["f16x2"][..], "b16")
        }
        (["rn"], "f16x2", "e4m3x2" | "e5m2x2") => {
            let name = format!("{SPACE}halves_of_tiny_pair<{SPACE}{from}>");
            (name, &["b16"][..], "f16x2")
        }
        ([mode @ ("rna" | "rn" | "rz")], "tf32", "f32") => {
            (format!("{SPACE}tf32_{mode}"), &["f32"][..], "f32")
        }
        _ => return None,
    };
    around.function(&name, kinds, result, operands, assembly)
}

/// What happens to the operands and the result of an instruction besides its operation.
#[derive(Default)]
pub(super) struct Around {
    /// `.ftz`: subnormal numbers are zero.
    flushed: bool,
    /// `.sat`: the result is between 0 and 1.
    saturated: bool,
    /// `.relu`: a negative result is zero.
    rectified: bool,
    /// `.satfinite`: the greatest number instead of an infinite one.
    finite: bool,
}

impl Around {
    /// What the modifiers of an operation on `kind` say, and the other modifiers.
    fn of<'a>(kind: &str, words: &[&'a str]) -> (Self, Vec<&'a str>) {
        let is_float = !is_integer(kind);
        let mut around = Self::default();
        let others = words.iter().copied().filter(|word| {
            let known = match *word {
                "ftz" if kind == "f32" || is_small(kind) => &mut around.flushed,
                "sat" if is_float => &mut around.saturated,
                "relu" if is_small(kind) => &mut around.rectified,
                _ => return true,
            };
            *known = true;
            false
        });
        let others = others.collect();
        (around, others)
    }

    /// `target = name(operands…)` with a type for each operand.
    pub(super) fn function(
        &self,
        name: &str,
        kinds: &[&str],
        result: &str,
        operands: &[Operand],
        assembly: &Assembly,
    ) -> Option<String> {
        let (target, given) = operands.split_first()?;
        if given.len() != kinds.len() {
            return None;
        }
        let flush =
            |text: String, kind: &str| match self.flushed && (kind == "f32" || is_small(kind)) {
                true => format!("{SPACE}flush({text})"),
                false => text,
            };
        let given = given.iter().zip(kinds);
        let values: Option<Vec<String>> = given
            .map(|(it, kind)| Some(flush(value(it, kind, assembly)?, kind)))
            .collect();
        let mut call = flush(format!("{name}({})", values?.join(", ")), result);
        if self.finite {
            let limited = if result == "f32" {
                "finite_tf32"
            } else {
                "finite"
            };
            call = format!("{SPACE}{limited}({call})");
        }
        if self.saturated {
            call = format!("{SPACE}saturate({call})");
        }
        if self.rectified {
            call = format!("{SPACE}rectified({call})");
        }
        assign(target, result, &call, assembly)
    }
}

/// The function for an instruction of floating-point numbers, and its number of operands.
fn float_function(head: &str, modes: &[&str], kind: &str) -> Option<(String, usize)> {
    if is_integer(kind) {
        return None;
    }
    let count = match head {
        "fma" | "mad" => 3,
        "add" | "sub" | "mul" | "div" | "copysign" | "min" | "max" => 2,
        _ => 1,
    };
    let directed = !is_small(kind);
    let name = match (head, modes) {
        ("add" | "sub" | "mul" | "div" | "rcp" | "sqrt", ["rn"]) | ("mul" | "copysign", []) => {
            head.to_owned()
        }
        ("fma" | "mad", ["rn"]) => "fma".to_owned(),
        ("fma" | "mad", [direction @ ("rz" | "rm" | "rp")]) if directed => {
            format!("fma_{direction}")
        }
        ("add" | "sub" | "mul" | "div" | "rcp" | "sqrt", [direction @ ("rz" | "rm" | "rp")])
            if directed =>
        {
            format!("{head}_{direction}")
        }
        ("div", ["approx" | "full"]) if kind == "f32" => head.to_owned(),
        ("rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh", ["approx"])
            if kind == "f32" =>
        {
            head.to_owned()
        }
        ("ex2" | "tanh", ["approx"]) if is_small(kind) => head.to_owned(),
        ("rcp" | "rsqrt", ["approx", "ftz"]) | ("rsqrt", ["approx"]) if kind == "f64" => {
            head.to_owned()
        }
        ("min" | "max", ["NaN"]) => format!("{head}_nan"),
        ("min" | "max", ["xorsign", "abs"]) => format!("{head}_xorsign"),
        ("min" | "max", ["NaN", "xorsign", "abs"]) => format!("{head}_nan_xorsign"),
        _ => return None,
    };
    Some((name, count))
}

/// Instructions whose operands all have the same type, or nearly so.
pub(super) fn arithmetic(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    if let ("prmt", ["b32", mode]) = (instruction.head(), words.as_slice()) {
        let (around, name) = (
            Around::of("b32", &[]).0,
            format!("{SPACE}prmt_by<{SPACE}permute::{mode}>"),
        );
        return around.function(&name, &["b32"; 3], "b32", &instruction.operands, assembly);
    }
    let (kind, rest) = words.split_last()?;
    let (kind, head) = (*kind, instruction.head());
    if !is_number(kind) {
        return None;
    }
    let integer = is_integer(kind);
    let (around, modes) = Around::of(kind, rest);
    let rest = &modes[..];
    let wide = twice_as_wide(kind);
    let same = |count: usize| vec![kind; count];
    let same_kind = float_function(head, rest, kind);
    let (name, kinds, result): (String, Vec<&str>, &str) = match (head, rest) {
        _ if same_kind.is_some() => same_kind.map(|(name, count)| (name, same(count), kind))?,
        ("add" | "sub", []) | ("min" | "max", []) => (head.to_owned(), same(2), kind),
        ("mul", ["lo"]) if integer => ("mul".to_owned(), same(2), kind),
        ("mul", ["hi"]) if integer => ("mul_hi".to_owned(), same(2), kind),
        ("mul", ["wide"]) if !wide.is_empty() => ("mul_wide".to_owned(), same(2), wide),
        ("mad", ["lo"]) if integer => ("mad".to_owned(), same(3), kind),
        ("mad", ["hi"]) if integer => ("mad_hi".to_owned(), same(3), kind),
        ("mad", ["wide"]) if !wide.is_empty() => {
            ("mad_wide".to_owned(), vec![kind, kind, wide], wide)
        }
        ("add" | "sub", ["sat"]) if kind == "s32" => (format!("{head}_sat"), same(2), kind),
        ("bfind", []) if integer => ("bfind".to_owned(), same(1), "u32"),
        ("bfind", ["shiftamt"]) if integer => ("bfind_shiftamt".to_owned(), same(1), "u32"),
        ("bmsk", [mode @ ("clamp" | "wrap")]) if kind == "b32" => {
            (format!("bmsk_{mode}"), same(2), kind)
        }
        ("szext", [mode @ ("clamp" | "wrap")]) if integer => {
            (format!("szext_{mode}"), vec![kind, "u32"], kind)
        }
        ("testp", [what]) if matches!(kind, "f32" | "f64") => {
            (format!("test_{what}"), same(1), "pred")
        }
        ("sad", []) if integer => (head.to_owned(), same(3), kind),
        ("cnot", []) if integer => (head.to_owned(), same(1), kind),
        ("div" | "rem", []) if integer => (head.to_owned(), same(2), kind),
        ("and" | "or" | "xor", []) if integer => (format!("bit_{head}"), same(2), kind),
        ("not", []) if integer => ("bit_not".to_owned(), same(1), kind),
        ("neg" | "abs", []) => (head.to_owned(), same(1), kind),
        ("shl" | "shr", []) if integer => (head.to_owned(), vec![kind, "u32"], kind),
        ("bfe", []) if integer => ("bfe".to_owned(), vec![kind, "u32", "u32"], kind),
        ("bfi", []) if integer => ("bfi".to_owned(), vec![kind, kind, "u32", "u32"], kind),
        ("brev", []) if integer => ("brev".to_owned(), same(1), kind),
        ("clz" | "popc", []) if integer => (head.to_owned(), same(1), "u32"),
        ("prmt", []) if kind == "b32" => ("prmt".to_owned(), same(3), kind),
        ("lop3", []) if kind == "b32" => ("lop3".to_owned(), same(4), kind),
        ("shf", [side @ ("l" | "r"), mode @ ("wrap" | "clamp")]) if kind == "b32" => {
            (format!("shf_{side}_{mode}"), same(3), kind)
        }
        _ => return None,
    };
    let name = format!("{SPACE}{name}<{SPACE}{kind}>");
    around.function(&name, &kinds, result, &instruction.operands, assembly)
}

/// The integers of twice as many bits.
fn twice_as_wide(kind: &str) -> &'static str {
    match kind {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        "s32" => "s64",
        _ => "",
    }
}
