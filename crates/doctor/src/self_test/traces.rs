//! Accesses for the self-test, and their specified outcomes.
//!
//! A trace is one shadow word and the accesses to it, one after the other
//! (`device/hirace/gpu/self_test.h`). All traces of a batch have the same length.

use hirace_fsm::word::{Identity, Widths, Word};
use hirace_fsm::{Access, Relation, Sync, Transition};

use super::oracle::{Answer, Oracle, show};
use super::random::Random;
use super::step::Step;
use hirace_model::wire::numbers::AccessKind;
use hirace_model::wire::schema::Wire as _;
use hirace_model::wire::self_test::{SelfTestAnswer, SelfTestStep};

/// The number of accesses in a random trace.
pub const STEPS: usize = 256;
/// The number of random traces: over a million accesses together.
pub const TRACES: usize = 4096;

/// Traces of the same length.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The word of each trace before its first step.
    pub words: Vec<Word>,
    /// The steps, trace after trace.
    pub steps: Vec<Step>,
}

/// A step whose outcome is not the specified one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The trace, from 0.
    pub trace: usize,
    /// The step in it, from 0.
    pub step: usize,
    /// What is wrong.
    pub message: String,
}

impl Batch {
    /// One trace of one step for each of the machine's transitions, in table order, on words of
    /// global memory.
    #[must_use]
    pub fn transitions(widths: Widths) -> Self {
        // One less than the largest number, so that `related` can add one.
        let last_but_one = |bits: u32| (1 << bits) - 2;
        let recorded = Identity {
            epoch: 3,
            block: last_but_one(widths.block),
            warp: 5,
            lane: 9,
            block_clock: last_but_one(widths.block_clock),
            warp_clock: last_but_one(widths.warp_clock),
        };
        let (words, steps) = Transition::all()
            .map(|transition| {
                let state = (transition.state as u64) << widths.size.state_shift();
                let step = Step {
                    who: related(recorded, transition),
                    access: transition.access,
                    kind: plain_kind(transition.access),
                    widths,
                };
                (Word(state | recorded.pack(widths)), step)
            })
            .unzip();
        Self { words, steps }
    }

    /// [`TRACES`] traces of [`STEPS`] steps, all derived from the seed, on words of global memory
    /// and of the shared memory beside them.
    #[must_use]
    pub fn random(widths: Widths, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut steps = Vec::with_capacity(TRACES * STEPS);
        for _ in 0..TRACES {
            trace(widths, &mut random, &mut steps);
        }
        Self {
            words: vec![Word::default(); TRACES],
            steps,
        }
    }

    /// The number of steps in each trace.
    #[must_use]
    pub fn steps_each(&self) -> usize {
        self.steps.len() / self.words.len()
    }

    /// The words as a device reads them.
    #[must_use]
    pub fn word_bytes(&self) -> Vec<u8> {
        let bytes = self.words.iter().flat_map(|word| word.0.to_ne_bytes());
        bytes.collect()
    }

    /// The steps as a device reads them: rows of `SelfTestStep`.
    #[must_use]
    pub fn step_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.steps.len() * SelfTestStep::SIZE);
        self.steps.iter().for_each(|it| it.row().write(&mut bytes));
        bytes
    }

    /// A device's whole input: the number of traces, the number of steps in each, words, steps.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let counts = [self.words.len(), self.steps_each()];
        let counts = counts.map(|it| u32::try_from(it).expect("a batch is small"));
        let counts = counts.iter().flat_map(|it| it.to_ne_bytes());
        let mut bytes: Vec<u8> = counts.collect();
        bytes.extend(self.word_bytes());
        bytes.extend(self.step_bytes());
        bytes
    }

    /// The answers that [`judge`](Self::judge) accepts.
    #[must_use]
    pub fn expected(&self) -> Vec<u8> {
        let oracle = Oracle::new();
        let mut bytes = Vec::with_capacity(self.steps.len() * SelfTestAnswer::SIZE);
        for (&start, steps) in self.words.iter().zip(self.steps.chunks(self.steps_each())) {
            let mut word = start;
            for &step in steps {
                let (answer, _) = oracle.step(word, step);
                answer.row().write(&mut bytes);
                word = answer.word;
            }
        }
        bytes
    }

    /// Compares a device's answers, rows of `SelfTestAnswer`, with the specification.
    ///
    /// # Errors
    /// Returns the first step with a wrong or missing answer.
    pub fn judge(&self, answers: &[u8]) -> Result<(), Mismatch> {
        let mut answers = answers
            .chunks_exact(SelfTestAnswer::SIZE)
            .map(|row| Answer::of(&SelfTestAnswer::read(row)));
        let oracle = Oracle::new();
        for (trace, steps) in self.steps.chunks(self.steps_each()).enumerate() {
            let mut word = self.words[trace];
            for (index, &step) in steps.iter().enumerate() {
                let wrong = |message| Mismatch {
                    trace,
                    step: index,
                    message,
                };
                let (expected, _) = oracle.step(word, step);
                let Some(given) = answers.next() else {
                    return Err(wrong("no answer".to_owned()));
                };
                if given != expected {
                    return Err(wrong(format!(
                        "{} by {:?} on {}: {} instead of {}",
                        step.access,
                        step.who,
                        show(word, step.widths),
                        given,
                        expected
                    )));
                }
                word = expected.word;
            }
        }
        Ok(())
    }
}

/// The thread whose access takes the transition, if the word holds `recorded`.
fn related(recorded: Identity, transition: Transition) -> Identity {
    let mut who = recorded;
    match transition.relation {
        Relation::Same => {}
        Relation::Warp => who.lane += 1,
        Relation::Block => who.warp += 1,
        Relation::Grid => who.block += 1,
    }
    match transition.sync {
        Sync::None => {}
        Sync::Warp => who.warp_clock += 1,
        Sync::Block => who.block_clock += 1,
    }
    who
}

/// One random trace: some threads of up to four blocks, somewhere in a large grid.
fn trace(widths: Widths, random: &mut Random, steps: &mut Vec<Step>) {
    const BLOCKS: usize = 4;
    const WARPS: usize = 3;
    const LANES: u64 = 3;
    let shared = random.below(4) == 0;
    let max_epoch = widths.size.max_epoch();
    // Low enough that a large clock does not overflow before the end.
    let start = |random: &mut Random, bits: u32| {
        random.below((1_u64 << bits).saturating_sub(STEPS as u64).max(1))
    };
    let first_block = random.below((1 << widths.block) - BLOCKS as u64);
    let warps = (1 << widths.thread) / 32;
    let first_warp = random.below(warps + 1 - WARPS as u64);
    let first_lane = random.below(30);
    let mut block_clocks = [start(random, widths.block_clock); BLOCKS];
    let mut warp_clocks = [[start(random, widths.warp_clock); WARPS]; BLOCKS];
    let mut epoch = 1 + random.below(max_epoch);
    // Probabilities in eighths: that a barrier comes between two accesses, that the same thread
    // continues, and that an access is certainly a read.
    let [barriers, stay, reads] = [0; 3].map(|_: u64| random.below(8));
    let (mut block, mut warp, mut lane) = (0, 0, 0);
    for _ in 0..STEPS {
        if random.below(8) >= stay {
            match random.below(3) {
                0 => block = random.below(BLOCKS as u64) as usize,
                1 => warp = random.below(WARPS as u64) as usize,
                _ => lane = random.below(LANES),
            }
        }
        if random.below(8) < barriers {
            let (clock, bits) = match random.below(16) {
                0 => (None, 0),
                1..=6 => (Some(&mut block_clocks[block]), widths.block_clock),
                _ => (Some(&mut warp_clocks[block][warp]), widths.warp_clock),
            };
            match clock.filter(|it| **it + 1 < 1 << bits) {
                Some(clock) => *clock += 1,
                // Another launch begins, at the latest when a clock is full.
                None => {
                    epoch = epoch % max_epoch + 1;
                    block_clocks = [start(random, widths.block_clock); BLOCKS];
                    warp_clocks = [[start(random, widths.warp_clock); WARPS]; BLOCKS];
                }
            }
        }
        let kind = if random.below(8) < reads {
            0
        } else {
            random.below(6) as usize
        };
        let (access, kind) = KINDS[kind];
        steps.push(Step {
            who: Identity {
                epoch,
                block: first_block + block as u64,
                warp: first_warp + warp as u64,
                lane: first_lane + lane,
                block_clock: block_clocks[block],
                warp_clock: warp_clocks[block][warp],
            },
            access,
            kind,
            widths: if shared { widths.of_block() } else { widths },
        });
    }
}

/// The machine's access for each kind. Volatile reads are absent: they follow a rule outside the
/// machine.
const KINDS: [(Access, AccessKind); 6] = [
    (Access::Read, AccessKind::Read),
    (Access::Write, AccessKind::Write),
    (Access::BlockAtomic, AccessKind::BlockAtomic),
    (Access::GridAtomic, AccessKind::DeviceAtomic),
    (Access::Write, AccessKind::Update),
    (Access::GridAtomic, AccessKind::VolatileWrite),
];

/// The plain kind of an access, which is the first one in the list.
fn plain_kind(access: Access) -> AccessKind {
    let kind = KINDS.iter().find(|(it, _)| *it == access);
    kind.map_or(AccessKind::Read, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests;
