//! Random small programs.

use hirace_sample::random::Random;

use crate::program::{
    ALIAS, Comparison, Instruction, Name, Operand, Order, Program, Proxy, Quantifier, Rmw, SURFACE,
    SURFACE_OF_ALIAS, Scope, Thread, X, Y,
};

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut program = Generator::new(seed).program();
    // Numbers of their own: these leave the rest of a seed's program as it is.
    let mut other = Generator::new(!seed);
    other.clusters(&mut program);
    other.barriers(&mut program);
    program
}

struct Generator {
    random: Random,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
        }
    }

    /// Puts the blocks into two clusters of each GPU, in every third program.
    fn clusters(&mut self, program: &mut Program) {
        if !self.random.percent(33) {
            return;
        }
        let of_block: Vec<_> = (0..64).map(|_| *self.random.pick(&[0, 0, 1])).collect();
        for thread in &mut program.threads {
            thread.cluster = Some(of_block[(8 * thread.gpu + thread.cta) as usize % 64]);
        }
    }

    /// Lets threads use barriers in different orders, in every fifth program: some wait forever.
    fn barriers(&mut self, program: &mut Program) {
        let changes = self.random.percent(20);
        let code = program.threads.iter_mut().flat_map(|it| &mut it.code);
        for instruction in code.filter(|_| changes) {
            if let Instruction::Barrier { number, .. } = instruction {
                *number = *self.random.pick(&[0, 1]);
            }
        }
    }

    /// 1 or 2.
    fn value(&mut self) -> i64 {
        *self.random.pick(&[1, 2])
    }

    fn scope(&mut self) -> Scope {
        let all = [
            Scope::Cta,
            Scope::Gpu,
            Scope::Gpu,
            Scope::Sys,
            Scope::Cluster,
            Scope::Sys,
        ];
        *self.random.pick(&all)
    }

    fn program(&mut self) -> Program {
        let names: &[Name] = match self.random.index(20) {
            0..=5 => &[X],
            6..=12 => &[X, Y],
            13 => &[X, ALIAS],
            14..=15 => &[X, Y, ALIAS],
            16..=17 => &[X, Y, SURFACE],
            18 => &[X, Y, ALIAS, SURFACE],
            _ => &[X, Y, ALIAS, SURFACE, SURFACE_OF_ALIAS],
        };
        let count = if self.random.percent(75) { 2 } else { 3 };
        let mut threads = Vec::new();
        for number in 0..count {
            let (gpu, cta) = match self.random.index(5) {
                0..=1 => (0, 0),
                2..=3 => (0, number),
                _ => (1, *self.random.pick(&[0, number])),
            };
            let code = Vec::new();
            threads.push(Thread {
                gpu,
                cluster: None,
                cta,
                code,
            });
        }
        // Proxy fences matter only together with such an order.
        let other_names = names.iter().any(|it| ![X, Y].contains(it));
        let form = self.random.index(if other_names { 60 } else { 100 });
        if form < 20 {
            self.messages(&mut threads, names);
        } else if form < 50 {
            self.passing(&mut threads, names);
        } else {
            let lengths: &[usize] = if count == 2 {
                &[1, 2, 2, 3, 3, 4]
            } else {
                &[1, 2]
            };
            for thread in &mut threads {
                let length = *self.random.pick(lengths);
                for _ in 0..length {
                    self.instruction(&mut thread.code, names);
                }
            }
        }
        for thread in &mut threads {
            self.finish(&mut thread.code, names);
        }
        self.question(threads)
    }

    /// Threads that write a location, then another one, or read them in turn, with some ordering in
    /// between: the common tests are of this form.
    fn messages(&mut self, threads: &mut [Thread], names: &[Name]) {
        let fence = Some(self.fence(names));
        for thread in threads {
            let (first, second) = (*self.random.pick(names), *self.random.pick(names));
            let (before, after) = (self.random.percent(50), self.random.percent(50));
            self.access(&mut thread.code, first, before);
            let between = if self.random.percent(50) {
                fence
            } else {
                Some(self.fence(names))
            };
            thread
                .code
                .extend(between.filter(|_| self.random.percent(70)));
            self.access(&mut thread.code, second, after);
            if self.random.percent(15) {
                self.instruction(&mut thread.code, names);
            }
        }
    }

    /// Message passing: the first thread accesses [`X`] before the others do. A flag or a barrier
    /// carries the order, with fences and atomic operations in between.
    fn passing(&mut self, threads: &mut [Thread], names: &[Name]) {
        let data: Vec<_> = names
            .iter()
            .copied()
            .filter(|it| it.memory == X.memory)
            .collect();
        let (barrier, last) = (self.random.percent(25), threads.len() - 1);
        for (number, thread) in threads.iter_mut().enumerate() {
            let code = &mut thread.code;
            let name = *self.random.pick(&data);
            let write = number == 0 || self.random.percent(20);
            let order = *self
                .random
                .pick(&[Order::Weak, Order::Weak, Order::Relaxed]);
            self.ordered(code, name, write, order);
            self.between(code, names);
            let flag = code.len();
            if barrier {
                let arrive = number == 0 && self.random.percent(30);
                code.push(Instruction::Barrier { arrive, number: 0 });
                if self.random.percent(25) {
                    let arrive = false;
                    code.push(Instruction::Barrier { arrive, number: 0 });
                }
            } else if number > 0 && number < last {
                self.atomic(code, Y);
            } else {
                let (write, order) = match number {
                    0 => (true, Order::Release),
                    _ => (false, Order::Acquire),
                };
                let order = *self.random.pick(&[order, order, order, Order::Relaxed]);
                self.ordered(code, Y, write, order);
            }
            // The others do the same in the opposite order.
            if number > 0 && self.random.percent(90) {
                code.reverse();
            } else if self.random.percent(10) {
                code.swap(0, flag);
            }
        }
    }

    /// Up to two fences, proxy fences if there are other names than generic ones; three if these have
    /// several addresses.
    fn between(&mut self, code: &mut Vec<Instruction>, names: &[Name]) {
        let percents: &[u64] = match names.len() > 3 {
            true => &[80, 60, 40],
            false => &[60, 15],
        };
        for &percent in percents {
            if self.random.percent(percent) {
                let fence = self.fence(names);
                code.push(fence);
            }
        }
        if self.random.percent(10) {
            code.rotate_left(1);
        }
    }

    fn instruction(&mut self, code: &mut Vec<Instruction>, names: &[Name]) {
        let name = *self.random.pick(names);
        match self.random.index(100) {
            0..=33 => self.access(code, name, false),
            34..=65 => self.access(code, name, true),
            66..=77 => self.atomic(code, name),
            78..=93 => {
                let fence = self.fence(names);
                code.push(fence);
            }
            _ => match code.iter().filter_map(Instruction::target).next_back() {
                Some(register) => {
                    let value = *self.random.pick(&[0, 0, 1, 2]);
                    // The target is chosen at the end.
                    let to = usize::MAX;
                    code.push(Instruction::Branch {
                        register,
                        value,
                        to,
                    });
                }
                None => self.access(code, name, false),
            },
        }
    }

    /// A fence, proxy fence or barrier.
    fn fence(&mut self, names: &[Name]) -> Instruction {
        let has = |wanted: fn(&Name) -> bool| names.iter().any(wanted);
        let has_surface = has(|it| it.proxy == Proxy::Surface);
        let has_alias = has(|it| it.memory != it.address);
        if (has_surface || has_alias) && self.random.percent(60) {
            let percent = match (has_surface, has_alias) {
                (true, true) => 60,
                (true, false) => 90,
                (false, _) => 10,
            };
            let surface = self.random.percent(percent);
            return Instruction::ProxyFence { surface };
        }
        if self.random.percent(25) {
            return Instruction::Barrier {
                arrive: self.random.percent(35),
                number: *self.random.pick(&[0, 0, 1]),
            };
        }
        Instruction::Fence {
            sc: self.random.percent(50),
            scope: self.scope(),
        }
    }

    fn access(&mut self, code: &mut Vec<Instruction>, name: Name, write: bool) {
        let strong = if write {
            Order::Release
        } else {
            Order::Acquire
        };
        let order = match self.random.index(20) {
            0..=5 => Order::Weak,
            6..=11 => Order::Relaxed,
            12..=18 => strong,
            _ => Order::Volatile,
        };
        self.ordered(code, name, write, order);
    }

    fn ordered(&mut self, code: &mut Vec<Instruction>, name: Name, write: bool, order: Order) {
        let scope = self.scope();
        code.push(if write {
            Instruction::Store {
                order,
                scope,
                name,
                value: self.operand(code),
            }
        } else {
            Instruction::Load {
                order,
                scope,
                name,
                target: self.target(code),
            }
        });
    }

    fn atomic(&mut self, code: &mut Vec<Instruction>, name: Name) {
        if name.proxy == Proxy::Surface {
            return self.access(code, name, true);
        }
        let orders = [
            Order::Relaxed,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
        ];
        let rmw = match self.random.index(3) {
            0 => Rmw::Add(self.value()),
            1 => Rmw::Exch(self.operand(code)),
            _ => Rmw::Cas(*self.random.pick(&[0, 1]), self.value()),
        };
        code.push(Instruction::Atomic {
            order: *self.random.pick(&orders),
            scope: self.scope(),
            name,
            rmw,
            target: self.target(code),
        });
    }

    /// A constant or a register.
    fn operand(&mut self, code: &[Instruction]) -> Operand {
        let registers: Vec<_> = code.iter().filter_map(Instruction::target).collect();
        if !registers.is_empty() && self.random.percent(35) {
            return Operand::Register(*self.random.pick(&registers));
        }
        Operand::Constant(self.value())
    }

    /// Mostly a new register, sometimes one that has a value.
    fn target(&mut self, code: &[Instruction]) -> usize {
        let used = code
            .iter()
            .filter_map(Instruction::target)
            .max()
            .map_or(0, |it| it + 1);
        if used > 0 && self.random.percent(8) {
            used - 1
        } else {
            used
        }
    }

    /// Chooses the targets of branches, and sorts the numbers of barriers: threads that use them in
    /// different orders would wait for each other forever.
    fn finish(&mut self, code: &mut Vec<Instruction>, names: &[Name]) {
        if matches!(code.last(), Some(Instruction::Branch { .. })) {
            let name = *self.random.pick(names);
            self.access(code, name, true);
        }
        let (count, mut lowest) = (code.len(), 0);
        for (at, instruction) in code.iter_mut().enumerate() {
            match instruction {
                Instruction::Branch { to, .. } => *to = at + 2 + self.random.index(count - at - 1),
                Instruction::Barrier { number, .. } => {
                    lowest = lowest.max(*number);
                    *number = lowest;
                }
                _ => {}
            }
        }
    }

    fn question(&mut self, threads: Vec<Thread>) -> Program {
        let mut registers = Vec::new();
        for (number, thread) in threads.iter().enumerate() {
            let targets = thread.code.iter().filter_map(Instruction::target);
            registers.extend(targets.map(|target| (number, target)));
        }
        let mut condition = Vec::new();
        if !registers.is_empty() {
            for _ in 0..1 + self.random.index(3) {
                let (thread, register) = *self.random.pick(&registers);
                condition.push(Comparison {
                    thread,
                    register,
                    equal: self.random.percent(80),
                    value: *self.random.pick(&[0, 0, 0, 1, 1, 1, 2, 2, 3]),
                });
            }
        }
        let quantifiers = [
            Quantifier::Exists,
            Quantifier::Exists,
            Quantifier::Exists,
            Quantifier::NotExists,
            Quantifier::ForAll,
        ];
        Program {
            threads,
            quantifier: *self.random.pick(&quantifiers),
            condition,
            and: self.random.percent(75),
        }
    }
}
