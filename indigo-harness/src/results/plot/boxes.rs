//! Box plots.

use plotters::prelude::*;

use super::frame::{self, Axis, HALF, INK, ONE, ONE_BACK, TWO, sure};
use super::group::Group;
use super::{Costs, Width};

/// Draws the groups on a logarithmic axis: twice as slow is as far from 1 as half as slow.
pub fn draw(groups: &[Group<Costs>], width: Width, background: bool) -> String {
    let rows = || groups.iter().flat_map(|group| &group.rows);
    // The axis always includes the run without a checker.
    let low = rows().map(|(_, it)| it.spread.min).fold(1.0, f64::min);
    let high = rows().map(|(_, it)| it.spread.max).fold(1.0, f64::max);
    // A margin, also if all values are the same.
    let axis = Axis {
        range: (low / 1.08..high * 1.15).log_scale(),
        name: "times the run without a checker",
        number: |value| value.to_string(),
        note: |it: &Costs| match it.short {
            0 => String::new(),
            short => format!("{short} of {} under 1 ms", it.spread.count),
        },
    };
    frame::draw(groups, width, background, axis, |chart, at, it| {
        let it = &it.spread;
        let line = |from: (f64, f64), to: (f64, f64), colour: RGBColor, width| {
            PathElement::new(vec![from, to], colour.stroke_width(width))
        };
        let across =
            |x: f64, half: f64, colour, width| line((x, at - half), (x, at + half), colour, width);
        let corners = [(it.lower, at - HALF), (it.upper, at + HALF)];
        sure(chart.draw_series([
            line((it.min, at), (it.lower, at), ONE, 1),
            line((it.upper, at), (it.max, at), ONE, 1),
            across(it.min, HALF / 2.0, ONE, 1),
            across(it.max, HALF / 2.0, ONE, 1),
        ]));
        sure(chart.draw_series([Rectangle::new(corners, ONE_BACK.filled())]));
        sure(chart.draw_series([Rectangle::new(corners, ONE)]));
        sure(chart.draw_series([across(it.median, HALF, INK, 2)]));
        sure(chart.draw_series([Circle::new((it.mean, at), 3, TWO.filled())]));
    })
}
