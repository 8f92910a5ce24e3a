//! The input of a report: a run's records, and the tables for their site numbers.

use std::collections::BTreeSet;

use hirace_model::table::{SitesOf, Tables};
use hirace_model::wire::numbers::Limits;
use hirace_model::{Backend, Ended, Site};

use super::model::{Launch, LaunchCall, LaunchShape, Position, Process};
use super::records::{Entry, Line, ProcessEntry, Records};

/// One run of a program, with the instrumenter's tables.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The backend.
    pub backend: Backend,
    /// The seed.
    pub seed: u32,
    /// How it ended.
    pub ended: Ended,
    /// Its time limit in seconds.
    pub timeout: Option<f64>,
    /// Whether a read of memory that nothing has written is an error instead of a warning.
    pub init_check: bool,
    /// Whether findings name the process even if it is the only one: that of a program that hirace did not build.
    pub names_process: bool,
    /// Its records.
    pub records: &'a Records,
    /// The site tables of the program's files.
    pub tables: &'a Tables,
}

impl Run<'_> {
    /// Whether the user switched some launches off.
    pub(super) fn launches_left_out(&self) -> bool {
        let mut choices = self.tables.iter().flat_map(|it| &it.notes.switched_off);
        let by_option = self.records.totals.limits.has(Limits::LAUNCHES_NOT_CHOSEN);
        by_option || choices.any(|it| it.accesses == 0)
    }
}

/// The place of a site; `None` if it is unknown. If several sites have the number, only the
/// candidates are given.
pub(super) fn position(tables: &Tables, id: u32) -> Option<Position> {
    let (file, site) = match tables.find(id) {
        SitesOf::Nothing => return None,
        SitesOf::One(file, site) => (file, site),
        SitesOf::Several(all) => {
            let place = |(file, site): &(&str, &Site)| {
                format!("{file}:{}:{}: {}", site.line, site.column, site.text)
            };
            return Some(Position {
                one_of: all.iter().map(place).collect(),
                ..Position::default()
            });
        }
    };
    Some(Position {
        one_of: Vec::new(),
        instance: None,
        calls: Vec::new(),
        file: Some(file.to_owned()),
        line: Some(site.line),
        column: Some(site.column),
        end_column: end_column(site),
        text: Some(site.text.clone()),
        function: Some(site.function.clone()),
        variable: Some(site.variable.clone()),
        range: site.range.clone(),
    })
}

/// The column after a site; none if its text is not that of the file.
fn end_column(site: &Site) -> Option<u32> {
    let is_whole = site.text.len() == site.range.len();
    let length = u32::try_from(site.text.chars().count()).ok();
    length.filter(|_| is_whole).map(|it| site.column + it)
}

/// The launch of the current access; `None` if it is unknown.
pub(super) fn launch_call(entry: &Entry, run: &Run<'_>) -> Option<LaunchCall> {
    let place = &entry.whereabouts;
    let used = run.records.line(entry, place.launch_code);
    call_at(place.launch, place.launch_site, used, run.tables)
}

/// The launch of the prior access, if that is another one; `None` if it is unknown.
pub(super) fn prior_launch_call(entry: &Entry, run: &Run<'_>) -> Option<LaunchCall> {
    let place = &entry.whereabouts;
    let used = run.records.line(entry, place.prior_launch_code);
    call_at(
        place.prior_launch,
        place.prior_launch_site,
        used,
        run.tables,
    )
}

/// A launch by its number in the process and its site. In a macro, `used` is where the macro is used.
pub(super) fn call_at(
    number: u32,
    site: u32,
    used: Option<&Line>,
    tables: &Tables,
) -> Option<LaunchCall> {
    let place = tables.site(site).map(|(file, site)| (file, site.line));
    let place = used.map(|it| (it.file.as_str(), it.line)).or(place);
    (number > 0).then(|| LaunchCall {
        number,
        file: place.map(|(file, _)| file.to_owned()),
        line: place.map(|(_, line)| line),
    })
}

/// The shape of a launch; `None` if it is unknown.
pub(super) fn launch_shape(grid: [u32; 3], block: [u32; 3]) -> Option<LaunchShape> {
    let is_known = grid.iter().chain(&block).all(|&it| it > 0);
    is_known.then_some(LaunchShape { grid, block })
}

/// The launch that a record names; `None` if it names none.
pub(super) fn launch(entry: &Entry, run: &Run<'_>) -> Option<Launch> {
    let LaunchShape { grid, block } = launch_shape(entry.grid, entry.block)?;
    (entry.warp_size > 0).then(|| Launch {
        call: launch_call(entry, run),
        grid,
        block,
        warp_size: entry.warp_size,
    })
}

/// The process of a record; `None` if the run had only one, whose name is not asked for, and no test started it.
fn process(process: &ProcessEntry, run: &Run<'_>) -> Option<Process> {
    // pytest adds the phase: `test_scan.py::test_one (call)`.
    let name = process.test.0.trim_end_matches(" (call)");
    let test = (!name.is_empty()).then(|| name.to_owned());
    let is_named = run.names_process || run.records.processes > 1;
    (is_named || test.is_some()).then(|| Process {
        // What hirace has built for one run has no name that means anything.
        command: if is_named {
            process.command.0.clone()
        } else {
            String::new()
        },
        test,
        others: BTreeSet::new(),
    })
}

/// The process of the first of several records of one finding, with those of all; `None` as for [`process`].
pub(super) fn processes(group: &[&Entry], first: &Entry, run: &Run<'_>) -> Option<Process> {
    let records = run.records;
    let mut shown = process(records.process(first)?, run)?;
    for entry in group {
        let (told, more) = records.all_processes(entry);
        let others = told.into_iter().filter_map(|it| process(it, run));
        others.for_each(|it| shown.add(it));
        if more {
            shown
                .others
                .insert("processes after the first 63".to_owned());
        }
    }
    Some(shown)
}
