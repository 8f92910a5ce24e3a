//! The threads' code, from the columns of the table.

use std::collections::{HashMap, HashSet};

use hirace_model::error::Result;

use super::ast::{Instruction, Line, LocationId, Placement, Thread, Value};
use super::context::Context;
use super::cursor::Cursor;
use super::declarations::{Initial, Register};
use super::lowering;
use super::names::{Locations, Registers};
use super::source::Source;
use super::statement::{self, RawKind, Statement};
use super::table::Column;

/// The threads and their registers.
#[derive(Default)]
pub(super) struct Program {
    /// Their placements are not known yet.
    pub(super) threads: Vec<Thread>,
    pub(super) registers: Vec<Registers>,
    /// Initial values that are not zero.
    pub(super) initial: Vec<(usize, String, Value)>,
}

/// Translates the columns.
pub(super) fn translate(
    source: &Source<'_>,
    columns: &[Column<'_>],
    declared: &[Register<'_>],
    locations: &mut Locations,
) -> Result<Program> {
    let mut program = Program::default();
    for column in columns {
        program.threads.push(Thread {
            name: column.head.name.clone(),
            placement: Placement::default(),
            code: Vec::new(),
        });
        program.registers.push(Registers::default());
    }
    program.declare(source, declared)?;
    for (index, column) in columns.iter().enumerate() {
        program.code(source, index, &column.cells, locations)?;
    }
    Ok(program)
}

impl Program {
    pub(super) fn thread_names(&self) -> Vec<String> {
        self.threads.iter().map(|it| it.name.clone()).collect()
    }

    fn declare(&mut self, source: &Source<'_>, declared: &[Register<'_>]) -> Result<()> {
        let names = self.thread_names();
        for register in declared {
            let thread = register.thread.find(source, &names)?;
            let name = register.name.to_owned();
            if !self.registers[thread].assigned.insert(name.clone()) {
                let message = format!("`{name}` is declared twice");
                return Err(source.error(register.span.clone(), message));
            }
            match register.initial {
                Initial::Value(0) => {}
                Initial::Value(value) => self.initial.push((thread, name, value)),
                // The thread starts with an instruction that the text does not contain.
                Initial::Address(location) => self.threads[thread].code.push(Line {
                    instruction: Instruction::AddressOf {
                        target: name,
                        location,
                    },
                    span: register.span.clone(),
                    guard: None,
                }),
            }
        }
        Ok(())
    }

    fn code(
        &mut self,
        source: &Source<'_>,
        thread: usize,
        cells: &[Cursor<'_>],
        locations: &mut Locations,
    ) -> Result<()> {
        let code = &mut self.threads[thread].code;
        let registers = &mut self.registers[thread];
        let mut labels = HashMap::new();
        let mut statements: Vec<Statement<'_>> = Vec::new();
        for cell in cells {
            let mut cell = cell.clone();
            while let Some((label, span)) = statement::label(&mut cell)? {
                if labels
                    .insert(label, code.len() + statements.len())
                    .is_some()
                {
                    let message = format!("label `{label}` is defined twice in this thread");
                    return Err(source.error(span, message));
                }
            }
            if !cell.rest().is_empty() {
                statements.push(statement::parse(&mut cell)?);
            }
        }
        let targets = statements.iter().filter(|statement| statement.has_target());
        for target in targets.filter_map(|statement| statement.operands.first()) {
            if let RawKind::Name(name) = target.kind {
                registers.assigned.insert(name.to_owned());
            }
        }
        let mut context = Context {
            source,
            locations,
            registers,
            labels: &labels,
        };
        for statement in &statements {
            code.push(lowering::translate(&mut context, statement)?);
        }
        Ok(())
    }
}

/// Threads of different blocks must not use a location in shared memory.
pub(super) fn check_shared(
    source: &Source<'_>,
    threads: &[Thread],
    locations: &Locations,
) -> Result<()> {
    let mut blocks: HashMap<LocationId, (u32, u32)> = HashMap::new();
    for thread in threads {
        let block = (thread.placement.gpu, thread.placement.cta);
        for location in used(thread, locations) {
            let other = *blocks.entry(location).or_insert(block);
            if let (true, Some(span)) = (other != block, locations.shared_at(location)) {
                let name = &locations.list[location].name;
                let message =
                    format!("`{name}` is in shared memory, but threads of different blocks use it");
                let help = "each block has shared memory of its own";
                return Err(source.error_with_help(span, message, help));
            }
        }
    }
    Ok(())
}

/// The memory that a thread's code names.
fn used(thread: &Thread, locations: &Locations) -> HashSet<LocationId> {
    let named = thread
        .code
        .iter()
        .filter_map(|it| it.instruction.location());
    named.map(|it| locations.base(it)).collect()
}
