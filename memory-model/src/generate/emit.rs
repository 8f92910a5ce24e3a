//! From a cycle to the text of a test.

use std::fmt::Write as _;

use super::cycle::{Access, Cycle};
use super::edge::{Direction, Relation, fence};
use super::name;
use crate::litmus::Threads;
use crate::litmus::ast::{Order, Scope};

/// The head of a thread's column.
fn head(thread: usize, threads: Threads) -> String {
    let place = threads.place(u32::try_from(thread).unwrap_or(u32::MAX));
    let warp = match (threads, place.warp) {
        (Threads::OneWarp | Threads::OneBlock, Some(warp)) => format!("warp {warp},"),
        _ => String::new(),
    };
    format!("P{thread}@{warp}cta {},gpu {}", place.cta, place.gpu)
}

/// What the events of a cycle do to memory.
struct Layout {
    /// The location of each event.
    locations: Vec<usize>,
    /// What it reads or writes.
    values: Vec<u32>,
    /// The final value of each location, if several writes are to be ordered.
    last: Vec<Option<u32>>,
}

impl Layout {
    fn of(cycle: &Cycle) -> Self {
        let mut layout = Self {
            locations: vec![0; cycle.len()],
            values: vec![0; cycle.len()],
            last: Vec::new(),
        };
        let mut runs = cycle.runs();
        // The first thread's first location is `x`.
        runs.sort_by_key(|run| run.iter().copied().min());
        for (location, run) in runs.iter().enumerate() {
            let (mut value, mut writes) = (0, 0);
            for &at in run {
                if cycle.edges[at].from == Direction::Write {
                    value += 1;
                    writes += 1;
                }
                layout.locations[at] = location;
                layout.values[at] = value;
            }
            layout.last.push((writes > 1).then_some(value));
        }
        layout
    }
}

/// The name of a location.
fn location(number: usize) -> String {
    match ["x", "y", "z", "w", "a", "b", "c", "d"].get(number) {
        Some(name) => (*name).to_owned(),
        None => format!("v{number}"),
    }
}

/// The text of the test with its name.
pub(super) fn test(cycle: &Cycle, test_name: &str, threads: Threads, quantifier: &str) -> String {
    let layout = Layout::of(cycle);
    let mut columns = Vec::new();
    let mut declarations: Vec<String> = Vec::new();
    let mut condition: Vec<String> = Vec::new();
    for number in 0..layout.last.len() {
        declarations.push(format!("{} = 0;", location(number)));
    }
    for (thread, events) in name::threads(cycle).into_iter().enumerate() {
        let mut column = Column {
            cycle,
            layout: &layout,
            thread,
            rows: vec![head(thread, threads)],
            registers: 0,
            declarations: &mut declarations,
            condition: &mut condition,
            read: String::new(),
        };
        for &at in &events {
            column.event(at);
            if Some(&at) != events.last() {
                column.between(at);
            }
        }
        columns.push(column.rows);
    }
    for (number, last) in layout.last.iter().enumerate() {
        if let Some(value) = last {
            condition.push(format!("[{}] == {value}", location(number)));
        }
    }
    let mut text = format!("PTX {test_name}\n\"{cycle}\"\n");
    let _ = writeln!(text, "{{ {} }}", declarations.join(" "));
    text += &table(&columns);
    let _ = writeln!(text, "{quantifier} ({})", condition.join(" /\\ "));
    text
}

/// The rows of all threads, one column for each.
fn table(columns: &[Vec<String>]) -> String {
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: &Vec<String>| column.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..height {
        let cells = columns.iter().map(|column| {
            let cell = column.get(row).map_or("", String::as_str);
            format!(" {cell:<width$} ", width = width(column))
        });
        let _ = writeln!(text, "{};", cells.collect::<Vec<_>>().join("|"));
    }
    text
}

/// A thread that is being written.
struct Column<'a> {
    cycle: &'a Cycle,
    layout: &'a Layout,
    thread: usize,
    rows: Vec<String>,
    /// How many registers are used.
    registers: usize,
    declarations: &'a mut Vec<String>,
    condition: &'a mut Vec<String>,
    /// The register that the last read wrote.
    read: String,
}

impl Column<'_> {
    fn register(&mut self) -> String {
        self.registers += 1;
        format!("r{}", self.registers - 1)
    }

    /// The instruction of an event. That of an atomic operation is written for its read.
    fn event(&mut self, at: usize) {
        let before = self.cycle.before(at);
        let (access, value) = (self.cycle.accesses[at], self.layout.values[at]);
        if self.cycle.edges[at].from == Direction::Write {
            if before.relation != Relation::Atomic {
                let address = self.address(at);
                let value = self.written(at, value);
                self.rows.push(format!("st.{access} {address}, {value}"));
            }
            return;
        }
        let address = self.address(at);
        let target = self.register();
        let thread = self.thread;
        self.condition
            .push(format!("P{thread}:{target} == {value}"));
        if self.cycle.edges[at].relation == Relation::Atomic {
            let write = (at + 1) % self.cycle.len();
            let both = atomic(access, self.cycle.accesses[write]);
            let value = self.layout.values[write];
            self.rows
                .push(format!("atom.{both}.exch {target}, {address}, {value}"));
        } else {
            self.rows.push(format!("ld.{access} {target}, {address}"));
        }
        self.read = target;
    }

    /// The location, or a register with its address that depends on the read in front.
    fn address(&mut self, at: usize) -> String {
        let name = location(self.layout.locations[at]);
        if self.depends(at) != Some(Relation::Address) {
            return name;
        }
        let zero = self.zero();
        let (base, sum) = (self.register(), self.register());
        self.declarations
            .push(format!("P{}:{base} = {name};", self.thread));
        self.rows.push(format!("add {sum}, {base}, {zero}"));
        format!("[{sum}]")
    }

    /// The value, or a register with it that depends on the read in front.
    fn written(&mut self, at: usize, value: u32) -> String {
        if self.depends(at) != Some(Relation::Data) {
            return value.to_string();
        }
        let zero = self.zero();
        let sum = self.register();
        self.rows.push(format!("add {sum}, {zero}, {value}"));
        sum
    }

    /// The relation to the event in front, if it is of this thread.
    fn depends(&self, at: usize) -> Option<Relation> {
        let before = self.cycle.before(at);
        (!before.external).then_some(before.relation)
    }

    /// A register that is zero, and depends on the last read.
    fn zero(&mut self) -> String {
        let zero = self.register();
        let read = &self.read;
        self.rows.push(format!("xor {zero}, {read}, {read}"));
        zero
    }

    /// What stands between an event and the next one.
    fn between(&mut self, at: usize) {
        match self.cycle.edges[at].relation {
            Relation::Fence { sc, scope } => self.rows.push(fence(sc, scope)),
            Relation::Control => {
                let label = format!("LC{}{at}", self.thread);
                self.rows.push(format!("beq {}, 0, {label}", self.read));
                self.rows.push(format!("{label}:"));
            }
            _ => {}
        }
    }
}

/// The qualifiers of the atomic operation with this read and this write.
fn atomic(read: Access, write: Access) -> String {
    let order = match (read.order, write.order) {
        (Order::Acquire, Order::Release) => Order::AcqRel,
        (Order::Acquire, _) => Order::Acquire,
        (_, Order::Release) => Order::Release,
        _ => Order::Relaxed,
    };
    // A cycle has the same scope in both.
    let scope = read.scope.map_or("", Scope::name);
    format!("{}.{scope}", order.name())
}
