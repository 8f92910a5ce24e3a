//! Checks which steps the traces contain.

use std::collections::HashSet;

use hirace_fsm::word::Size;

use super::*;
use hirace_fsm::State;
use hirace_fsm::word::Word;

/// The outcome of each step of a batch.
fn outcomes(batch: &Batch) -> Vec<(Answer, Transition)> {
    let oracle = Oracle::new();
    let traces = batch.steps.chunks(batch.steps_each()).zip(&batch.words);
    traces
        .flat_map(|(steps, &start)| {
            let next = |word: &mut Word, &step: &Step| {
                let (answer, transition) = oracle.step(*word, step);
                *word = answer.word;
                Some((answer, transition))
            };
            steps.iter().scan(start, next).collect::<Vec<_>>()
        })
        .collect()
}

const SIZES: [Size; 2] = [Size::Eight, Size::Four];

#[test]
fn one_trace_for_each_transition() {
    for size in SIZES {
        let batch = Batch::transitions(Widths::gpu(size));
        let taken: Vec<Transition> = outcomes(&batch).into_iter().map(|it| it.1).collect();
        for (given, wanted) in taken.iter().zip(Transition::all()) {
            // A first access has no relation to an earlier one.
            let first = wanted.state == State::Init && given.access == wanted.access;
            assert!(*given == wanted || first, "{given} for {wanted}");
        }
        assert_eq!(taken.len(), 1200);
    }
}

#[test]
fn random_traces_go_everywhere() {
    for size in SIZES {
        go_everywhere(Widths::gpu(size));
    }
}

#[track_caller]
fn go_everywhere(widths: Widths) {
    let batch = Batch::random(widths, 1);
    assert_eq!(batch.steps.len(), 1 << 20);
    let outcomes = outcomes(&batch);
    let taken: HashSet<Transition> = outcomes.iter().map(|it| it.1).collect();
    let share = |count: usize| 100 * count / outcomes.len();
    let races = share(outcomes.iter().filter(|it| it.0.race).count());
    let settled_inline = share(outcomes.iter().filter(|it| it.0.settled_inline).count());
    let kinds: HashSet<AccessKind> = batch.steps.iter().map(|it| it.kind).collect();
    // The rest cannot be reached: RACE and INIT each have only one way out.
    assert!(taken.len() >= 850, "{} transitions", taken.len());
    assert!((5..70).contains(&races), "{races} % of races");
    assert!(
        (5..70).contains(&settled_inline),
        "{settled_inline} % of steps in line"
    );
    assert_eq!(kinds.len(), KINDS.len());
    assert!(batch.steps.iter().any(Step::shared));
    assert!(batch.steps.iter().any(|it| it.widths == widths));
    assert!(batch.steps.iter().all(|it| {
        let Identity {
            block, warp, lane, ..
        } = it.who;
        widths.hold(it.who)
            && block >> widths.block == 0
            && warp >> (widths.thread - 5) == 0
            && lane < 32
    }));
}

#[test]
fn seeds_decide_everything() {
    let steps = |seed| Batch::random(Widths::gpu(Size::Eight), seed).steps;
    assert!(steps(5) == steps(5));
    assert!(steps(5) != steps(6));
}
