//! Constructs on which the tool's model and the text of the ISA differ. The generator leaves them
//! out, and a test checks that they still differ.

use crate::program::{
    Comparison, Instruction, Name, Operand, Order, Program, Quantifier, SURFACE, Scope, Thread, X,
};

/// Whether a thread reads a location and then writes it by another name. Such a read does not
/// precede the write in causality order ("Proxies", "Causality Order"), so that the text allows it to
/// read from the write (axiom "Causality", 1). The engine never lets a read take the value of a later
/// write of its own thread.
pub fn reads_before_own_write(program: &Program) -> bool {
    program.threads.iter().any(|thread| {
        let code = thread.code.iter().enumerate();
        let mut reads = code.filter(|it| it.1.target().is_some());
        reads.any(|(at, read)| {
            let later = thread.code[at + 1..].iter().filter(|it| it.writes());
            let mut names = later.filter_map(Instruction::name);
            let differ = |a: Name, b: Name| a != b && a.memory == b.memory;
            read.name()
                .is_some_and(|name| names.any(|it| differ(it, name)))
        })
    })
}

/// A program for each case.
pub fn examples() -> Vec<(&'static str, Program)> {
    let code = vec![load(Order::Weak, X, 0), store(Order::Weak, SURFACE, 1)];
    let own_write = program([(0, 0), (0, 0)], [code, Vec::new()], &[(0, 0, 1)]);
    vec![(
        "a read before a write of its thread by another name",
        own_write,
    )]
}

fn store(order: Order, name: Name, value: i64) -> Instruction {
    Instruction::Store {
        order,
        scope: Scope::Gpu,
        name,
        value: Operand::Constant(value),
    }
}

fn load(order: Order, name: Name, target: usize) -> Instruction {
    Instruction::Load {
        order,
        scope: Scope::Gpu,
        name,
        target,
    }
}

/// Two threads at these GPUs and blocks, and the values of registers of threads.
fn program(
    places: [(u32, u32); 2],
    code: [Vec<Instruction>; 2],
    values: &[(usize, usize, i64)],
) -> Program {
    let threads = places.into_iter().zip(code);
    let threads = threads.map(|((gpu, cta), code)| Thread { gpu, cta, code });
    let condition = values.iter().map(|&(thread, register, value)| Comparison {
        thread,
        register,
        equal: true,
        value,
    });
    Program {
        threads: threads.collect(),
        quantifier: Quantifier::Exists,
        condition: condition.collect(),
        and: true,
    }
}
