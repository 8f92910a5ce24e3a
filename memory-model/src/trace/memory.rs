//! Accesses and barriers: the instructions that become events.

use hirace_model::error::Result;

use super::state::State;
use super::{FIRST_ADDRESS, Steps, Walk};
use crate::event::{Access, Action, Bytes, Reduced};
use crate::litmus::ast::{
    Address, BarrierKind, Instruction, Line, MemoryOperation, Operand, Order, ReductionOp, Span,
    Type, Value,
};

impl Walk<'_> {
    pub(super) fn load(
        &self,
        state: &State,
        line: &Line,
        operation: &MemoryOperation,
        target: &str,
        open: &mut Vec<State>,
    ) -> Result<()> {
        let (access, reads) = self.access(state, operation, &line.span)?;
        let value_type = self.value_type(&access, operation.value_type, &line.span)?;
        for &value in &self.domains[access.memory] {
            let mut next = state.clone();
            let read = next.push(Action::Read(access, value), &line.span);
            next.depend(reads, read, |it| &mut it.address);
            let loaded = (value_type.fit(value), 1 << read);
            next.registers.insert(target.to_owned(), loaded);
            open.push(next);
        }
        Ok(())
    }

    pub(super) fn store(
        &self,
        mut state: State,
        line: &Line,
        operation: &MemoryOperation,
        value: &Operand,
        open: &mut Vec<State>,
    ) -> Result<()> {
        let span = &line.span;
        let (access, reads) = self.access(&state, operation, span)?;
        self.value_type(&access, operation.value_type, span)?;
        let (value, data) = state.value(value);
        let stored = self.of_location(&access).fit(value);
        if stored != value && self.location_at(value).is_some() {
            let message = format!(
                "an address has 64 bits, but `{}` only {}",
                self.test.locations[access.memory].name,
                self.of_location(&access).bits
            );
            return Err(self.error(span, message));
        }
        let write = state.push(Action::Write(access, stored), span);
        state.depend(reads, write, |it| &mut it.address);
        state.depend(data, write, |it| &mut it.data);
        state.changes += 1;
        open.push(state);
        Ok(())
    }

    pub(super) fn atomic(&self, state: &State, line: &Line, open: &mut Vec<State>) -> Result<()> {
        let Instruction::Atomic {
            operation,
            op,
            target,
            operands,
        } = &line.instruction
        else {
            return Ok(());
        };
        let span = &line.span;
        let (mut access, reads) = self.access(state, operation, span)?;
        access.atomic = true;
        access.reduction = target.is_none();
        let value_type = self.value_type(&access, operation.value_type, span)?;
        let (operands, data) = state.operands(operands);
        let part = |is_read| Access {
            order: order_of_part(operation.order, is_read),
            ..access
        };
        for &before in &self.domains[access.memory] {
            let mut next = state.clone();
            let read = next.push(Action::Read(part(true), before), span);
            next.depend(reads, read, |it| &mut it.address);
            let old = value_type.fit(before);
            if let Some(new) = op.result(value_type, old, &operands) {
                let after = self.of_location(&access).fit(new);
                let write = next.push(Action::Write(part(false), after), span);
                next.trace.rmw.push((read, write));
                next.depend(reads, write, |it| &mut it.address);
                next.depend(data | 1 << read, write, |it| &mut it.data);
                next.changes += usize::from(after != before);
            }
            if let Some(target) = target {
                next.registers.insert(target.clone(), (old, 1 << read));
            }
            open.push(next);
        }
        Ok(())
    }

    /// A barrier. What a reduction results in depends on the other threads, so it continues in one
    /// state for each result.
    pub(super) fn barrier(&self, mut state: State, line: &Line, open: &mut Vec<State>) {
        let Instruction::Barrier {
            kind,
            number,
            count,
            reduction,
        } = &line.instruction
        else {
            return;
        };
        let (number, _) = state.value(number);
        let count = count.as_ref().map(|it| state.value(it).0);
        let barrier = |reduction: Option<Reduced>| Action::Barrier {
            kind: *kind,
            number,
            count,
            reduction,
        };
        state.changes += usize::from(*kind != BarrierKind::Arrive);
        let Some(reduction) = reduction else {
            state.push(barrier(None), &line.span);
            return open.push(state);
        };
        let (predicate, reads) = state.value(&reduction.predicate);
        let greatest = match reduction.op {
            ReductionOp::Popc => self.threads_of_block(),
            ReductionOp::And | ReductionOp::Or => 1,
        };
        for result in 0..=greatest {
            let mut next = state.clone();
            let reduced = Reduced {
                op: reduction.op,
                predicate: predicate != 0,
                result,
            };
            let step = next.push(barrier(Some(reduced)), &line.span);
            next.depend(reads, step, |it| &mut it.data);
            let target = reduction.target.clone();
            next.registers.insert(target, (result, 1 << step));
            open.push(next);
        }
    }

    fn threads_of_block(&self) -> Value {
        let own = self.test.threads[self.thread].placement;
        let threads = self.test.threads.iter();
        let beside = threads.filter(|it| it.placement.same_block(&own)).count();
        Value::try_from(beside).unwrap_or(Value::MAX)
    }

    /// The type of the accessed location.
    fn of_location(&self, access: &Access) -> Type {
        self.test.locations[access.memory].value_type
    }

    /// The type of an access; through a register, its size may turn out to be another one than the
    /// location's.
    fn value_type(&self, access: &Access, given: Option<Type>, span: &Span) -> Result<Type> {
        let of_location = self.of_location(access);
        let value_type = given.unwrap_or(of_location);
        if value_type.bits == of_location.bits {
            return Ok(value_type);
        }
        let message = format!(
            "this accesses {} bits of `{}`, whose type is .{}; give it a type in its declaration, \
             as in `int x = 0`",
            value_type.bits,
            self.test.locations[access.memory].name,
            of_location.name()
        );
        Err(self.error(span, message))
    }

    /// The location whose address a number is.
    fn location_at(&self, value: Value) -> Option<usize> {
        let index = usize::try_from(value.checked_sub(FIRST_ADDRESS)?).ok();
        index.filter(|it| *it < self.test.locations.len())
    }

    fn access(
        &self,
        state: &State,
        operation: &MemoryOperation,
        span: &Span,
    ) -> Result<(Access, Steps)> {
        let (location, reads) = match &operation.address {
            Address::Location(location) => (*location, 0),
            Address::Register(register) => {
                let (value, reads) = state.register(register);
                let location = self.location_at(value).ok_or_else(|| {
                    let message =
                        format!("register {register} does not hold the address of a location");
                    self.error(span, message)
                })?;
                (location, reads)
            }
        };
        let access = Access {
            location,
            address: self.test.address(location),
            memory: self.test.memory(location),
            proxy: operation.proxy,
            order: operation.order,
            scope: operation.scope,
            atomic: false,
            reduction: false,
            bytes: Bytes::ALL,
            whole: Bytes::ALL,
        };
        Ok((access, reads))
    }
}

/// The order of the read or the write of an atomic operation.
fn order_of_part(order: Order, is_read: bool) -> Order {
    match (order, is_read) {
        (Order::AcqRel | Order::Acquire, true) => Order::Acquire,
        (Order::AcqRel | Order::Release, false) => Order::Release,
        _ => Order::Relaxed,
    }
}
