//! The frame of all plots: labels of the rows, an axis below, and the colours.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Width;
use super::group::Group;

/// Text and axes.
pub const INK: RGBColor = RGBColor(0x1b, 0x1f, 0x24);
/// Less important text.
pub const QUIET: RGBColor = RGBColor(0x5b, 0x64, 0x70);
/// Lines of the grid.
pub const LINE: RGBColor = RGBColor(0xdf, 0xe3, 0xe8);
/// The main colour. Everyone can distinguish blue and orange, also in greyscale.
pub const ONE: RGBColor = RGBColor(0x12, 0x57, 0xb5);
/// A lighter main colour, behind lines.
pub const ONE_BACK: RGBColor = RGBColor(0xdb, 0xe8, 0xfb);
/// The accent colour.
pub const TWO: RGBColor = RGBColor(0xe8, 0x85, 0x3f);
/// Unknown values.
pub const NEUTRAL: RGBColor = RGBColor(0xc9, 0xce, 0xd6);

/// The colours as written in the SVG, for pages that replace them in dark mode.
pub const COLOURS: [(&str, RGBColor); 7] = [
    ("ink", INK),
    ("quiet", QUIET),
    ("line", LINE),
    ("one", ONE),
    ("one-back", ONE_BACK),
    ("two", TWO),
    ("neutral", NEUTRAL),
];

impl Width {
    /// In pixels; all lengths are in pixels of a page with that width.
    fn pixels(self) -> u32 {
        match self {
            Self::Wide => 900,
            Self::Narrow => 352,
        }
    }

    /// Lines of text above the bar of a row, and above the first row of a group.
    fn lines_above(self) -> [u32; 2] {
        match self {
            Self::Wide => [0, 0],
            Self::Narrow => [1, 1],
        }
    }

    /// The number of labels on the axis, at most.
    fn marks(self) -> usize {
        match self {
            Self::Wide => 8,
            Self::Narrow => 4,
        }
    }
}

/// Height of a row, and of a line of text.
const ROW: u32 = 20;
/// Space between groups.
const GAP: u32 = 10;
/// Height of the axis with its numbers and its name.
const AXIS: u32 = 46;
/// Space above the rows.
const TOP: u32 = 8;
/// Size of text.
const TEXT: u32 = 15;
/// Mean width of a letter of that size. Fonts differ, and labels must not be cut off.
const LETTER: f64 = 7.4;

/// Space beside texts.
const SPACE: u32 = 7;
/// Half the width of a number at an end of the axis.
const HALF_NUMBER: u32 = 24;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The chart of a row: the axis value is horizontal; pixels are vertical (negative downwards).
pub type Chart<'a, 'b, X> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, RangedCoordf64>>;

/// Half of a bar's height, in pixels.
pub const HALF: f64 = 6.5;

/// The horizontal axis.
pub struct Axis<'a, A, T> {
    /// The range of values.
    pub range: A,
    /// The quantity.
    pub name: &'a str,
    /// Formats a number.
    pub number: fn(&f64) -> String,
    /// The note at the right of a row.
    pub note: fn(&T) -> String,
}

/// Draws the frame with `axis`. `row` draws each row around its vertical centre.
pub fn draw<T, A>(
    groups: &[Group<T>],
    width: Width,
    background: bool,
    axis: Axis<'_, A, T>,
    mut row: impl FnMut(&mut Chart<'_, '_, A::CoordDescType>, f64, &T),
) -> String
where
    A: AsRangedCoord<Value = f64>,
    A::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let inner = height(groups, width);
    let mut svg = String::new();
    {
        let size = (width.pixels(), TOP + inner + AXIS);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        if background {
            sure(area.fill(&WHITE));
        }
        let [left, right] = match width {
            Width::Wide => [labels(&area, groups), notes(&area, groups, axis.note)],
            Width::Narrow => {
                lines(&area, groups, axis.note);
                [HALF_NUMBER; 2]
            }
        };
        let mut builder = ChartBuilder::on(&area);
        let mut chart = sure(
            builder
                .margin_top(TOP)
                .margin_left(left)
                .margin_right(right)
                .x_label_area_size(AXIS)
                .build_cartesian_2d(axis.range, -f64::from(inner)..0.0),
        );
        sure(
            chart
                .configure_mesh()
                .disable_y_mesh()
                .y_labels(0)
                .y_max_light_lines(0)
                .x_max_light_lines(0)
                .x_labels(width.marks())
                .bold_line_style(LINE)
                .light_line_style(LINE)
                .axis_style(QUIET)
                .label_style(font(QUIET))
                .x_label_formatter(&axis.number)
                .x_desc(axis.name)
                .axis_desc_style(font(INK))
                .draw(),
        );
        for (at, value) in middles(groups, width) {
            row(&mut chart, -at, value);
        }
        sure(area.present());
    }
    svg
}

/// Writes the labels of the rows at their left; returns their width.
fn labels<T>(area: &Area<'_>, groups: &[Group<T>]) -> u32 {
    let titles = groups.iter().map(|group| length(&group.title));
    let titles = titles.max().unwrap_or_default();
    let tools = groups.iter().flat_map(|group| &group.rows);
    let tools = tools
        .map(|(tool, _)| length(tool))
        .max()
        .unwrap_or_default();
    let mut rows = middles(groups, Width::Wide);
    for group in groups {
        for (number, (tool, _)) in group.rows.iter().enumerate() {
            let (middle, _) = rows.next().expect("each row has a middle");
            if number == 0 {
                write(area, &group.title, HPos::Right, titles, middle, INK);
            }
            write(area, tool, HPos::Right, titles + tools, middle, QUIET);
        }
    }
    titles + tools + SPACE
}

/// Writes the notes at the right of the rows; returns their width.
fn notes<T>(area: &Area<'_>, groups: &[Group<T>], note: fn(&T) -> String) -> u32 {
    let rows = || middles(groups, Width::Wide);
    let widest = rows().map(|(_, value)| length(&note(value))).max();
    let right = widest.unwrap_or_default().max(HALF_NUMBER);
    for (middle, value) in rows() {
        let left = Width::Wide.pixels() - right + SPACE;
        write(area, &note(value), HPos::Left, left, middle, INK);
    }
    right
}

/// Writes the labels and the notes above the rows.
fn lines<T>(area: &Area<'_>, groups: &[Group<T>], note: fn(&T) -> String) {
    let mut rows = middles(groups, Width::Narrow);
    let line = f64::from(ROW);
    for group in groups {
        for (number, (tool, _)) in group.rows.iter().enumerate() {
            let (middle, value) = rows.next().expect("each row has a middle");
            if number == 0 {
                write(
                    area,
                    &group.title,
                    HPos::Left,
                    SPACE,
                    middle - 2.0 * line,
                    INK,
                );
            }
            let right = Width::Narrow.pixels() - SPACE;
            write(area, tool, HPos::Left, SPACE, middle - line, QUIET);
            write(area, &note(value), HPos::Right, right, middle - line, INK);
        }
    }
}

fn write(area: &Area<'_>, text: &str, side: HPos, x: u32, middle: f64, colour: RGBColor) {
    let style = font(colour).pos(Pos::new(side, VPos::Center));
    let place = (x as i32, (f64::from(TOP) + middle) as i32);
    sure(area.draw(&Text::new(text.to_owned(), place, style)));
}

/// The width of a text, with the space beside it.
fn length(text: &str) -> u32 {
    (text.chars().count() as f64 * LETTER) as u32 + 2 * SPACE
}

/// The height of all rows, with what is above them.
fn height<T>(groups: &[Group<T>], width: Width) -> u32 {
    let [above_row, above_group] = width.lines_above();
    let rows: usize = groups.iter().map(|group| group.rows.len()).sum();
    rows as u32 * ROW * (1 + above_row) + groups.len() as u32 * (GAP + ROW * above_group)
}

/// Each row with the distance of its centre from the top.
fn middles<T>(groups: &[Group<T>], width: Width) -> impl Iterator<Item = (f64, &T)> {
    let [above_row, above_group] = width.lines_above();
    let rows = groups.iter().enumerate().flat_map(|(group, it)| {
        let rows = it.rows.iter();
        rows.map(move |(_, value)| (group as u32, value))
    });
    rows.enumerate().map(move |(number, (group, value))| {
        let above = number as u32 * ROW * (1 + above_row) + group * (GAP + ROW * above_group);
        let own = ROW * (above_row + above_group) + (ROW + GAP) / 2;
        (f64::from(above + own), value)
    })
}

/// The text's style.
fn font(colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", TEXT).into_font().color(&colour)
}

/// Drawing into a string cannot fail; an error from plotters is a bug of ours.
pub fn sure<T>(
    outcome: Result<T, DrawingAreaErrorKind<impl std::error::Error + Send + Sync>>,
) -> T {
    outcome.unwrap_or_else(|error| panic!("a plot cannot be drawn: {error}"))
}
