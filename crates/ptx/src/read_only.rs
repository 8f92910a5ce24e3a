//! The parameters of a kernel that lead to memory that it can only read.
//!
//! The executor does not check reads of such arrays (`device/hirace/executor/check/read_only_memory.h`). What C++ shows
//! by `const`, the instructions show here: a kernel can write an array only if the address of a store is derived from
//! the array's parameter. If any store has an address that is derived from elsewhere, such as memory, nothing is known.
//! Two parameters may lead to one array; the executor looks at their values.

use std::collections::HashSet;

use hirace_instrument::rewrite::ptx::{
    self, Assembly, Instruction, Operand, Plan as Meaning, Space,
};
use hirace_model::SiteKind;

use crate::module::Variable;
use crate::roots::Roots;
use crate::variables;

/// The size of a pointer, in bytes.
const POINTER: u64 = 8;

/// A parameter that may be a pointer.
pub(crate) struct Pointer {
    /// Its name in C++.
    name: String,
    /// Whether the kernel writes nothing through it.
    only_reads: bool,
}

/// What an instruction may write in memory that pointers lead to.
enum Written<'a> {
    Nothing,
    At(&'a Operand),
    Anything,
}

/// The pointers among the parameters of a kernel; empty if it may write through any pointer.
pub(crate) fn pointers<'a>(
    parameters: &[Variable],
    instructions: impl Iterator<Item = &'a Instruction>,
    assembly: &Assembly,
    roots: &Roots,
) -> Vec<Pointer> {
    let mut origins = HashSet::new();
    for instruction in instructions {
        match written(instruction, assembly) {
            Written::Nothing => {}
            Written::Anything => return Vec::new(),
            Written::At(address) => match roots.origin(address) {
                Some(origin) => drop(origins.insert(origin)),
                None => return Vec::new(),
            },
        }
    }
    let is_pointer = |it: &&Variable| it.bytes() == POINTER;
    let pointers: Vec<Pointer> = parameters
        .iter()
        .filter(is_pointer)
        .map(|it| Pointer {
            name: variables::cpp_name(it.name()),
            only_reads: !origins.contains(it.name()),
        })
        .collect();
    // A structure may hold several pointers.
    let through_structure = parameters
        .iter()
        .any(|it| it.bytes() != POINTER && origins.contains(it.name()));
    let any = pointers.iter().any(|it| it.only_reads) && !through_structure;
    if any { pointers } else { Vec::new() }
}

fn written<'a>(instruction: &'a Instruction, assembly: &Assembly) -> Written<'a> {
    match instruction.head() {
        "call" | "tensormap" => return Written::Anything,
        "wmma" if instruction.modifiers().first() == Some(&"load") => return Written::Nothing,
        _ => {}
    }
    match ptx::plan(instruction, assembly) {
        Some(Meaning::Access { access, .. }) => match (access.kind, access.space) {
            (SiteKind::Read, _) => Written::Nothing,
            (_, Space::Generic) => Written::At(access.base),
            _ => Written::Nothing,
        },
        // The array is where the map says.
        Some(Meaning::Exchange(_))
            if matches!(instruction.operands.first(), Some(Operand::Tensor(..))) =>
        {
            Written::Anything
        }
        Some(Meaning::Exchange(_)) => {
            // The first state space is that of what is written.
            let modifiers = instruction.modifiers();
            let mut spaces = modifiers
                .iter()
                .filter(|it| it.starts_with("shared") || **it == "global");
            match (ptx::destination(instruction), spaces.next()) {
                (None, _) => Written::Nothing,
                (_, Some(space)) if space.starts_with("shared") => Written::Nothing,
                (Some(address), _) => Written::At(address),
            }
        }
        _ => Written::Nothing,
    }
}

/// The code at the beginning of a kernel with these pointers.
pub(crate) fn enter(pointers: &[Pointer]) -> String {
    if pointers.is_empty() {
        return String::new();
    }
    let arguments: Vec<String> = pointers
        .iter()
        .map(|it| {
            let constant = if it.only_reads { "const " } else { "" };
            let name = &it.name;
            format!("::hirace::cpu::ptx::pointer_in<{constant}unsigned char>({name})")
        })
        .collect();
    format!("::hirace::cpu::enter_kernel({});\n", arguments.join(", "))
}
