//! Operands of instructions as C++: registers, numbers, values and assignments.

use super::syntax::{Assembly, Operand, Parameter};
use hirace_syntax::words::Words;

/// Stands for the number of a site.
pub const SITE: &str = "HIRACE_SITE";

/// A site that no report names.
pub const NO_SITE: &str = "::hirace::unknown_site";

/// The namespace of the functions.
pub(super) const SPACE: &str = "::hirace::cpu::ptx::";

const INTEGERS: Words = Words::of("b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64");

/// Special registers of one component that the executor provides.
const SPECIAL_REGISTERS: Words = Words::of(
    "laneid warpid nwarpid smid nsmid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge \
     clock clock_hi clock64 globaltimer cluster_ctarank cluster_nctarank is_explicit_cluster \
     dynamic_smem_size total_smem_size aggr_smem_size reserved_smem_offset_begin reserved_smem_offset_end \
     reserved_smem_offset_cap gridid globaltimer_lo globaltimer_hi envreg1 envreg2",
);

/// Those of three components.
const VECTOR_REGISTERS: Words =
    Words::of("tid ntid ctaid nctaid cluster_ctaid cluster_nctaid clusterid nclusterid");

/// The types that support arithmetic.
pub(super) fn is_number(kind: &str) -> bool {
    is_integer(kind) || matches!(kind, "f32" | "f64") || is_small(kind)
}

/// 16-bit floating-point numbers, alone or in pairs.
pub(super) fn is_small(kind: &str) -> bool {
    matches!(kind, "f16" | "bf16" | "f16x2" | "bf16x2")
}

pub(super) fn is_integer(kind: &str) -> bool {
    INTEGERS.has(kind)
}

pub(super) fn is_type(kind: &str) -> bool {
    is_number(kind) || matches!(kind, "b128" | "pred")
}

/// A register as a variable, if it is declared.
#[must_use]
pub fn register(name: &str, assembly: &Assembly) -> Option<String> {
    let known = assembly
        .registers
        .iter()
        .any(|it| it.0 == name && is_type(&it.1));
    known.then(|| variable(name))
}

fn variable(name: &str) -> String {
    format!("hirace_r_{}", name.replace('$', "_S").replace('%', "_P"))
}

/// Whether a name is that of a variable of calls.
pub(super) fn is_parameter(name: &str, assembly: &Assembly) -> bool {
    assembly.parameters.iter().any(|it| it.name == name)
}

/// The C++ variable with the bytes of a parameter.
pub(super) fn parameter(name: &str) -> String {
    format!("hirace_p_{}", name.replace('$', "_S"))
}

/// The registers as C++ variables, and the variables of calls.
#[must_use]
pub fn declarations(assembly: &Assembly) -> String {
    let of_call = |it: &Parameter| {
        let name = parameter(&it.name);
        format!(
            "alignas({}) unsigned char {name}[{}]{{}}; ",
            it.align, it.bytes
        )
    };
    let one = |(name, kind): &(String, String)| {
        let name = variable(name);
        format!("[[maybe_unused]] {SPACE}{kind} {name}{{}}; ")
    };
    assembly
        .registers
        .iter()
        .filter(|it| is_type(&it.1))
        .map(one)
        .chain(assembly.parameters.iter().map(of_call))
        .collect()
}

/// The carry of `add.cc` and relatives, as a C++ variable.
pub const CARRY: &str = "hirace_carry";

/// Whether a special register has what a driver or a profiler sets, which are zeros here: `%envreg3`, `%pm0`.
fn is_unset(name: &str) -> bool {
    let is_numbered = |stem: &str| {
        let number = name.strip_prefix(stem).and_then(|it| it.parse().ok());
        number.is_some_and(|it: u8| it < 32)
    };
    is_numbered("envreg")
        || is_numbered("pm")
        || (name.starts_with("pm") && name.ends_with("_64"))
        || name == "current_graph_exec"
}

/// Whether the executor provides a special register.
#[must_use]
pub fn is_special(name: &str) -> bool {
    special(name).is_some()
}

/// The special registers that the executor provides.
fn special(name: &str) -> Option<String> {
    if is_unset(name) && !SPECIAL_REGISTERS.has(name) {
        return Some(format!("{SPACE}u64{{0}}"));
    }
    let known = match name.split_once('.') {
        Some((name, part)) => VECTOR_REGISTERS.has(name) && matches!(part, "x" | "y" | "z"),
        None => SPECIAL_REGISTERS.has(name),
    };
    known.then(|| format!("{SPACE}{}()", name.replace('.', "_")))
}

/// A number of the type `kind` as C++ text. `0f…` contains the bits of a float.
fn number(text: &str, kind: &str) -> String {
    let bits = |prefix: &str| {
        let digits = text.strip_prefix(prefix);
        digits.filter(|it| it.chars().all(|c| c.is_ascii_hexdigit()))
    };
    if let Some(bits) = bits("0f").or_else(|| bits("0F")) {
        return format!("::hirace::ptx_value<{SPACE}{kind}>({SPACE}u32{{0x{bits}u}})");
    }
    if let Some(bits) = bits("0d").or_else(|| bits("0D")) {
        return format!("::hirace::ptx_value<{SPACE}{kind}>({SPACE}u64{{0x{bits}u}})");
    }
    match kind {
        "f16" | "bf16" => format!("::hirace::ptx_value<{SPACE}{kind}>({SPACE}u16({text}))"),
        "f16x2" | "bf16x2" | "u16x2" | "s16x2" => {
            format!("::hirace::ptx_value<{SPACE}{kind}>({SPACE}u32({text}))")
        }
        _ => format!("static_cast<{SPACE}{kind}>({text})"),
    }
}

/// The value of an operand with the type `kind`.
pub(super) fn value(operand: &Operand, kind: &str, assembly: &Assembly) -> Option<String> {
    let text = match operand {
        Operand::Argument(number) => format!("hirace_{number}"),
        Operand::Register(name) => match assembly.symbols.get(name) {
            Some(address) => address.clone(),
            None if is_parameter(name, assembly) => {
                format!("reinterpret_cast<::std::uintptr_t>({})", parameter(name))
            }
            None => match (register(name, assembly), name.as_str()) {
                (Some(register), _) => register,
                (None, "WARP_SZ") => "::hirace::warp_lanes".to_owned(),
                (None, _) => return None,
            },
        },
        Operand::Special(name) => special(name)?,
        Operand::Number(text) => return Some(number(text, kind)),
        Operand::Not(inner) if kind == "pred" => {
            return Some(format!("!{}", value(inner, kind, assembly)?));
        }
        _ => return None,
    };
    Some(format!("::hirace::ptx_value<{SPACE}{kind}>({text})"))
}

/// `target = value`, where both have the type `kind`.
pub(super) fn assign(
    target: &Operand,
    kind: &str,
    value: &str,
    assembly: &Assembly,
) -> Option<String> {
    let name = match target {
        Operand::Argument(number) => format!("hirace_{number}"),
        Operand::Register(name) if name == "_" => {
            return Some(format!("static_cast<void>({value});"));
        }
        Operand::Register(name) => register(name, assembly)?,
        _ => return None,
    };
    Some(format!("{SPACE}put<{SPACE}{kind}>({name}, {value});"))
}

/// The elements of a vector, or the single value.
pub(super) fn elements(operand: &Operand) -> &[Operand] {
    match operand {
        Operand::Vector(elements) => elements,
        one => std::slice::from_ref(one),
    }
}

/// An address operand as a number.
pub(super) fn place(operand: &Operand, assembly: &Assembly) -> Option<String> {
    let Operand::Address(base, offset) = operand else {
        return None;
    };
    let base = value(base, "u64", assembly)?;
    Some(match offset {
        Some(offset) => format!("{base} + {}", value(offset, "u64", assembly)?),
        None => base,
    })
}

/// An address operand as a pointer.
pub(super) fn address(operand: &Operand, words: &[&str], assembly: &Assembly) -> Option<String> {
    let space = match words.iter().any(|it| it.starts_with("shared")) {
        true => "shared",
        false => "generic",
    };
    let place = place(operand, assembly)?;
    Some(format!("{SPACE}{space}_pointer({place})"))
}
