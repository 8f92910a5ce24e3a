//! Bars of found and missed races.

use plotters::prelude::*;

use super::Width;
use super::frame::{self, Axis, HALF, NEUTRAL, ONE, TWO, sure};
use super::group::Group;
use crate::results::judge::Counts;

/// Draws the groups; each bar shows parts of the racy units.
pub fn draw(groups: &[Group<Counts>], width: Width, background: bool) -> String {
    let axis = Axis {
        range: 0.0..1.0,
        name: "blue: found, orange: missed, grey: no verdict",
        number: |share| format!("{:.0} %", share * 100.0),
        note: |it: &Counts| format!("{} of {}", it.found, all(it)),
    };
    frame::draw(groups, width, background, axis, |chart, at, it| {
        let all = all(it).max(1) as f64;
        let mut from = 0.0;
        for (count, colour) in [
            (it.found, ONE),
            (it.missed, TWO),
            (it.unjudged_total(), NEUTRAL),
        ] {
            let to = from + count as f64 / all;
            let corners = [(from, at - HALF), (to, at + HALF)];
            if count > 0 {
                sure(chart.draw_series([Rectangle::new(corners, colour.filled())]));
            }
            from = to;
        }
    })
}

/// All racy units.
fn all(counts: &Counts) -> u64 {
    counts.found + counts.missed + counts.unjudged_total()
}
