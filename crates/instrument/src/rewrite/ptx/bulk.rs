//! Bulk copies and tensor maps as calls of the functions in `device/hirace/cuda/ptx_bulk.h`.

use super::asynchronous::{self, asynchronous, operation_name};
use super::operands::{SITE, SPACE, address, place, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++, with [`SITE`] in place of its site's number.
pub(super) fn bulk(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    // Cache policies come last, and change nothing.
    let words: Vec<&str> = words
        .into_iter()
        .filter(|it| *it != "L2::cache_hint")
        .collect();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("cp", ["async", "bulk", "prefetch", ..]) => Some(";".to_owned()),
        ("cp", ["async", "bulk", "commit_group"]) => Some(format!("{SPACE}bulk_commit();")),
        ("cp", ["async", "bulk", "wait_group", read @ ..]) => {
            let only_reads = *read == ["read"];
            let pending = value(operands.first()?, "u32", assembly)?;
            Some(format!("{SPACE}bulk_wait({pending}, {only_reads});"))
        }
        ("cp", ["async", "bulk", "tensor", kind, rest @ ..]) => {
            let dimensions = kind.strip_suffix('d')?.parse().ok()?;
            tensor(dimensions, rest, operands, assembly)
        }
        ("cp", ["async", "bulk", to, from, LOADS]) if to.starts_with("shared") => {
            let copied = copied(operands, [to, from], assembly)?;
            let object = address(operands.get(3)?, &["shared"], assembly)?;
            Some(format!("{SPACE}bulk_load({SITE}, {copied}, {object});"))
        }
        (
            "cp",
            [
                "async",
                "bulk",
                to @ "global",
                from @ "shared::cta",
                "bulk_group",
            ],
        ) => {
            let copied = copied(operands, [to, from], assembly)?;
            Some(format!("{SPACE}bulk_store({SITE}, {copied});"))
        }
        ("tensormap", ["replace", "tile", field, rest @ ..]) => {
            replaced(field, rest, operands, assembly)
        }
        ("tensormap", ["cp_fenceproxy", to @ "global", from @ "shared::cta", ..]) => {
            let copied = copied(operands, [to, from], assembly)?;
            Some(format!("{SPACE}copy_map({SITE}, {copied});"))
        }
        _ => reduced_or_shared(instruction, &words, assembly),
    }
}

/// Reductions, copies to several blocks and discarded lines.
fn reduced_or_shared(
    instruction: &Instruction,
    words: &[&str],
    assembly: &Assembly,
) -> Option<String> {
    let operands = &instruction.operands[..];
    match (instruction.head(), words) {
        ("discard", _) => {
            let [line, bytes] = operands else {
                return None;
            };
            let line = address(line, &["global"], assembly)?;
            let bytes = value(bytes, "u32", assembly)?;
            Some(format!("{SPACE}discard({SITE}, {line}, {bytes});"))
        }
        (
            "cp",
            [
                "reduce",
                "async",
                "bulk",
                "tensor",
                kind,
                "global",
                "shared::cta",
                rest @ ..,
            ],
        ) => {
            let dimensions = kind.strip_suffix('d')?.parse().ok()?;
            let known = ["tile", "bulk_group"];
            let operation = rest.iter().find(|it| !known.contains(it))?;
            let (to, from) = (operands.first()?, place(operands.get(1)?, assembly)?);
            let to = in_tensor(dimensions, to, assembly)?;
            let operation = operation_name(operation);
            Some(format!(
                "{SPACE}tensor_reduce<{operation}>({SITE}, {to}, {from});"
            ))
        }
        ("st" | "red" | "cp", ["async" | "reduce", ..])
            if asynchronous::target(instruction).is_some() =>
        {
            asynchronous(instruction, assembly)
        }
        (
            "cp",
            [
                "async",
                "bulk",
                "shared::cluster",
                "global",
                LOADS,
                MULTICAST,
            ],
        ) => {
            let [to, from, bytes, object, blocks, ..] = operands else {
                return None;
            };
            let (to, object) = (place(to, assembly)?, place(object, assembly)?);
            let from = address(from, &["global"], assembly)?;
            let bytes = value(bytes, "u32", assembly)?;
            let blocks = value(blocks, "u16", assembly)?;
            Some(format!(
                "{SPACE}multicast_load({SITE}, {to}, {from}, {bytes}, {object}, {blocks});"
            ))
        }
        _ => None,
    }
}

/// The first operands of a copy between two state spaces, as arguments: target, source and bytes.
fn copied(operands: &[Operand], [to, from]: [&str; 2], assembly: &Assembly) -> Option<String> {
    let [target, source, bytes, ..] = operands else {
        return None;
    };
    let target = address(target, &[to], assembly)?;
    let source = address(source, &[from], assembly)?;
    let bytes = value(bytes, "u32", assembly)?;
    Some(format!("{target}, {source}, {bytes}"))
}

/// Copies to several blocks of a cluster.
const MULTICAST: &str = "multicast::cluster";

/// Copies whose end an mbarrier object shows.
const LOADS: &str = "mbarrier::complete_tx::bytes";

/// Where the instruction writes, if it is asynchronous. A tensor's map does not name that.
pub(super) fn target(instruction: &Instruction) -> Option<&Operand> {
    if let Some(target) = asynchronous::target(instruction) {
        return Some(target);
    }
    let words = instruction.modifiers();
    let copies = (instruction.head() == "cp" && words.starts_with(&["async", "bulk"]))
        || instruction.head() == "discard";
    match instruction.operands.first().filter(|_| copies)? {
        Operand::Address(base, _) => Some(base),
        _ => None,
    }
}

/// The map of a tensor and the coordinates of a box in it, as arguments.
fn in_tensor(dimensions: usize, operand: &Operand, assembly: &Assembly) -> Option<String> {
    let Operand::Tensor(map, first) = operand else {
        return None;
    };
    let first = first.iter().map(|it| value(it, "s32", assembly));
    let first = first.collect::<Option<Vec<String>>>()?;
    let map = value(map, "u64", assembly)?;
    (first.len() == dimensions)
        .then(|| format!("{SPACE}generic_pointer({map}), {{{}}}", first.join(", ")))
}

/// A copy of a box of a tensor, whose map and first coordinates are one operand.
fn tensor(
    dimensions: usize,
    words: &[&str],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let words: Vec<&str> = words.iter().copied().filter(|it| *it != "tile").collect();
    let in_tensor = |operand: &Operand| in_tensor(dimensions, operand, assembly);
    match (&words[..], operands) {
        (["shared::cluster" | "shared::cta", "global", LOADS], [to, from, object, ..]) => {
            let (to, from) = (place(to, assembly)?, in_tensor(from)?);
            let object = address(object, &["shared"], assembly)?;
            Some(format!(
                "{SPACE}tensor_load({SITE}, {to}, {from}, {object});"
            ))
        }
        (["shared::cluster", "global", LOADS, MULTICAST], [to, from, object, blocks, ..]) => {
            let (to, from) = (place(to, assembly)?, in_tensor(from)?);
            let object = place(object, assembly)?;
            let blocks = value(blocks, "u16", assembly)?;
            Some(format!(
                "{SPACE}multicast_tensor_load({SITE}, {to}, {from}, {object}, {blocks});"
            ))
        }
        (["global", "shared::cta", "bulk_group"], [to, from, ..]) => {
            let (to, from) = (in_tensor(to)?, place(from, assembly)?);
            Some(format!("{SPACE}tensor_store({SITE}, {to}, {from});"))
        }
        _ => None,
    }
}

/// `tensormap.replace.tile.FIELD.SPACE.b1024.TYPE [map]{, number}, value`.
fn replaced(
    field: &str,
    words: &[&str],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let kind = words.last()?;
    let (map, given) = operands.split_first()?;
    let map = address(map, words, assembly)?;
    let new = value(given.last()?, kind, assembly)?;
    let member = match field {
        "global_address" => "address".to_owned(),
        "elemtype" => "element_type".to_owned(),
        "interleave_layout" => "interleaved".to_owned(),
        "swizzle_mode" => "swizzle".to_owned(),
        "fill_mode" => "fills_with_nan".to_owned(),
        // The value is the number of dimensions less one.
        "rank" => "dimensions".to_owned(),
        _ => {
            let [number, _] = given else {
                return None;
            };
            let name = match field {
                "global_dim" => "sizes",
                "global_stride" => "strides",
                "box_dim" => "box",
                "element_stride" => "steps",
                _ => return None,
            };
            format!("{name}[{}]", value(number, "u32", assembly)?)
        }
    };
    Some(format!(
        "{SPACE}change_map({SITE}, {map}, [&]({SPACE}TensorMap& hirace_map) {{ \
         hirace_map.{member} = static_cast<std::decay_t<decltype(hirace_map.{member})>>({new}); }});"
    ))
}
