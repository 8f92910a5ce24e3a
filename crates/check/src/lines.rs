//! The source lines of instructions at which a program stopped, from its debug information.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use addr2line::Loader;
use addr2line::fallible_iterator::FallibleIterator as _;

use crate::frames::{frames, of_user};
use crate::instances;
use hirace_model::table::Tables;
use hirace_ptx::LAUNCH;
use hirace_report::records::{Line, Records};

/// Finds the lines of all instructions that the records name. Without debug information they stay
/// unknown. `executable` is the program that was started; others belong to processes that it started.
pub(super) fn find(records: &mut Records, tables: &Tables, executable: &Path) {
    let mut addresses: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for entry in &records.entries {
        let place = &entry.whereabouts;
        let named = [
            entry.code_address,
            entry.host_code,
            place.allocated_by,
            place.launch_code,
            place.prior_launch_code,
        ];
        let elsewhere = place.elsewhere.iter().flat_map(|it| {
            [it.allocated_by, it.launch_code]
                .into_iter()
                .chain(it.calls)
        });
        let all = named.into_iter().chain(place.calls).chain(elsewhere);
        let known = addresses.entry(place.process).or_default();
        known.extend(all.filter(|&address| address != 0));
    }
    let sites = instances::wanted(records, tables);
    addresses.retain(|_, known| !known.is_empty());
    for (process, addresses) in addresses {
        let index = (process as usize).checked_sub(1);
        let entry = index.and_then(|it| records.process_list.get(it));
        let own = entry.map(|it| Path::new(&it.executable.0));
        let own = own.filter(|it| it.is_absolute());
        let Ok(loader) = Loader::new(own.unwrap_or(executable)) else {
            continue;
        };
        for address in addresses {
            if let Some(line) = line(&loader, tables, address) {
                records.lines.insert((process, address), line);
            }
            let frames = frames(&loader, tables, address).unwrap_or_default();
            if !frames.is_empty() {
                records.frames.insert((process, address), frames);
            }
        }
        let Some(sites) = sites.get(&process) else {
            continue;
        };
        for (site, stacks) in instances::find(&loader, tables, sites) {
            records.stacks.insert((process, site), stacks);
        }
    }
}

/// Drops the namespace that a program shares an executable by from the names of its functions.
pub(super) fn leave_namespace(records: &mut Records, namespace: &str) {
    let scope = format!("{namespace}::");
    let stacks = records.stacks.values_mut().flatten();
    for frame in records.frames.values_mut().chain(stacks).flatten() {
        frame.function = frame.function.replace(&scope, "");
    }
}

/// Names the sources of launches of PTX, for which the program has numbers only.
pub(super) fn name(records: &mut Records, places: &[(String, u32)]) {
    for line in records.lines.values_mut() {
        let number = (line.line as usize).wrapping_sub(1);
        if line.file.ends_with(LAUNCH)
            && let Some((file, number)) = places.get(number)
        {
            line.file.clone_from(file);
            line.line = *number;
        }
    }
}

/// The innermost line in the user's code, among functions that were inlined into one another.
fn line(loader: &Loader, tables: &Tables, address: u64) -> Option<Line> {
    let frames = loader.find_frames(address).ok()?;
    let places: Vec<(String, u32)> = frames
        .filter_map(|frame| {
            let place = frame.location.and_then(|it| it.file.zip(it.line));
            Ok(place.map(|(file, line)| (file.to_owned(), line)))
        })
        .collect()
        .ok()?;
    let wraps =
        |file: &str| file.contains("/hirace/") && WRAPPERS.iter().any(|it| file.ends_with(it));
    let caller = places.iter().find(|(file, _)| !wraps(file));
    let in_executor = caller.is_some_and(|(file, _)| executor(file));
    let known = places
        .iter()
        .find_map(|(file, line)| of_user(tables, file, *line));
    let other = || {
        let (file, line) = places.iter().find(|(file, _)| !foreign(file))?;
        let here = super::here();
        let inside = here.and_then(|it| Path::new(file).strip_prefix(it).ok());
        let file = inside.map_or_else(|| file.clone(), |it| it.display().to_string());
        Some((file, *line))
    };
    let (file, line) = known.or_else(other)?;
    Some(Line {
        file,
        line,
        in_executor,
    })
}

/// Headers with inline functions of the executor that stand for functions of libraries: an access in one of them is
/// its caller's. They may include one another by paths with `..`.
const WRAPPERS: [&str; 5] = [
    "/host/memory_functions.h",
    "/cuda/atomics.h",
    "/cuda/ordered_atomics.h",
    "/libraries/atomic_object.h",
    "/libraries/cuda_atomic.h",
];

fn executor(file: &str) -> bool {
    let folders = ["executor", "cuda", "libraries", "toolkit"];
    folders
        .iter()
        .any(|folder| file.contains(&format!("/hirace/{folder}/")))
}

/// Whether a file belongs to a library or to our headers.
fn foreign(file: &str) -> bool {
    file.contains("/hirace/") || file.starts_with("/usr/")
}
