//! The instances of functions that an executable contains, from its debug information: a race has the calls of its
//! second access only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use addr2line::Loader;

use crate::frames::{frames, of_user};
use hirace_model::table::Tables;
use hirace_report::records::{Frame, Records};

/// The lines that first accesses are in, outside of kernels, by process.
pub(super) fn wanted(records: &Records, tables: &Tables) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut sites: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let kernels = tables.iter().flat_map(|it| &it.notes.kernels);
    let kernels: BTreeSet<_> = kernels.map(String::as_str).collect();
    for entry in &records.entries {
        let site = entry.prior.map_or(0, |it| it.site);
        let function = tables.site(site).map(|(_, it)| it.function.as_str());
        if function.is_some_and(|it| !kernels.contains(it)) {
            let known = sites.entry(entry.whereabouts.process).or_default();
            known.insert(site);
        }
    }
    sites
}

/// The functions around each site, from the innermost on to one that was not inlined: once for each place in the
/// executable that has the site's code.
pub(super) fn find(
    loader: &Loader,
    tables: &Tables,
    sites: &BTreeSet<u32>,
) -> Vec<(u32, Vec<Vec<Frame>>)> {
    let mut found: BTreeMap<(String, u32), Vec<Vec<Frame>>> = BTreeMap::new();
    for site in sites {
        if let Some((file, row)) = tables.site(*site) {
            found.insert((file.to_owned(), row.line), Vec::new());
        }
    }
    let lines: BTreeSet<u32> = found.keys().map(|it| it.1).collect();
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    let Ok(rows) = loader.find_location_range(0, u64::MAX) else {
        return Vec::new();
    };
    for (address, _, location) in rows {
        let Some((file, line)) = location.file.zip(location.line) else {
            continue;
        };
        if !lines.contains(&line) {
            continue;
        }
        let name = match names.get(file) {
            Some(name) => name.clone(),
            None => {
                let name = of_user(tables, file, line).map(|it| it.0);
                names.insert(file.to_owned(), name.clone());
                name
            }
        };
        let Some(stacks) = name.and_then(|it| found.get_mut(&(it, line))) else {
            continue;
        };
        let stack = frames(loader, tables, address).unwrap_or_default();
        if !stack.is_empty() && !stacks.contains(&stack) {
            stacks.push(stack);
        }
    }
    let of_site = |site: &u32| {
        let (file, row) = tables.site(*site)?;
        Some((*site, found.get(&(file.to_owned(), row.line))?.clone()))
    };
    sites.iter().filter_map(of_site).collect()
}
