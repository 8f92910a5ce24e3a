//! The source lines of instructions at which a program stopped, from its debug information.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use addr2line::Loader;
use addr2line::fallible_iterator::FallibleIterator as _;

use crate::instances;
use hirace_model::paths::folded;
use hirace_model::table::{Table, Tables};
use hirace_ptx::LAUNCH;
use hirace_report::records::{Frame, Line, Records};

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

/// The functions of the user's at an instruction.
pub(super) fn frames(loader: &Loader, tables: &Tables, address: u64) -> Option<Vec<Frame>> {
    let mut found = Vec::new();
    let mut frames = loader.find_frames(address).ok()?;
    while let Some(frame) = frames.next().ok()? {
        let place = frame.location.and_then(|it| it.file.zip(it.line));
        let place = place.and_then(|(file, line)| of_user(tables, file, line));
        let name = frame.function.as_ref().and_then(|it| it.demangle().ok());
        if let (Some((file, line)), Some(name)) = (place, name) {
            let function = short_name(&name);
            found.push(Frame {
                function,
                file,
                line,
            });
        }
    }
    Some(found)
}

/// A place in a file of the user's, by the name that reports have for it.
pub(super) fn of_user(tables: &Tables, file: &str, line: u32) -> Option<(String, u32)> {
    let place = folded(Path::new(file));
    let is_there = |it: &&Table| it.notes.location.as_deref().map(Path::new) == Some(&place);
    let is_named = |it: &&Table| place.ends_with(it.path.trim_start_matches('/'));
    let table = tables.iter().find(is_there);
    let table = table.or_else(|| tables.iter().find(is_named))?;
    Some((table.path.clone(), line))
}

/// What follows the function around a lambda in its name.
const LAMBDA: &str = "::{lambda(";

/// The types of numbers that a demangled name gives with each template argument.
const NUMBERS: [&str; 7] = [
    "(unsigned int)",
    "(unsigned long)",
    "(unsigned char)",
    "(unsigned short)",
    "(int)",
    "(long)",
    "(short)",
];

/// The name of a function or class as one would write it: without the types of numbers among template arguments, and
/// with `lambda` for those of lambdas.
fn as_written(name: &str) -> String {
    let mut name = name.to_owned();
    for number in NUMBERS {
        for before in ["<", ", "] {
            name = name.replace(&format!("{before}{number}"), before);
        }
    }
    let mut from = 0;
    while let Some(at) = name[from..].find(LAMBDA).map(|it| from + it) {
        // The beginning of the argument that it is in, if it is one.
        let (mut arguments, mut depth) = (Vec::new(), 0_u32);
        for (index, letter) in name[..at].char_indices() {
            match letter {
                '<' | '(' => arguments.push(index + 1),
                '>' | ')' => drop(arguments.pop()),
                ',' => arguments
                    .last_mut()
                    .into_iter()
                    .for_each(|it| *it = index + 2),
                _ => {}
            }
        }
        let end = name[at..].char_indices().find_map(|(index, letter)| {
            depth += u32::from(letter == '{');
            depth -= u32::from(letter == '}');
            (letter == '}' && depth == 0).then_some(at + index + 1)
        });
        match (arguments.last(), end) {
            (Some(&begin), Some(end)) => name.replace_range(begin..end, "lambda"),
            _ => from = at + LAMBDA.len(),
        }
    }
    name
}

/// A function's name without its result and its parameters: `store<int, 8>` for `void store<int, 8>(int*)`.
fn short_name(name: &str) -> String {
    let name = as_written(name);
    // Of a lambda, the function around it.
    let (name, is_lambda) = match name.split_once(LAMBDA) {
        Some((around, _)) => (around, true),
        None => (name.as_str(), false),
    };
    let (mut depth, mut begin, mut end) = (0_u32, 0, name.len());
    let operator = name
        .find("operator")
        .map_or(usize::MAX - 1, |it| it + "operator".len());
    for (at, letter) in name.char_indices() {
        match letter {
            // `operator<`, `operator()`.
            '<' | '>' | '(' | ')' if at == operator || (at == operator + 1 && letter != '(') => {}
            '(' if depth == 0 => {
                end = at;
                break;
            }
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && at < operator => begin = at + 1,
            _ => {}
        }
    }
    let short = name[begin..end].trim();
    match is_lambda {
        true => format!("a lambda in {short}"),
        false => short.to_owned(),
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

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_of_functions() {
        for (name, expected) in [
            ("upd(int*, int)", "upd"),
            (
                "int red<int, k<int>(int*)::{lambda(int, int)#1}>(int*, int, k<int>(int*)::{lambda(int, int)#1})",
                "red<int, lambda>",
            ),
            (
                "k<int>(int*)::{lambda(int, f(int))#1}::operator()(int) const",
                "a lambda in k<int>",
            ),
            ("void store<int, 8>(int (*) [8], int)", "store<int, 8>"),
            ("T* N::at<T>(std::vector<int, f(int)>&)", "N::at<T>"),
            ("Add::operator()(int) const", "Add::operator()"),
            ("bool operator< <int>(A<int>, A<int>)", "operator< <int>"),
            (
                "k(int*)::{lambda(int)#1}::operator()(int) const",
                "a lambda in k",
            ),
            ("Queue<(unsigned int)64, int>::pop()", "Queue<64, int>::pop"),
            ("plain", "plain"),
        ] {
            assert_eq!(short_name(name), expected);
        }
    }
}
