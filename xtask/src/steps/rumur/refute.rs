//! Published transitions that rumur must refute.

use std::num::NonZero;
use std::thread;

use anyhow::{Context, Result, bail};
use hirace_fsm::check::{Fault, Shape, verify};
use hirace_fsm::{DEVIATIONS, Deviation, Masks, Table};

use super::checker::{Checker, Symmetry, Verdict};
use super::{Frame, outcome};
use crate::tally::Tally;

/// The grids on which to refute a transition, small ones first.
const SHAPES: [(usize, usize, usize); 4] = [(1, 1, 2), (1, 2, 1), (2, 1, 1), (2, 2, 2)];

/// Puts each published transition back, one at a time, on all cores.
pub fn all(checker: &Checker, frame: &Frame, masks: &Masks) -> Tally {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let mut results: Vec<_> = thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|worker| {
                let mine = DEVIATIONS.iter().enumerate().skip(worker).step_by(workers);
                scope.spawn(move || {
                    mine.map(|(index, deviation)| (index, refute(checker, frame, masks, deviation)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("a refutation does not panic"))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    let mut tally = Tally::default();
    for (index, result) in results {
        let Deviation {
            transition,
            published,
            ..
        } = DEVIATIONS[index];
        tally.add(outcome(&format!("{transition} -> {published}"), result));
    }
    tally
}

/// Checks the machine with one published transition.
///
/// The grid is the smallest on which our own search finds an error, and rumur must find one of the
/// same kind there.
fn refute(
    checker: &Checker,
    frame: &Frame,
    masks: &Masks,
    deviation: &Deviation,
) -> Result<String> {
    let transition = deviation.transition;
    let table = Table::EXACT.with(transition, deviation.published);
    let (shape, fault) = SHAPES
        .into_iter()
        .find_map(|(blocks, warps, threads)| {
            let shape = Shape::new(blocks, warps, threads).ok()?;
            Some((shape, verify(&table, masks, shape).err()?.fault))
        })
        .context("our own search finds no fault")?;
    let mut model = frame.model(masks, shape);
    model.table = &table;
    let name = format!("published-{}", transition.index());
    let expected = match fault {
        Fault::FalseAlarm => "invariant \"no false alarm\" failed",
        Fault::Miss => "invariant \"no missed race\" failed",
    };
    match checker.check(&name, &model, Symmetry::Shortest)? {
        Verdict::Holds { .. } => bail!("not refuted on {shape}"),
        Verdict::Fails { property, history } if property == expected => {
            Ok(format!("refuted on {shape}: {property}; {history}"))
        }
        Verdict::Fails { property, history } => {
            bail!("refuted on {shape} by {property}, not by {expected}; {history}")
        }
    }
}
