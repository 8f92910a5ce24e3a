//! What the code of a thread contains: registers, labels, loops.

use std::collections::{BTreeSet, HashSet};

use hirace_memory_model::litmus::ast::{Address, Instruction, LocationId, Operand, Thread};

/// The registers of a thread, by name.
pub(super) fn registers(thread: &Thread) -> Vec<String> {
    let mut names = BTreeSet::new();
    for line in &thread.code {
        names.extend(line.guard.iter().map(|(register, _)| register.clone()));
        each_register(&line.instruction, &mut |register| {
            names.insert(register.to_owned());
        });
    }
    names.into_iter().collect()
}

fn each_register(instruction: &Instruction, visit: &mut impl FnMut(&str)) {
    let mut operand = |it: &Operand| {
        if let Operand::Register(register) = it {
            visit(register);
        }
    };
    match instruction {
        Instruction::Atomic { operands, .. } | Instruction::Arithmetic { operands, .. } => {
            operands.iter().for_each(&mut operand);
        }
        Instruction::Store { value, .. } => operand(value),
        Instruction::Barrier {
            number,
            count,
            reduction,
            ..
        } => {
            operand(number);
            count.iter().for_each(&mut operand);
            reduction.iter().for_each(|it| operand(&it.predicate));
        }
        Instruction::Branch { left, right, .. } => {
            operand(left);
            operand(right);
        }
        _ => {}
    }
    match instruction {
        Instruction::Load { target, .. }
        | Instruction::Arithmetic { target, .. }
        | Instruction::AddressOf { target, .. }
        | Instruction::Atomic {
            target: Some(target),
            ..
        } => visit(target),
        Instruction::Barrier {
            reduction: Some(reduction),
            ..
        } => visit(&reduction.target),
        _ => {}
    }
    if let Some(Address::Register(register)) = address(instruction) {
        visit(register);
    }
}

/// The address that an instruction accesses.
pub(super) fn address(instruction: &Instruction) -> Option<&Address> {
    match instruction {
        Instruction::Load { address, .. }
        | Instruction::Store { address, .. }
        | Instruction::Atomic { address, .. } => Some(address),
        _ => None,
    }
}

/// The locations that a thread names.
pub(super) fn locations(thread: &Thread) -> Vec<LocationId> {
    let named = thread.code.iter().filter_map(|line| {
        match (address(&line.instruction), &line.instruction) {
            (Some(Address::Location(id)), _) | (_, Instruction::AddressOf { location: id, .. }) => {
                Some(*id)
            }
            _ => None,
        }
    });
    let all: BTreeSet<_> = named.collect();
    all.into_iter().collect()
}

/// The indices of instructions that jumps lead to.
pub(super) fn targets(thread: &Thread) -> HashSet<usize> {
    let jumps = thread.code.iter().filter_map(|it| jump(&it.instruction));
    jumps.collect()
}

/// The jumps that go back.
pub(super) fn back_edges(thread: &Thread) -> Vec<usize> {
    let all = thread.code.iter().enumerate();
    let back = all.filter(|(at, it)| jump(&it.instruction).is_some_and(|to| to <= *at));
    back.map(|(at, _)| at).collect()
}

fn jump(instruction: &Instruction) -> Option<usize> {
    match instruction {
        Instruction::Branch { to, .. } | Instruction::Jump { to } => Some(*to),
        _ => None,
    }
}
