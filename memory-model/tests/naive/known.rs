//! Constructs on which the tool's model and the text of the ISA differ. The generator leaves them
//! out.

use crate::program::{Instruction, Name, Program, Proxy};

/// The first of these constructs that a program contains.
pub fn case(program: &Program) -> Option<&'static str> {
    let cases = [
        (
            two_names as fn(&Program) -> bool,
            "a thread accesses a location by two names",
        ),
        (strong_aliases, "strong accesses of two aliases"),
    ];
    cases.iter().find(|it| (it.0)(program)).map(|it| it.1)
}

/// A thread accesses a location by two names. Then its accesses are not morally strong, and program
/// order does not order them ("Morally Strong Operations", "Proxies", "Causality Order"). The engine
/// always orders its writes, never lets it read from its own later write, and `ptx.cat` reports
/// races of different threads only.
fn two_names(program: &Program) -> bool {
    program.threads.iter().any(|thread| {
        let names: Vec<_> = thread.code.iter().filter_map(Instruction::name).collect();
        let differ = |a: &Name, b: &Name| a != b && a.memory == b.memory;
        names.iter().any(|a| names.iter().any(|b| differ(a, b)))
    })
}

/// Strong accesses of two generic aliases by two threads. They are not morally strong, because
/// distinct virtual addresses behave like different proxies ("Proxies"). `ptx.cat` compares only the
/// kind of the proxy.
fn strong_aliases(program: &Program) -> bool {
    let strong = |thread: usize| {
        let code = program.threads[thread].code.iter();
        let strong = code.filter(|it| !it.weak()).filter_map(Instruction::name);
        strong.filter(|it| it.proxy == Proxy::Generic)
    };
    pairs(program)
        .any(|(a, b)| strong(a).any(|one| strong(b).any(|it| it != one && it.memory == one.memory)))
}

fn pairs(program: &Program) -> impl Iterator<Item = (usize, usize)> {
    let count = program.threads.len();
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}
