//! Random small programs.

use crate::program::{
    ALIAS, Comparison, Instruction, Name, Operand, Order, Program, Proxy, Quantifier, Rmw, SURFACE,
    Scope, Thread, X, Y,
};

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut program = Random::new(seed).program();
    // Numbers of their own: these leave the rest of a seed's program as it is.
    let mut other = Random::new(!seed);
    other.clusters(&mut program);
    other.barriers(&mut program);
    program
}

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled").
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        // Seeds that follow each other must not give similar programs.
        let mut random = Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    /// True in so many of a hundred cases.
    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Puts the blocks into two clusters of each GPU, in every third program.
    fn clusters(&mut self, program: &mut Program) {
        if !self.percent(33) {
            return;
        }
        let of_block: Vec<_> = (0..64).map(|_| self.pick(&[0, 0, 1])).collect();
        for thread in &mut program.threads {
            thread.cluster = Some(of_block[(8 * thread.gpu + thread.cta) as usize % 64]);
        }
    }

    /// Lets threads use barriers in different orders, in every fifth program: some wait for ever.
    fn barriers(&mut self, program: &mut Program) {
        let changes = self.percent(20);
        let code = program.threads.iter_mut().flat_map(|it| &mut it.code);
        for instruction in code.filter(|_| changes) {
            if let Instruction::Barrier { number, .. } = instruction {
                *number = self.pick(&[0, 1]);
            }
        }
    }

    /// 1 or 2.
    fn value(&mut self) -> i64 {
        self.pick(&[1, 2])
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
        self.pick(&all)
    }

    fn program(&mut self) -> Program {
        let names: &[Name] = match self.below(20) {
            0..=5 => &[X],
            6..=13 => &[X, Y],
            14 => &[X, ALIAS],
            15..=16 => &[X, Y, ALIAS],
            _ => &[X, Y, SURFACE],
        };
        let count = if self.percent(75) { 2 } else { 3 };
        let mut threads = Vec::new();
        for number in 0..count {
            let (gpu, cta) = match self.below(5) {
                0..=1 => (0, 0),
                2..=3 => (0, number),
                _ => (1, self.pick(&[0, number])),
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
        let form = self.below(if other_names { 60 } else { 100 });
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
                let length = self.pick(lengths);
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
            let (first, second) = (self.pick(names), self.pick(names));
            let (before, after) = (self.percent(50), self.percent(50));
            self.access(&mut thread.code, first, before);
            let between = if self.percent(50) {
                fence
            } else {
                Some(self.fence(names))
            };
            thread.code.extend(between.filter(|_| self.percent(70)));
            self.access(&mut thread.code, second, after);
            if self.percent(15) {
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
        let (barrier, last) = (self.percent(25), threads.len() - 1);
        for (number, thread) in threads.iter_mut().enumerate() {
            let code = &mut thread.code;
            let name = self.pick(&data);
            let write = number == 0 || self.percent(20);
            let order = self.pick(&[Order::Weak, Order::Weak, Order::Relaxed]);
            self.ordered(code, name, write, order);
            self.between(code, names);
            let flag = code.len();
            if barrier {
                let arrive = number == 0 && self.percent(30);
                code.push(Instruction::Barrier { arrive, number: 0 });
                if self.percent(25) {
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
                let order = self.pick(&[order, order, order, Order::Relaxed]);
                self.ordered(code, Y, write, order);
            }
            // The others do the same in the opposite order.
            if number > 0 && self.percent(90) {
                code.reverse();
            } else if self.percent(10) {
                code.swap(0, flag);
            }
        }
    }

    /// Up to two fences, proxy fences if there are other names than generic ones.
    fn between(&mut self, code: &mut Vec<Instruction>, names: &[Name]) {
        for percent in [60, 15] {
            if self.percent(percent) {
                let fence = self.fence(names);
                code.push(fence);
            }
        }
        if self.percent(10) {
            code.rotate_left(1);
        }
    }

    fn instruction(&mut self, code: &mut Vec<Instruction>, names: &[Name]) {
        let name = self.pick(names);
        match self.below(100) {
            0..=33 => self.access(code, name, false),
            34..=65 => self.access(code, name, true),
            66..=77 => self.atomic(code, name),
            78..=93 => {
                let fence = self.fence(names);
                code.push(fence);
            }
            _ => match code.iter().filter_map(Instruction::target).next_back() {
                Some(register) => {
                    let value = self.pick(&[0, 0, 1, 2]);
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
        let other = names.iter().find(|it| [ALIAS, SURFACE].contains(it));
        if let Some(name) = other
            && self.percent(60)
        {
            let surface = (name.proxy == Proxy::Surface) == self.percent(90);
            return Instruction::ProxyFence { surface };
        }
        if self.percent(25) {
            return Instruction::Barrier {
                arrive: self.percent(35),
                number: self.pick(&[0, 0, 1]),
            };
        }
        Instruction::Fence {
            sc: self.percent(50),
            scope: self.scope(),
        }
    }

    fn access(&mut self, code: &mut Vec<Instruction>, name: Name, write: bool) {
        let strong = if write {
            Order::Release
        } else {
            Order::Acquire
        };
        let order = match self.below(20) {
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
        let rmw = match self.below(3) {
            0 => Rmw::Add(self.value()),
            1 => Rmw::Exch(self.operand(code)),
            _ => Rmw::Cas(self.pick(&[0, 1]), self.value()),
        };
        code.push(Instruction::Atomic {
            order: self.pick(&orders),
            scope: self.scope(),
            name,
            rmw,
            target: self.target(code),
        });
    }

    /// A constant or a register.
    fn operand(&mut self, code: &[Instruction]) -> Operand {
        let registers: Vec<_> = code.iter().filter_map(Instruction::target).collect();
        if !registers.is_empty() && self.percent(35) {
            return Operand::Register(self.pick(&registers));
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
        if used > 0 && self.percent(8) {
            used - 1
        } else {
            used
        }
    }

    /// Chooses the targets of branches, and sorts the numbers of barriers: threads that use them in
    /// different orders would wait for each other for ever.
    fn finish(&mut self, code: &mut Vec<Instruction>, names: &[Name]) {
        if matches!(code.last(), Some(Instruction::Branch { .. })) {
            let name = self.pick(names);
            self.access(code, name, true);
        }
        let (count, mut lowest) = (code.len(), 0);
        for (at, instruction) in code.iter_mut().enumerate() {
            match instruction {
                Instruction::Branch { to, .. } => *to = at + 2 + self.below(count - at - 1),
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
            for _ in 0..1 + self.below(3) {
                let (thread, register) = self.pick(&registers);
                condition.push(Comparison {
                    thread,
                    register,
                    equal: self.percent(80),
                    value: self.pick(&[0, 0, 0, 1, 1, 1, 2, 2, 3]),
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
            quantifier: self.pick(&quantifiers),
            condition,
            and: self.percent(75),
        }
    }
}
