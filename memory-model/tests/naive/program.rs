//! A small program as data, and its text as a litmus test.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How an access orders others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Weak,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    Volatile,
}

/// The threads that a strong operation addresses, from the fewest to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Cta,
    Cluster,
    Gpu,
    Sys,
}

/// The path of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proxy {
    Generic,
    Surface,
}

/// A name of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: &'static str,
    /// The location.
    pub memory: usize,
    /// The virtual address.
    pub address: usize,
    pub proxy: Proxy,
}

/// Two locations.
pub const X: Name = name("x", 0, 0, Proxy::Generic);
pub const Y: Name = name("y", 1, 1, Proxy::Generic);
/// Another address of [`X`].
pub const ALIAS: Name = name("z", 0, 2, Proxy::Generic);
/// [`X`] as a surface.
pub const SURFACE: Name = name("s", 0, 0, Proxy::Surface);
/// [`ALIAS`] as a surface.
pub const SURFACE_OF_ALIAS: Name = name("t", 0, 2, Proxy::Surface);

const fn name(text: &'static str, memory: usize, address: usize, proxy: Proxy) -> Name {
    Name {
        text,
        memory,
        address,
        proxy,
    }
}

/// What is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Constant(i64),
    Register(usize),
}

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rmw {
    Add(i64),
    Exch(Operand),
    Cas(i64, i64),
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    Load {
        order: Order,
        scope: Scope,
        name: Name,
        target: usize,
    },
    Store {
        order: Order,
        scope: Scope,
        name: Name,
        value: Operand,
    },
    Atomic {
        order: Order,
        scope: Scope,
        name: Name,
        rmw: Rmw,
        target: usize,
    },
    Fence {
        sc: bool,
        scope: Scope,
    },
    /// For surfaces, or for aliases.
    ProxyFence {
        surface: bool,
    },
    Barrier {
        arrive: bool,
        number: i64,
    },
    /// Goes on at `to` if the register has this value.
    Branch {
        register: usize,
        value: i64,
        to: usize,
    },
}

impl Instruction {
    /// The address that it accesses.
    pub fn name(&self) -> Option<Name> {
        match self {
            Self::Load { name, .. } | Self::Store { name, .. } | Self::Atomic { name, .. } => {
                Some(*name)
            }
            _ => None,
        }
    }

    /// The register that it assigns.
    pub fn target(&self) -> Option<usize> {
        match self {
            Self::Load { target, .. } | Self::Atomic { target, .. } => Some(*target),
            _ => None,
        }
    }

    /// Whether it may write.
    pub fn writes(&self) -> bool {
        matches!(self, Self::Store { .. } | Self::Atomic { .. })
    }
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    pub gpu: u32,
    /// Without one, the block is a cluster of its own.
    pub cluster: Option<u32>,
    pub cta: u32,
    pub code: Vec<Instruction>,
}

/// What the condition says about a register.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    pub thread: usize,
    pub register: usize,
    pub equal: bool,
    pub value: i64,
}

/// For which final states the condition is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Exists,
    NotExists,
    ForAll,
}

/// A program and its question.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Thread>,
    pub quantifier: Quantifier,
    /// Joined by `and` or by `or`; without any, it is true.
    pub condition: Vec<Comparison>,
    pub and: bool,
}

impl Program {
    /// The program without an instruction, and the condition without its register.
    pub fn without(&self, thread: usize, at: usize) -> Self {
        let mut less = self.clone();
        let code = &mut less.threads[thread].code;
        code.remove(at);
        for instruction in code {
            if let Instruction::Branch { to, .. } = instruction
                && *to > at
            {
                *to -= 1;
            }
        }
        less.condition.retain(|it| {
            let code = &self.threads[it.thread].code;
            let removed = it.thread == thread && code[at].target() == Some(it.register);
            !removed
        });
        less
    }

    /// Whether a final state satisfies the condition.
    pub fn satisfied(&self, register: impl Fn(usize, usize) -> i64) -> bool {
        let mut holds = self
            .condition
            .iter()
            .map(|it| (register(it.thread, it.register) == it.value) == it.equal);
        match (self.condition.is_empty(), self.and) {
            (true, _) => true,
            (false, true) => holds.all(|it| it),
            (false, false) => holds.any(|it| it),
        }
    }

    /// The text of the test.
    pub fn text(&self) -> String {
        let mut text = String::from("PTX naive\n");
        let code = self.threads.iter().flat_map(|it| &it.code);
        let names: BTreeSet<_> = code
            .filter_map(Instruction::name)
            .map(|it| it.text)
            .collect();
        text.push_str("{ x = 0; y = 0;");
        let of_alias = names.contains(SURFACE_OF_ALIAS.text);
        for (is_used, declaration) in [
            (
                of_alias || names.contains(ALIAS.text),
                " z @ generic aliases x;",
            ),
            (names.contains(SURFACE.text), " s @ surface aliases x;"),
            (of_alias, " t @ surface aliases z;"),
        ] {
            if is_used {
                text.push_str(declaration);
            }
        }
        text.push_str(" }\n");
        let heads = self.threads.iter().enumerate();
        let heads: Vec<_> = heads
            .map(|(number, it)| {
                let cluster = it.cluster.map(|it| format!("cluster {it},"));
                let cluster = cluster.unwrap_or_default();
                format!("P{number}@cta {},{cluster}gpu {}", it.cta, it.gpu)
            })
            .collect();
        let _ = writeln!(text, "{} ;", heads.join(" | "));
        let columns: Vec<_> = (0..self.threads.len()).map(|it| self.column(it)).collect();
        let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..rows {
            let cell = |column: &Vec<String>| column.get(row).cloned().unwrap_or_default();
            let cells: Vec<_> = columns.iter().map(cell).collect();
            let _ = writeln!(text, "{} ;", cells.join(" | "));
        }
        let _ = writeln!(text, "{}", self.question());
        text
    }

    fn column(&self, thread: usize) -> Vec<String> {
        let code = &self.threads[thread].code;
        let is_target = |at: usize| {
            code.iter()
                .any(|it| matches!(it, Instruction::Branch { to, .. } if *to == at))
        };
        let label = |at: usize| match is_target(at) {
            true => format!("L{thread}{at}: "),
            false => String::new(),
        };
        let lines = code.iter().enumerate();
        let mut cells: Vec<_> = lines
            .map(|(at, it)| label(at) + &statement(thread, it))
            .collect();
        cells.push(label(code.len()));
        cells
    }

    fn question(&self) -> String {
        let quantifier = match self.quantifier {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::ForAll => "forall",
        };
        let comparisons = self.condition.iter().map(|it| {
            let sign = if it.equal { "==" } else { "!=" };
            format!("P{}:r{} {sign} {}", it.thread, it.register, it.value)
        });
        let comparisons: Vec<_> = comparisons.collect();
        let condition = match comparisons.is_empty() {
            true => "true".to_owned(),
            false => comparisons.join(if self.and { " /\\ " } else { " \\/ " }),
        };
        format!("{quantifier} ({condition})")
    }
}

fn statement(thread: usize, instruction: &Instruction) -> String {
    let surface = |name: &Name| name.proxy == Proxy::Surface;
    match instruction {
        Instruction::Load {
            order,
            scope,
            name,
            target,
        } => {
            let opcode = if surface(name) { "suld" } else { "ld" };
            let modifiers = modifiers(*order, *scope);
            format!("{opcode}{modifiers} r{target}, {}", name.text)
        }
        Instruction::Store {
            order,
            scope,
            name,
            value,
        } => {
            let opcode = if surface(name) { "sust" } else { "st" };
            let modifiers = modifiers(*order, *scope);
            format!("{opcode}{modifiers} [{}], {}", name.text, operand(*value))
        }
        Instruction::Atomic {
            order,
            scope,
            name,
            rmw,
            target,
        } => {
            let (op, operands) = match rmw {
                Rmw::Add(value) => ("add", value.to_string()),
                Rmw::Exch(value) => ("exch", operand(*value)),
                Rmw::Cas(expected, new) => ("cas", format!("{expected}, {new}")),
            };
            let modifiers = modifiers(*order, *scope);
            format!("atom{modifiers}.{op} r{target}, {}, {operands}", name.text)
        }
        Instruction::Fence { sc, scope } => {
            let kind = if *sc { "sc" } else { "acq_rel" };
            format!("fence.{kind}{}", scope_text(*scope))
        }
        Instruction::ProxyFence { surface } => {
            let kind = if *surface { "surface" } else { "alias" };
            format!("fence.proxy.{kind}")
        }
        Instruction::Barrier { arrive, number } => match arrive {
            true => format!("bar.cta.arrive {number}, 64"),
            false => format!("bar.cta.sync {number}"),
        },
        Instruction::Branch {
            register,
            value,
            to,
        } => format!("beq r{register}, {value}, L{thread}{to}"),
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Constant(value) => value.to_string(),
        Operand::Register(register) => format!("r{register}"),
    }
}

fn modifiers(order: Order, scope: Scope) -> String {
    let order = match order {
        Order::Weak => return ".weak".to_owned(),
        Order::Volatile => return ".volatile".to_owned(),
        Order::Relaxed => ".relaxed",
        Order::Acquire => ".acquire",
        Order::Release => ".release",
        Order::AcqRel => ".acq_rel",
    };
    order.to_owned() + scope_text(scope)
}

fn scope_text(scope: Scope) -> &'static str {
    match scope {
        Scope::Cta => ".cta",
        Scope::Cluster => ".cluster",
        Scope::Gpu => ".gpu",
        Scope::Sys => ".sys",
    }
}
