//! The cost of a tool: its runs compared with those of the same program, graph and shape without a
//! checker.

use std::collections::{BTreeMap, HashMap};

use super::judge::Answer;
use super::spread::Spread;
use super::table::{Cell, Table, numbers, words};
use super::tools;
use crate::store::{Outcome, Results, Verdict};

/// The table row for all patterns.
pub const ALL_PATTERNS: &str = "all patterns";

/// The quantity to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Time in kernel launches.
    Kernels,
    /// Time of the whole process.
    Process,
    /// Largest resident memory of the process.
    Memory,
}

impl Measure {
    /// All quantities, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Kernels, Self::Process, Self::Memory];

    /// Base name of its table.
    #[must_use]
    pub fn file(self) -> &'static str {
        match self {
            Self::Kernels => "slowdown-kernels",
            Self::Process => "slowdown",
            Self::Memory => "memory",
        }
    }

    /// The title for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Kernels => "Slowdown of kernels",
            Self::Process => "Slowdown of processes",
            Self::Memory => "Memory",
        }
    }

    /// A sentence that describes the numbers.
    fn caption(self) -> &'static str {
        match self {
            Self::Kernels => "Time in kernel launches, as a multiple of that without a checker.",
            Self::Process => "Wall time of the process, as a multiple of that without a checker.",
            Self::Memory => {
                "Largest resident memory of the process, as a multiple of that without a checker."
            }
        }
    }

    fn of(self, run: &Outcome) -> Option<f64> {
        match self {
            Self::Kernels => run.kernel_seconds,
            Self::Process => Some(run.seconds),
            Self::Memory => run.peak_bytes.map(|bytes| bytes as f64),
        }
    }
}

/// A run with the same time or memory as this one has without a checker is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio {
    /// The pattern of the program.
    pub pattern: String,
    /// How often the value without a checker fits into the one with it.
    pub value: f64,
    /// Whether the run without a checker takes less than [`SHORT`].
    pub is_short: bool,
}

/// Other work of the machine, and the clock, decide on ratios of times below this one, in seconds.
pub const SHORT: f64 = 0.001;

/// The ratios of a tool's runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratios {
    /// In the order of the runs.
    pub values: Vec<Ratio>,
    /// Finished runs without a reference: the run without a checker is missing, did not finish, or
    /// was too short for the clock.
    pub without_reference: u64,
    /// Runs that did not finish: their full duration is unknown.
    pub unfinished: u64,
}

/// The ratios of `tool`.
#[must_use]
pub fn ratios(results: &Results, tool: &str, measure: Measure) -> Ratios {
    let mut ratios = Ratios::default();
    let Some(reference) = tools::reference(tool) else {
        return ratios;
    };
    let place = |run: &Outcome| (run.program, run.graph, run.shape);
    let ended = |run: &&Outcome| came_to_end(run);
    let references: HashMap<_, _> = tools::runs(results, reference)
        .filter(ended)
        .filter_map(|run| Some((place(run), measure.of(run)?)))
        .filter(|(_, value)| *value > 0.0)
        .collect();
    for run in tools::runs(results, tool) {
        if !ended(&run) {
            ratios.unfinished += 1;
            continue;
        }
        let value = measure.of(run).filter(|value| *value > 0.0);
        match (value, references.get(&place(run))) {
            (Some(value), Some(reference)) => {
                ratios.values.push(Ratio {
                    pattern: results.programs[run.program].pattern.clone(),
                    value: value / reference,
                    is_short: measure != Measure::Memory && *reference < SHORT,
                });
            }
            _ => ratios.without_reference += 1,
        }
    }
    ratios
}

/// Whether the run's duration is known.
fn came_to_end(run: &Outcome) -> bool {
    run.verdict == Verdict::Ran || !matches!(Answer::from(run.verdict), Answer::Unjudged(_))
}

/// Ratios by tool and pattern; `None` where there are none.
#[must_use]
pub fn table(results: &Results, measure: Measure) -> Option<Table> {
    let columns = [
        words("tool", "tool"),
        words("pattern", "pattern"),
        numbers("runs", "runs"),
        numbers("short", "under 1 ms"),
        numbers("geometric_mean", "geometric mean"),
        numbers("median", "median"),
        numbers("lower_quartile", "lower quartile"),
        numbers("upper_quartile", "upper quartile"),
        numbers("least", "least"),
        numbers("most", "most"),
    ];
    let mut table = Table::new(measure.file(), measure.caption(), &columns);
    let mut left_out = Vec::new();
    for tool in tools::of(results) {
        let ratios = ratios(results, tool, measure);
        for (pattern, values) in by_pattern(&ratios) {
            let Some(spread) = spread(&values) else {
                continue;
            };
            table.rows.push(vec![
                tools::cell(tool),
                Cell::text(pattern.unwrap_or(ALL_PATTERNS)),
                Cell::Count(spread.count as u64),
                Cell::Count(short(&values) as u64),
                Cell::Ratio(spread.mean),
                Cell::Ratio(spread.median),
                Cell::Ratio(spread.lower),
                Cell::Ratio(spread.upper),
                Cell::Ratio(spread.min),
                Cell::Ratio(spread.max),
            ]);
        }
        let reasons = [
            (ratios.unfinished, "without an end"),
            (ratios.without_reference, "without a counterpart"),
        ];
        for (count, why) in reasons.into_iter().filter(|(count, _)| *count > 0) {
            left_out.push(format!("{count} {why} ({})", tools::title(tool)));
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    if measure == Measure::Memory {
        table.drop(&["short"]);
    }
    if !left_out.is_empty() {
        table.caption += &format!(" Runs left out: {}.", left_out.join(", "));
    }
    Some(table)
}

/// The ratios of each pattern, by name; if there are several patterns, all of them together come
/// last.
#[must_use]
pub fn by_pattern(ratios: &Ratios) -> Vec<(Option<&str>, Vec<&Ratio>)> {
    let mut patterns: BTreeMap<&str, Vec<&Ratio>> = BTreeMap::new();
    for ratio in &ratios.values {
        patterns.entry(&ratio.pattern).or_default().push(ratio);
    }
    let all = ratios.values.iter().collect();
    let mut rows: Vec<_> = patterns
        .into_iter()
        .map(|(pattern, values)| (Some(pattern), values))
        .collect();
    if rows.len() != 1 {
        rows.push((None, all));
    }
    rows
}

/// The spread of ratios; `None` without any.
#[must_use]
pub fn spread(ratios: &[&Ratio]) -> Option<Spread> {
    Spread::of(ratios.iter().map(|it| it.value).collect())
}

/// How many of the runs are too short for a ratio that says much.
#[must_use]
pub fn short(ratios: &[&Ratio]) -> usize {
    ratios.iter().filter(|it| it.is_short).count()
}
