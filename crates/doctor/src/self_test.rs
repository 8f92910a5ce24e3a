//! `hirace doctor --self-test`: tests the device code against the specification, on the device.
//!
//! The self-test runs the state machine of the device headers – table, step, and the shortcut of
//! the inline check – on all 1200 transitions and on over a million random accesses, with 8-byte
//! and 4-byte words. Every word must equal that of `hirace-fsm`. Then kernels with known verdicts
//! are checked. On the CPU, the same header runs as C++, which tests everything but the GPU.

use super::{Check, State, trial};
use crate::gpu::Installed;
use hirace_fsm::word::{Size, Widths};
use hirace_fsm::{State as MachineState, Table, Transition};
use hirace_model::Backend;
use hirace_model::error::Result;
use hirace_report::{Report, Status};

mod device;
mod oracle;
mod random;
mod step;
mod traces;

pub use device::{CPU as CPU_PROGRAM, GPU as GPU_PROGRAM};

use device::Device;
use traces::Batch;

/// Kernels called `racy_…` and `clean_…`.
const KERNELS: &str = include_str!("self_test/kernels.cu");

/// A device's results for a batch.
#[derive(Clone, Debug)]
struct Answers {
    /// The state after each transition, 32 bits each.
    table: Vec<u8>,
    /// A row for each step.
    steps: Vec<u8>,
}

/// Runs the self-test as C++ on the CPU.
#[must_use]
pub fn on_cpu(seed: u64) -> Vec<Check> {
    let mut checks = machine(device::cpu, seed);
    checks.push(kernels(Backend::Cpu));
    checks
}

/// Runs the self-test on each GPU, and the kernels with known verdicts on the first.
#[must_use]
pub fn on_gpus(installed: &Installed, seed: u64) -> Vec<Check> {
    let each = installed.gpus.iter();
    let mut checks: Vec<Check> = each
        .flat_map(|gpu| {
            let mut checks = machine(|size| device::gpu(installed, gpu, size), seed);
            for check in &mut checks {
                check.found = format!("GPU {}: {}", gpu.ordinal, check.found);
            }
            checks
        })
        .collect();
    checks.push(kernels(Backend::Gpu));
    checks
}

/// Input and expected output of a self-test program, for machines without hirace that have the
/// same byte order.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The subject of the test, in one word.
    pub name: &'static str,
    /// The variant of the program: its `HIRACE_WORD_BYTES`, the size of a word of global memory.
    pub word_bytes: u32,
    /// The input of `cpu.cpp`, or of a program that runs the kernels of [`GPU_PROGRAM`].
    pub input: Vec<u8>,
    /// The output that the program must write: the table, then a row for each step.
    pub expected: Vec<u8>,
}

/// The self-test for machines without hirace.
#[must_use]
pub fn exchanges(seed: u64) -> [Exchange; 4] {
    let table = Transition::all().map(|it| Table::EXACT.next(it) as u32);
    let table: Vec<u8> = table.flat_map(u32::to_ne_bytes).collect();
    let (large, small) = (Widths::gpu(Size::Eight), Widths::gpu(Size::Four));
    let batches = [
        ("transitions", 8, Batch::transitions(large)),
        ("random", 8, Batch::random(large, seed)),
        ("transitions", 4, Batch::transitions(small)),
        ("random", 4, Batch::random(small, seed)),
    ];
    batches.map(|(name, word_bytes, batch)| Exchange {
        name,
        word_bytes,
        input: batch.bytes(),
        expected: [table.clone(), batch.expected()].concat(),
    })
}

/// The names of the checks for one size of words of global memory.
struct Names {
    table: &'static str,
    transitions: &'static str,
    random: &'static str,
}

const SIZES: [(Size, Names); 2] = [
    (
        Size::Eight,
        Names {
            table: "transition table",
            transitions: "all transitions",
            random: "random accesses",
        },
    ),
    (
        Size::Four,
        Names {
            table: "4-byte table",
            transitions: "4-byte transitions",
            random: "4-byte accesses",
        },
    ),
];

/// Checks the state machine on a device, with words of global memory of either size.
fn machine(device: impl Fn(Size) -> Result<Box<dyn Device>>, seed: u64) -> Vec<Check> {
    let mut checks = Vec::new();
    for (size, names) in &SIZES {
        match device(*size) {
            Ok(device) => checks.extend(words(&*device, Widths::gpu(*size), names, seed)),
            Err(error) => {
                checks.push(trial::broken("device code", &error));
                return checks;
            }
        }
    }
    for check in checks.iter_mut().filter(|it| it.state == State::Broken) {
        let again = format!("to repeat it: `hirace doctor --self-test --seed {seed}`");
        check.help.get_or_insert(again);
    }
    checks
}

/// Checks the state machine on a device whose words have these widths.
fn words(device: &dyn Device, widths: Widths, names: &Names, seed: u64) -> Vec<Check> {
    let answered = |name, batch: &Batch, judge: &dyn Fn(&Answers) -> Vec<Check>| {
        let answers = device.run(batch);
        answers.map_or_else(|error| vec![trial::broken(name, &error)], |it| judge(&it))
    };
    let transitions = Batch::transitions(widths);
    let mut checks = answered(names.table, &transitions, &|answers| {
        let count = transitions.steps.len();
        vec![
            check(names.table, table(&answers.table), count),
            check(names.transitions, steps(&transitions, answers), count),
        ]
    });
    let random = Batch::random(widths, seed);
    checks.extend(answered(names.random, &random, &|answers| {
        let count = random.steps.len();
        vec![check(names.random, steps(&random, answers), count)]
    }));
    checks
}

fn check(name: &'static str, judged: Result<(), String>, count: usize) -> Check {
    match judged {
        Ok(()) => Check::new(name, State::Ok, format!("{count} as specified")),
        Err(message) => Check::new(name, State::Broken, message),
    }
}

fn steps(batch: &Batch, answers: &Answers) -> Result<(), String> {
    batch.judge(&answers.steps).map_err(|wrong| {
        format!(
            "trace {}, access {}: {}",
            wrong.trace, wrong.step, wrong.message
        )
    })
}

/// Compares a device's table with the specification.
fn table(bytes: &[u8]) -> Result<(), String> {
    let mut given = bytes.chunks_exact(size_of::<u32>());
    for transition in Transition::all() {
        let expected = Table::EXACT.next(transition);
        let next = given
            .next()
            .map(|it| u32::from_ne_bytes([it[0], it[1], it[2], it[3]]));
        if next != Some(expected as u32) {
            let name = next.and_then(|it| MachineState::ALL.get(it as usize));
            let name = name.map_or("no state", |it| it.name());
            return Err(format!("{transition}: {name} instead of {expected}"));
        }
    }
    Ok(())
}

/// Checks the kernels with known verdicts.
fn kernels(backend: Backend) -> Check {
    const NAME: &str = "known kernels";
    match trial::checked("kernels.cu", KERNELS, backend) {
        Ok(report) => match verdicts(&report) {
            Ok(count) => Check::new(NAME, State::Ok, format!("{count} with the right verdict")),
            Err(wrong) => Check::new(NAME, State::Broken, wrong),
        },
        Err(error) => trial::broken(NAME, &error),
    }
}

/// The number of kernels with known verdicts, if exactly the racy ones race.
///
/// # Errors
/// A kernel has another verdict; the text says which.
pub fn verdicts(report: &Report) -> Result<usize, String> {
    if report.status != Status::Races {
        return Err(trial::outcome(report));
    }
    let declared = KERNELS.split("__global__ void ").skip(1);
    let names: Vec<&str> = declared.filter_map(|it| it.split('(').next()).collect();
    let races = |name: &str| report.races.iter().any(|race| race.kernel == name);
    let wrong = (names.iter()).find(|name| races(name) != name.starts_with("racy_"));
    match wrong {
        Some(name) if races(name) => {
            Err(format!("a race was reported in `{name}`, which has none"))
        }
        Some(name) => Err(format!("no race was reported in `{name}`, which has one")),
        None => Ok(names.len()),
    }
}

#[cfg(test)]
mod tests;
