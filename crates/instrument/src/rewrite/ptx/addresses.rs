//! Conversions of addresses between state spaces, and to those of other blocks.

use super::operands::{SPACE, assign, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++.
pub(super) fn address(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("cvta", _) => converted_address(&words, operands, assembly),
        ("isspacep", [space]) => {
            let pointer = value(operands.get(1)?, "u64", assembly)?;
            let asked = match *space {
                "global" => "__isGlobal",
                "shared" | "shared::cta" => "__isCtaShared",
                "shared::cluster" => "__isClusterShared",
                "local" => "__isLocal",
                "const" => "__isConstant",
                _ => return None,
            };
            let answer = format!("::{asked}({SPACE}generic_pointer({pointer})) != 0");
            assign(operands.first()?, "pred", &answer, assembly)
        }
        ("mapa", _) => mapped_address(&words, operands, assembly),
        ("getctarank", _) => {
            let (from, kind) = mapped_from(&words)?;
            let address = value(operands.get(1)?, kind, assembly)?;
            let call = format!("{SPACE}rank_of{from}({address})");
            assign(operands.first()?, "u32", &call, assembly)
        }
        _ => None,
    }
}

/// `mapa.u64`, or `mapa.shared::cluster.u32` for addresses in the window of shared memory.
fn mapped_address(words: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let (from, kind) = mapped_from(words)?;
    let [target, source, rank] = operands else {
        return None;
    };
    let (source, rank) = (
        value(source, kind, assembly)?,
        value(rank, "u32", assembly)?,
    );
    let call = format!("{SPACE}map{from}({source}, {rank})");
    assign(target, kind, &call, assembly)
}

/// The kind of address of `mapa` and `getctarank`, as a suffix of a function, and its type.
fn mapped_from<'a>(words: &[&'a str]) -> Option<(&'static str, &'a str)> {
    match words {
        [kind @ ("u32" | "u64")] => Some(("_generic", kind)),
        ["shared::cluster", kind @ ("u32" | "u64")] => Some(("_shared", kind)),
        _ => None,
    }
}

/// `cvta.to.shared.u64` and back. An address of global memory is the pointer itself.
fn converted_address(words: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [target, source] = operands else {
        return None;
    };
    let source = value(source, "u64", assembly)?;
    let address = match words {
        ["to", "global" | "local" | "const" | "param", "u64"] | ["global" | "param", "u64"] => {
            source
        }
        ["local", "u64"] => format!("reinterpret_cast<{SPACE}u64>({SPACE}local_pointer({source}))"),
        ["const", "u64"] => {
            format!("reinterpret_cast<{SPACE}u64>({SPACE}constant_pointer({source}))")
        }
        ["to", "shared" | "shared::cta" | "shared::cluster", "u64"] => {
            format!("::__cvta_generic_to_shared({SPACE}generic_pointer({source}))")
        }
        ["shared" | "shared::cta" | "shared::cluster", "u64"] => {
            format!("reinterpret_cast<{SPACE}u64>({SPACE}shared_pointer({source}))")
        }
        _ => return None,
    };
    assign(target, "u64", &address, assembly)
}
