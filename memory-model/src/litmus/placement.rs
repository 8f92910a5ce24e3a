//! The same test with its threads in other places.

use super::ast::{Placement, Test};

/// The test with all threads in the same warp, in warps of the same block, in other blocks of the
/// same GPU, and on other GPUs.
///
/// Only the first two are possible if a location is in shared memory.
#[must_use]
pub fn placements(test: &Test) -> Vec<(&'static str, Test)> {
    let at = |gpu, cta, warp| Placement {
        gpu,
        cta,
        warp: Some(warp),
    };
    let mut all = vec![
        ("same warp", moved(test, |_| at(0, 0, 0))),
        ("same block", moved(test, |thread| at(0, 0, thread))),
    ];
    if !test.locations.iter().any(|location| location.shared) {
        all.push(("other blocks", moved(test, |thread| at(0, thread, 0))));
        all.push(("other GPUs", moved(test, |thread| at(thread, 0, 0))));
    }
    all
}

fn moved(test: &Test, place: impl Fn(u32) -> Placement) -> Test {
    let mut test = test.clone();
    for (number, thread) in (0..).zip(&mut test.threads) {
        thread.placement = place(number);
    }
    test
}
