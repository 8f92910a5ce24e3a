//! Interleavings of a program's threads.

use hirace_sample::random::Random;

use crate::program::{Op, Program};

/// The order in which the threads of a program make their operations: thread numbers. Threads that
/// wait at a barrier are passed over.
pub fn interleaving(program: &Program, random: &mut Random) -> Vec<usize> {
    let mut run = Run::new(program);
    let mut order = Vec::new();
    loop {
        let ready = run.ready();
        if ready.is_empty() {
            return order;
        }
        let thread = *random.pick(&ready);
        order.push(thread);
        run.step(thread);
    }
}

/// Calls `visit` with each interleaving of a program.
pub fn each_interleaving(program: &Program, visit: &mut dyn FnMut(&[usize])) {
    fn go(run: &Run<'_>, order: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
        let ready = run.ready();
        if ready.is_empty() {
            return visit(order);
        }
        for thread in ready {
            let mut next = run.clone();
            next.step(thread);
            order.push(thread);
            go(&next, order, visit);
            order.pop();
        }
    }
    go(&Run::new(program), &mut Vec::new(), visit);
}

/// How far the threads are.
#[derive(Clone)]
struct Run<'a> {
    program: &'a Program,
    at: Vec<usize>,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            program,
            at: vec![0; program.threads.len()],
        }
    }

    /// Whether a thread has reached its operation of this kind.
    fn has_reached(&self, thread: usize, is: fn(&Op) -> bool) -> bool {
        let place = self.program.threads[thread].iter().position(is);
        place.is_none_or(|place| self.at[thread] > place)
    }

    /// The threads that can go on: those that do not wait at the operation they made last.
    fn ready(&self) -> Vec<usize> {
        let all = 0..self.program.threads.len();
        all.filter(|thread| {
            let code = &self.program.threads[*thread];
            if self.at[*thread] == code.len() {
                return false;
            }
            let last = self.at[*thread].checked_sub(1).map(|it| code[it]);
            let block = self.program.block(*thread);
            let width = self.program.width;
            match last {
                Some(Op::BlockBarrier) => (block * width..(block + 1) * width)
                    .all(|it| self.has_reached(it, |op| *op == Op::BlockBarrier)),
                Some(Op::Barrier { waits: true }) => self
                    .program
                    .participants(block)
                    .into_iter()
                    .all(|it| self.has_reached(it, Op::arrives)),
                _ => true,
            }
        })
        .collect()
    }

    fn step(&mut self, thread: usize) {
        self.at[thread] += 1;
    }
}
