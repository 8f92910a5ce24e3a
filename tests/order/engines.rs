//! The two engines on kernels that both of them can judge: with barriers of whole blocks and warps, and
//! atomic operations.
//!
//! Both find a race of a variable, or neither does, with one exception: an atomic operation observes the
//! ones before it in their order, which the order engine follows and the state machine does not
//! (`device/hirace/executor/order/atomic_uses.h`). So a variable that is accessed in several ways, plainly or
//! with one scope or another, without a block barrier in between may race for the state machine alone. Pairs
//! of accesses are not compared: of several that race, each engine reports those that it remembers.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use hirace_sample::Sample;
use hirace_sample::random::Random;

use crate::BATCH;
use crate::executor::{Engine, RULE_SAMPLE, hooks, run, with_executor_without};

/// Random kernels: in a sample, and in all.
const KERNELS: [u64; 2] = [6_000, 120_000];

/// The least number of accesses in all kernels.
const ACCESSES: usize = 1_000_000;

const VARIABLES: usize = 4;

/// Where accesses begin in a variable, and how many bytes they have.
const PARTS: [(usize, usize); 7] = [(0, 4), (0, 8), (4, 4), (0, 1), (1, 1), (2, 2), (7, 1)];

/// How a variable is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Usage {
    Plain,
    /// Atomically, with the scope of the block or of the device.
    OfBlock,
    OfDevice,
    Any,
}

/// A kernel with an interleaving of its threads.
struct Kernel {
    line: String,
    accesses: usize,
    /// A bit for each variable that is accessed in several ways.
    mixed: u8,
}

impl Kernel {
    fn random(random: &mut Random) -> Self {
        let (blocks, width) = *random.pick(&[(1, 2), (1, 4), (1, 34), (2, 1), (2, 3), (3, 2)]);
        let mut kernel = Self {
            line: format!("{blocks} {width} {VARIABLES}"),
            accesses: 0,
            mixed: 0,
        };
        // Of two warps, the first two lanes each.
        let places: Vec<usize> = (0..width).filter(|it| it % 32 < 2 || width < 32).collect();
        let mut usages = [(); VARIABLES].map(|()| kernel.usage(random));
        for phase in 0..1 + random.index(4) {
            if phase > 0 && kernel.barrier(random, blocks, width) && blocks == 1 {
                usages = [(); VARIABLES].map(|()| kernel.usage(random));
            }
            for (variable, usage) in usages.iter().enumerate() {
                kernel.mixed |= u8::from(*usage == Usage::Any) << variable;
            }
            for _ in 0..1 + random.index(2 * blocks * places.len()) {
                let thread = random.index(blocks) * width + random.pick(&places);
                kernel.access(random, thread, &usages);
            }
        }
        kernel.line.push_str(" .\n");
        kernel
    }

    fn usage(&self, random: &mut Random) -> Usage {
        *random.pick(&[
            Usage::Plain,
            Usage::Plain,
            Usage::Plain,
            Usage::OfBlock,
            Usage::OfDevice,
            Usage::Any,
        ])
    }

    /// A barrier of a block or of a warp. Whether it is one of a block.
    fn barrier(&mut self, random: &mut Random, blocks: usize, width: usize) -> bool {
        let block = random.index(blocks);
        if random.percent(60) {
            let _ = write!(self.line, " b {block}");
            return true;
        }
        let first = random.index(width.div_ceil(32)) * 32;
        let lanes = (1_u64 << (width - first).min(32)) - 1;
        let _ = write!(self.line, " m {} {lanes}", block * width + first);
        false
    }

    fn access(&mut self, random: &mut Random, thread: usize, usages: &[Usage; VARIABLES]) {
        let variable = random.index(VARIABLES);
        let usage = match usages[variable] {
            Usage::Any => *random.pick(&[Usage::Plain, Usage::OfBlock, Usage::OfDevice]),
            usage => usage,
        };
        self.accesses += 1;
        let _ = if usage != Usage::Plain {
            let scope = usize::from(usage == Usage::OfDevice);
            write!(self.line, " a {thread} {variable} 0 4 1 1 1 {scope} 1")
        } else {
            // Most accesses to a variable are of one size.
            let part = if random.percent(70) {
                variable % 2
            } else {
                random.index(PARTS.len())
            };
            let (first, bytes) = PARTS[part];
            let writes = usize::from(random.percent(40));
            write!(
                self.line,
                " a {thread} {variable} {first} {bytes} {} {writes} 0 2 1",
                1 - writes
            )
        };
    }
}

/// The rule of the state machine that a test breaks (`rules.h`).
pub const RULE: &str = "warp_barrier_advances_a_clock";

/// Kernels of these seeds.
fn kernels(seeds: Range<u64>) -> (Vec<Kernel>, String) {
    let kernels: Vec<Kernel> = seeds
        .map(|seed| Kernel::random(&mut Random::new(seed)))
        .collect();
    let lines = kernels.iter().map(|it| it.line.as_str()).collect();
    (kernels, lines)
}

/// Runs kernels with both engines. How many of them have a race, or a difference.
fn compare(hooks: &Path, kernels: &[Kernel], lines: &str) -> Result<usize, String> {
    let machine = run(hooks, Engine::Machine, lines);
    let order = run(hooks, Engine::Order, lines);
    assert_eq!((machine.len(), order.len()), (kernels.len(), kernels.len()));
    let mut racing = 0;
    for ((kernel, machine), order) in kernels.iter().zip(machine).zip(order) {
        let (of_machine, of_order) = (variables(machine), variables(order));
        // The state machine alone may find a race of a mixed variable.
        let allowed = kernel.mixed & of_machine;
        if (of_machine ^ of_order) & !allowed != 0 {
            return Err(format!(
                "the machine finds {of_machine:04b}, the order engine {of_order:04b}: {}",
                kernel.line
            ));
        }
        racing += usize::from(of_order != 0);
    }
    Ok(racing)
}

#[test]
fn both_engines_agree_on_barriers_and_atomic_operations() {
    let hooks = hooks();
    let [few, many] = KERNELS;
    let seeds = Sample::current().seeds(few, many);
    let (mut count, mut accesses, mut racing) = (0, 0, 0);
    for first in seeds.clone().step_by(BATCH) {
        let (kernels, lines) = kernels(first..seeds.end.min(first + BATCH as u64));
        racing +=
            compare(&hooks, &kernels, &lines).unwrap_or_else(|difference| panic!("{difference}"));
        accesses += kernels.iter().map(|it| it.accesses).sum::<usize>();
        count += kernels.len();
    }
    println!("{count} kernels, {accesses} accesses; {racing} kernels with a race");
    assert!(
        (2..9).contains(&(racing * 10 / count)),
        "{racing} of {count}"
    );
    assert!((count as u64) < many || accesses >= ACCESSES);
}

#[test]
fn a_machine_without_a_rule_disagrees() {
    if Sample::current().takes_this_test(RULE_SAMPLE) {
        let hooks = with_executor_without(RULE, "hooks.cpp");
        let (kernels, lines) = kernels(0..BATCH as u64);
        assert!(compare(&hooks, &kernels, &lines).is_err());
    }
}

/// The variables that race.
fn variables(digit: u8) -> u8 {
    let digit = char::from(digit).to_digit(16);
    u8::try_from(digit.expect("all was compared")).expect("four bits")
}
