//! The instructions of litmus tests, one row each.
//!
//! A row has what is specific to an instruction: its name, what it computes, and how PTX and CUDA
//! C++ write it. The reader of tests, the traces of their threads, the programs of `hirace litmus
//! run` and the help texts all take it from here, so another operation or comparison is another row.
//! An instruction that does something new also needs a `Form` and a variant of
//! `Instruction` in `ast.rs`; the compiler then names the places that must handle it.

use std::fmt;

use super::qualifiers::Proxy;
use super::types::{Type, Value};

/// How an instruction is written and what it does.
pub(super) enum Form {
    /// Reads memory through a proxy.
    Load(Proxy),
    /// Writes memory through a proxy.
    Store(Proxy),
    /// Reads and writes memory through a proxy; whether it returns the old value.
    Atomic { proxy: Proxy, returns: bool },
    /// `fence`.
    Fence,
    /// `membar`.
    Membar,
    /// `bar`.
    Barrier,
    /// Copies a value, or takes the address of a location.
    Mov,
    /// Computes a register from two operands.
    Arithmetic(Arithmetic),
    /// `setp`, with a comparison as modifier.
    Compare,
    /// Jumps if a comparison is true, whose name follows the `b`.
    Branch,
    /// Jumps.
    Jump,
}

/// An instruction by its opcode.
pub(super) struct Opcode {
    pub(super) name: &'static str,
    pub(super) form: Form,
}

/// Instructions that have the same modifiers.
struct Group {
    opcodes: &'static [Opcode],
    /// Modifiers and operands, with `.{operations}` for the names in [`ATOMIC_OPS`] and
    /// `.{comparisons}` for those in [`COMPARATORS`].
    help: &'static str,
}

/// An operation on registers.
pub struct Arithmetic {
    /// Its opcode.
    pub name: &'static str,
    /// The result for operands of a type. It may have more bits than the type.
    pub compute: fn(Type, Value, Value) -> Value,
    /// The instruction of PTX without the size; `#` is `s` or `u`, as the type's sign.
    pub ptx: &'static str,
    /// A C++ expression of the operands `$a` and `$b`, which are cast to the type.
    pub cpp: &'static str,
}

/// An operation of `atom` and `red`.
pub struct AtomicOp {
    /// The modifier.
    pub name: &'static str,
    /// What its operands are after the address.
    pub operands: &'static [&'static str],
    /// The only type that PTX has it for.
    pub only: Option<Type>,
    /// What is written over the old value (PTX ISA, "atom"). It may have more bits than the type.
    /// None for `cas`, which writes its second operand if the first one is the old value.
    pub compute: Option<fn(Type, Value, Value) -> Value>,
    /// The modifiers of PTX without the size; `#` is `s` or `u`, as the type's sign.
    pub ptx: &'static str,
    /// CUDA's function.
    pub cuda: &'static str,
    /// PTX and CUDA have this operation with a negated operand only.
    pub negated: bool,
}

/// A comparison of two numbers.
pub struct Comparator {
    /// The name in PTX.
    pub name: &'static str,
    /// Whether it is true of two numbers of a type.
    pub holds: fn(Type, Value, Value) -> bool,
    /// The operator of C++.
    pub cpp: &'static str,
}

/// Rows are told apart by their names.
macro_rules! compared_by_name {
    ($($row:ident)*) => {$(
        impl PartialEq for $row {
            fn eq(&self, other: &Self) -> bool {
                self.name == other.name
            }
        }

        impl Eq for $row {}

        impl fmt::Debug for $row {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name)
            }
        }
    )*};
}

compared_by_name! { Arithmetic AtomicOp Comparator }

const fn opcode(name: &'static str, form: Form) -> Opcode {
    Opcode { name, form }
}

const fn computes(
    name: &'static str,
    ptx: &'static str,
    cpp: &'static str,
    compute: fn(Type, Value, Value) -> Value,
) -> Opcode {
    let op = Arithmetic {
        name,
        compute,
        ptx,
        cpp,
    };
    opcode(name, Form::Arithmetic(op))
}

/// What copies a value.
pub(super) static MOV: Arithmetic = Arithmetic {
    name: "mov",
    compute: |_, a, _| a,
    ptx: "mov.b",
    cpp: "$a",
};

const fn atomics(name: &'static str, proxy: Proxy, returns: bool) -> Opcode {
    opcode(name, Form::Atomic { proxy, returns })
}

/// The instructions.
static GROUPS: [Group; 11] = [
    Group {
        opcodes: &[
            opcode("ld", Form::Load(Proxy::Generic)),
            opcode("st", Form::Store(Proxy::Generic)),
        ],
        help: ".weak, .volatile, .relaxed .acquire .release with .cta .cluster .gpu .sys;\n\
               .cg and .ca are weak; ld r0, 1 is mov r0, 1",
    },
    Group {
        opcodes: &[
            atomics("atom", Proxy::Generic, true),
            atomics("red", Proxy::Generic, false),
        ],
        help: ".relaxed .acquire .release .acq_rel with a scope;\n.{operations}",
    },
    Group {
        opcodes: &[
            opcode("suld", Form::Load(Proxy::Surface)),
            opcode("sust", Form::Store(Proxy::Surface)),
        ],
        help: "by the surface proxy",
    },
    Group {
        opcodes: &[
            atomics("suatom", Proxy::Surface, true),
            atomics("sured", Proxy::Surface, false),
        ],
        help: "as atom and red, by the surface proxy",
    },
    Group {
        opcodes: &[
            opcode("tld", Form::Load(Proxy::Texture)),
            opcode("tex", Form::Load(Proxy::Texture)),
            opcode("cold", Form::Load(Proxy::Constant)),
            opcode("ldc", Form::Load(Proxy::Constant)),
        ],
        help: "by the texture and constant proxies; ldc is ld.const",
    },
    Group {
        opcodes: &[opcode("fence", Form::Fence)],
        help: ".sc .acq_rel with a scope;\n\
               .proxy.alias .proxy.surface .proxy.texture .proxy.constant",
    },
    Group {
        opcodes: &[opcode("membar", Form::Membar)],
        help: ".cta .gl .sys",
    },
    Group {
        opcodes: &[
            opcode("bar", Form::Barrier),
            opcode("barrier", Form::Barrier),
        ],
        help: ".cta.sync .cta.arrive .cta.red with the number of the barrier, and how many\n\
               threads take part; .cta.red.popc .cta.red.and .cta.red.or r0, BARRIER, r1\n\
               reduce r1 of these threads to r0",
    },
    Group {
        opcodes: &[
            opcode("mov", Form::Mov),
            // Unsigned in C++, where overflow with a sign has no meaning.
            computes("add", "add.#", "(unsigned long long)$a + $b", |_, a, b| {
                a.wrapping_add(b)
            }),
            computes("sub", "sub.#", "(unsigned long long)$a - $b", |_, a, b| {
                a.wrapping_sub(b)
            }),
            computes(
                "mul",
                "mul.lo.#",
                "(unsigned long long)$a * $b",
                |_, a, b| a.wrapping_mul(b),
            ),
            computes("and", "and.b", "$a & $b", |_, a, b| a & b),
            computes("or", "or.b", "$a | $b", |_, a, b| a | b),
            computes("xor", "xor.b", "$a ^ $b", |_, a, b| a ^ b),
            computes("min", "min.#", "$b < $a ? $b : $a", Type::min),
            computes("max", "max.#", "$a < $b ? $b : $a", Type::max),
        ],
        help: "on registers",
    },
    Group {
        opcodes: &[opcode("setp", Form::Compare)],
        help: ".{comparisons} of registers",
    },
    Group {
        opcodes: &[
            opcode("beq", Form::Branch),
            opcode("bne", Form::Branch),
            opcode("blt", Form::Branch),
            opcode("ble", Form::Branch),
            opcode("bgt", Form::Branch),
            opcode("bge", Form::Branch),
            opcode("goto", Form::Jump),
            opcode("bra", Form::Jump),
        ],
        help: "to labels",
    },
];

const fn atomic(
    name: &'static str,
    ptx: &'static str,
    cuda: &'static str,
    compute: fn(Type, Value, Value) -> Value,
) -> AtomicOp {
    AtomicOp {
        name,
        operands: &["value"],
        only: None,
        compute: Some(compute),
        ptx,
        cuda,
        negated: false,
    }
}

/// The operations of `atom` and `red`.
pub static ATOMIC_OPS: [AtomicOp; 11] = [
    atomic("add", "add.u", "atomicAdd", |_, old, value| {
        old.wrapping_add(value)
    }),
    AtomicOp {
        negated: true,
        ..atomic("sub", "add.u", "atomicAdd", |_, old, value| {
            old.wrapping_sub(value)
        })
    },
    atomic("exch", "exch.b", "atomicExch", |_, _, value| value),
    AtomicOp {
        operands: &["expected value", "new value"],
        compute: None,
        ..atomic("cas", "cas.b", "atomicCAS", |_, old, _| old)
    },
    AtomicOp {
        only: Some(Type::U32),
        ..atomic("inc", "inc.u", "atomicInc", |of, old, last| {
            let wraps = !of.less(old, last);
            if wraps { 0 } else { old.wrapping_add(1) }
        })
    },
    AtomicOp {
        only: Some(Type::U32),
        ..atomic("dec", "dec.u", "atomicDec", |of, old, last| {
            let wraps = old == 0 || of.less(last, old);
            if wraps { last } else { old.wrapping_sub(1) }
        })
    },
    atomic("and", "and.b", "atomicAnd", |_, old, value| old & value),
    atomic("or", "or.b", "atomicOr", |_, old, value| old | value),
    atomic("xor", "xor.b", "atomicXor", |_, old, value| old ^ value),
    atomic("min", "min.#", "atomicMin", Type::min),
    atomic("max", "max.#", "atomicMax", Type::max),
];

const fn comparator(
    name: &'static str,
    cpp: &'static str,
    holds: fn(Type, Value, Value) -> bool,
) -> Comparator {
    Comparator { name, holds, cpp }
}

/// What `setp` and branches compare.
pub static COMPARATORS: [Comparator; 6] = [
    comparator("eq", "==", |_, a, b| a == b),
    comparator("ne", "!=", |_, a, b| a != b),
    comparator("lt", "<", Type::less),
    comparator("le", "<=", |of, a, b| !of.less(b, a)),
    comparator("gt", ">", |of, a, b| of.less(b, a)),
    comparator("ge", ">=", |of, a, b| !of.less(a, b)),
];

impl Arithmetic {
    /// The result, as a number of the type. Missing operands are 0.
    #[must_use]
    pub fn result(&self, value_type: Type, operands: &[Value]) -> Value {
        let [a, b] = fitted(value_type, operands);
        value_type.fit((self.compute)(value_type, a, b))
    }
}

impl AtomicOp {
    /// What is written over `old`, a number of the type; none if nothing is.
    #[must_use]
    pub fn result(&self, value_type: Type, old: Value, operands: &[Value]) -> Option<Value> {
        let [first, second] = fitted(value_type, operands);
        match self.compute {
            Some(compute) => Some(value_type.fit(compute(value_type, old, first))),
            None => (old == first).then_some(second),
        }
    }

    /// The operation of this modifier.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        let name = if name == "plus" { "add" } else { name };
        ATOMIC_OPS.iter().find(|it| it.name == name)
    }
}

impl Comparator {
    /// The comparison of this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        COMPARATORS.iter().find(|it| it.name == name)
    }
}

fn fitted(value_type: Type, operands: &[Value]) -> [Value; 2] {
    [0, 1].map(|at| value_type.fit(operands.get(at).copied().unwrap_or(0)))
}

/// The instruction with this opcode.
pub(super) fn named(name: &str) -> Option<&'static Opcode> {
    opcodes().find(|it| it.name == name)
}

/// All instructions.
pub(super) fn opcodes() -> impl Iterator<Item = &'static Opcode> {
    GROUPS.iter().flat_map(|it| it.opcodes)
}

/// The instructions with their modifiers, for help texts.
#[must_use]
pub fn help() -> String {
    let operations = listed(ATOMIC_OPS.iter().map(|it| it.name), " .");
    let comparisons = listed(COMPARATORS.iter().map(|it| it.name), " .");
    let mut text = String::new();
    for group in &GROUPS {
        let names = listed(group.opcodes.iter().map(|it| it.name), " ");
        let help = group.help.replace("{operations}", &operations);
        let help = help.replace("{comparisons}", &comparisons);
        let indented = help.replace('\n', &format!("\n{:22}", ""));
        text += &format!("  {names:<18}  {indented}\n");
    }
    text
}

/// Names with a separator between them.
pub(super) fn listed(names: impl Iterator<Item = &'static str>, separator: &str) -> String {
    names.collect::<Vec<_>>().join(separator)
}
