//! What the traces cover, so that the comparison is not vacuous.

use std::fmt;

use hirace_fsm::table::TRANSITIONS;
use hirace_fsm::{State, Transition};

use crate::machine::{Keep, Outcome, Verdict};
use crate::trace::{Event, Split, Trace};

/// Counts over all traces.
pub struct Coverage {
    traces: usize,
    /// Accesses that were judged, and those of them that raced.
    accesses: usize,
    races: usize,
    /// Accesses with a full clock.
    unchecked: usize,
    /// Judged accesses on the GPU's words.
    on_gpu: usize,
    /// Barriers of warps and of blocks.
    barriers: [usize; 2],
    /// New launches of the same grid.
    launches: usize,
    /// How often each transition decided, for each kind of masks.
    transitions: [Vec<usize>; 2],
}

impl Default for Coverage {
    fn default() -> Self {
        Self {
            traces: 0,
            accesses: 0,
            races: 0,
            unchecked: 0,
            on_gpu: 0,
            barriers: [0; 2],
            launches: 0,
            transitions: [vec![0; TRANSITIONS], vec![0; TRANSITIONS]],
        }
    }
}

impl Coverage {
    /// Counts a trace on which everything agreed.
    pub fn trace(&mut self, trace: &Trace, outcomes: &[Outcome]) {
        self.traces += 1;
        let count = |verdict| outcomes.iter().filter(|o| o.verdict == verdict).count();
        let races = count(Verdict::Race);
        let judged = races + count(Verdict::NoRace);
        self.accesses += judged;
        self.races += races;
        self.unchecked += outcomes.len() - judged;
        if trace.split == Split::Gpu {
            self.on_gpu += judged;
        }
        for event in &trace.events {
            match event {
                Event::Access { .. } => {}
                Event::SyncWarp(_) => self.barriers[0] += 1,
                Event::SyncThreads(_) => self.barriers[1] += 1,
                Event::NextLaunch => self.launches += 1,
            }
        }
    }

    /// Counts the transition that decided an access.
    pub fn transition(&mut self, keep: Keep, transition: Transition) {
        self.transitions[keep as usize][transition.index()] += 1;
    }

    /// How many different transitions decided.
    fn transitions(&self, keep: Keep) -> usize {
        let counts = &self.transitions[keep as usize];
        counts.iter().filter(|&&count| count > 0).count()
    }

    /// How many accesses found a state in their word.
    fn found(&self, keep: Keep, state: State) -> usize {
        let of_state = Transition::all().filter(|transition| transition.state == state);
        of_state
            .map(|transition| self.transitions[keep as usize][transition.index()])
            .sum()
    }

    /// Fails if one of `parts` of the traces covers too little, whatever the seed.
    pub fn assert_enough(&self, parts: usize) {
        assert!(self.accesses >= 10_000_000 / parts, "{self}");
        // Neither verdict is rare.
        let (races, half) = (self.races, self.accesses / 2);
        assert!((self.accesses / 10..half).contains(&races), "{self}");
        assert!(self.on_gpu >= 1_000_000 / parts, "{self}");
        assert!(self.unchecked >= 100_000 / parts, "{self}");
        assert!(
            self.barriers.iter().all(|&n| n >= 500_000 / parts),
            "{self}"
        );
        assert!(self.launches >= 10_000 / parts, "{self}");
        for keep in Keep::BOTH {
            // A word without an access is not compared, and one with a race starts over:
            // 4 transitions from INIT and 48 from each of 23 states, 1108 in all.
            assert!(self.transitions(keep) >= 1085, "{self}");
            for state in State::ALL {
                let enough = state == State::Race || self.found(keep, state) >= 5000 / parts;
                assert!(enough, "{state}\n{self}");
            }
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            traces,
            accesses,
            races,
            unchecked,
            on_gpu,
            barriers: [warp, block],
            launches,
            ..
        } = self;
        writeln!(formatter, "{traces} traces, {launches} further launches")?;
        writeln!(formatter, "{warp} warp barriers, {block} block barriers")?;
        writeln!(
            formatter,
            "{accesses} accesses, of these {on_gpu} on words of the GPU; {unchecked} more unchecked"
        )?;
        writeln!(formatter, "{races} races")?;
        for keep in Keep::BOTH {
            let transitions = self.transitions(keep);
            write!(
                formatter,
                "keeping {keep:?} fields: {transitions} transitions; from"
            )?;
            for state in State::ALL {
                write!(formatter, " {state} {}", self.found(keep, state))?;
            }
            writeln!(formatter)?;
        }
        Ok(())
    }
}
