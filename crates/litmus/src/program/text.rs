//! What the code of a thread contains: registers, labels, loops.

use std::collections::{BTreeSet, HashSet};

use hirace_memory_model::litmus::ast::{Address, LocationId, Operand, Thread};

/// The registers of a thread, by name.
pub(super) fn registers(thread: &Thread) -> Vec<String> {
    let mut names = BTreeSet::new();
    for line in &thread.code {
        names.extend(line.guard.iter().map(|(register, _)| register.clone()));
        let operands = line.instruction.operands().into_iter();
        names.extend(operands.filter_map(|it| match it {
            Operand::Register(register) => Some(register.clone()),
            Operand::Constant(_) => None,
        }));
        names.extend(line.instruction.target().map(str::to_owned));
        let operation = line.instruction.memory_operation();
        if let Some(Address::Register(register)) = operation.map(|it| &it.address) {
            names.insert(register.clone());
        }
    }
    names.into_iter().collect()
}

/// The locations that a thread names.
pub(super) fn locations(thread: &Thread) -> Vec<LocationId> {
    let named = thread
        .code
        .iter()
        .filter_map(|it| it.instruction.location());
    let all: BTreeSet<_> = named.collect();
    all.into_iter().collect()
}

/// The indices of instructions that jumps lead to.
pub(super) fn targets(thread: &Thread) -> HashSet<usize> {
    let jumps = thread.code.iter().filter_map(|it| it.instruction.jump());
    jumps.collect()
}

/// The jumps that go back.
pub(super) fn back_edges(thread: &Thread) -> Vec<usize> {
    let all = thread.code.iter().enumerate();
    let back = all.filter(|(at, it)| it.instruction.jump().is_some_and(|to| to <= *at));
    back.map(|(at, _)| at).collect()
}
