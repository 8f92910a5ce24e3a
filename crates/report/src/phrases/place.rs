//! Where a finding was seen, in words: the memory, and the launch.

use super::{count, triple};
use crate::model::{
    CallSite, Element, Launch, LaunchCall, Position, Process, Race, Relation, Sighting, Space,
};

/// The element and the launch of the accesses shown, as far as they are known.
pub(super) fn of_race(race: &Race) -> Option<String> {
    let element = race.element.as_ref();
    // The excerpts name it. Once another file is named, a line alone would be taken for one there.
    let home = home(race).filter(|home| {
        let origins = race.accesses.iter().filter_map(|it| it.origin.as_ref());
        let launches = origins.filter_map(|it| it.launch.as_ref());
        let launches = launches.chain(race.launch.as_ref().and_then(|it| it.call.as_ref()));
        let files = launches.filter_map(|it| it.file.as_deref());
        let mut files = files.chain(element.and_then(|it| it.file.as_deref()));
        files.all(|it| it == *home)
    });
    let element = element.map(|it| self::element(it, race.space, home));
    let launches = match race.relation {
        Relation::Launch | Relation::Host => of_both(race, home),
        Relation::Warp | Relation::Block | Relation::Grid => {
            race.launch.as_ref().map(|it| launch(it, home))
        }
    };
    let parts: Vec<String> = element.into_iter().chain(launches).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The launches of the two accesses.
fn of_both(race: &Race, home: Option<&str>) -> Option<String> {
    let launches = race.accesses.iter().filter_map(|access| {
        let origin = access.origin.as_ref()?;
        let shape = origin.shape.map(|it| shape(it.grid, it.block));
        Some((call(origin.launch.as_ref()?, home), shape))
    });
    let launches: Vec<(String, Option<String>)> = launches.collect();
    if let [(first, Some(shape)), (second, Some(other))] = &launches[..]
        && shape == other
    {
        return Some(format!("in {first} and {second}, both with {shape}"));
    }
    let launches = launches.into_iter().map(|(call, shape)| match shape {
        Some(shape) => format!("{call}, {shape}"),
        None => call,
    });
    let launches: Vec<String> = launches.collect();
    (!launches.is_empty()).then(|| format!("in {}", launches.join(", and ")))
}

/// The calls that lead to the accesses, if they are in other functions than the kernel.
pub(super) fn calls_of_race(race: &Race) -> Option<String> {
    let home = home(race);
    let [first, second] = race.accesses.each_ref().map(|it| calls(&it.position, home));
    match (first, second) {
        (Some(first), Some(second)) if first == second => Some(format!("both are in {first}")),
        (Some(first), Some(second)) => Some(format!("(1) is in {first}; (2) is in {second}")),
        (Some(first), None) => Some(format!("(1) is in {first}")),
        (None, second) => second.map(|it| format!("(2) is in {it}")),
    }
}

/// A function and the calls that lead to it: `` `get`, called on line 20 of `transpose` ``.
pub(crate) fn calls(place: &Position, home: Option<&str>) -> Option<String> {
    let function = place.instance.as_ref();
    let function =
        function.or_else(|| place.function.as_ref().filter(|_| !place.calls.is_empty()))?;
    let call = |it: &CallSite| {
        let verb = if it.is_use { "used" } else { "called" };
        format!("{verb} {}", one_of_calls(it, home))
    };
    let calls: Vec<String> = place.calls.iter().map(call).collect();
    let comma = if calls.is_empty() { "" } else { ", " };
    Some(format!("`{function}`{comma}{}", calls.join(", which is ")))
}

/// Where a call is, or each that it may be: `on line 20 of `transpose``.
fn one_of_calls(call: &CallSite, home: Option<&str>) -> String {
    /// So many calls are named.
    const NAMED: usize = 4;
    let place = |file: &str, line: u32| match home == Some(file) {
        true => format!("on line {line}"),
        false => format!("at {file}:{line}"),
    };
    let others = call.alternatives.iter();
    let is_one_caller = others.clone().all(|it| it.function == call.function);
    let in_function = |function: &str, file: &str| match home == Some(file) {
        true => format!(" of `{function}`"),
        false => format!(" in `{function}`"),
    };
    let first = place(&call.file, call.line);
    if call.alternatives.len() >= NAMED {
        let more = count(call.alternatives.len() as u64, "other place");
        return format!("{first} or at {more}");
    }
    let named = |function: &str, file: &str| match is_one_caller {
        true => String::new(),
        false => in_function(function, file),
    };
    let mut places = vec![first + &named(&call.function, &call.file)];
    places.extend(others.map(|it| {
        let same_file = is_one_caller && it.file == call.file;
        match same_file && home == Some(it.file.as_str()) {
            true => it.line.to_string(),
            false => place(&it.file, it.line) + &named(&it.function, &it.file),
        }
    }));
    let last = places.pop().unwrap_or_default();
    let all = match places.is_empty() {
        true => last,
        false => format!("{} or {last}", places.join(", ")),
    };
    match is_one_caller {
        true => all + &in_function(&call.function, &call.file),
        false => all,
    }
}

/// Where else a race was seen: other memory, and other instances of the kernel.
pub(super) fn elsewhere(race: &Race) -> Vec<String> {
    /// So many are named.
    const NAMED: usize = 3;
    let home = home(race);
    let shown = race.sighting();
    let also = |it: &Sighting| {
        let instance = it.instance.iter().filter(|_| it.instance != shown.instance);
        let instance = instance.map(|it| format!("in `{it}`"));
        let is_other = it.parameter != shown.parameter;
        let parameter = it.parameter.iter().filter(|_| is_other);
        let parameter = parameter.map(|it| format!("in `{it}`"));
        let memory = it.memory.iter().filter(|_| it.memory != shown.memory);
        let memory = memory.map(|memory| {
            let place = at(Some(&memory.file), Some(memory.line), home);
            let memory = format!("allocated {}", place.unwrap_or_default());
            match is_other && it.parameter.is_some() {
                true => memory,
                false => format!("in the memory {memory}"),
            }
        });
        let launch = it.launch.iter().filter(|_| it.launch != shown.launch);
        let launch = launch.map(|it| format!("in {}", call(it, home)));
        let mut second = race.accesses[1].position.clone();
        second.calls.clone_from(&it.calls);
        let is_other = !it.calls.is_empty() && it.calls != shown.calls;
        let path = calls(&second, home).filter(|_| is_other);
        let path = path.map(|it| format!("with (2) in {it}"));
        let parts = instance
            .chain(parameter)
            .chain(memory)
            .chain(launch)
            .chain(path);
        let parts: Vec<String> = parts.collect();
        format!("also {}", parts.join(", "))
    };
    let all = &race.elsewhere;
    let named = if all.len() <= NAMED + 1 {
        all.len()
    } else {
        NAMED
    };
    let mut lines: Vec<String> = all.iter().take(named).map(also).collect();
    if all.len() > named {
        let more = count((all.len() - named) as u64, "other place");
        lines.push(format!("also in {more}"));
    }
    lines
}

/// A process among several, and the test that started it.
pub(super) fn process(process: &Process) -> String {
    let command = match process.command.is_empty() {
        true => "a process".to_owned(),
        false => format!("the process `{}`", process.command),
    };
    let place = match &process.test {
        Some(test) if process.command.is_empty() => format!("in the test `{test}`"),
        Some(test) => format!("in {command}, which the test `{test}` started"),
        None => format!("in {command}"),
    };
    /// So many other processes are named.
    const NAMED: usize = 3;
    let others: Vec<String> = process.others.iter().map(|it| format!("`{it}`")).collect();
    match others.len() {
        0 => place,
        some if some <= NAMED => format!("{place}; also in {}", others.join(", ")),
        some => {
            let named = others[..NAMED].join(", ");
            let rest = count((some - NAMED) as u64, "other");
            format!("{place}; also in {named} and {rest}")
        }
    }
}

/// The file that lines without a file are in: that of both accesses.
fn home(race: &Race) -> Option<&str> {
    let [first, second] = race
        .accesses
        .each_ref()
        .map(|it| it.position.file.as_deref());
    first.filter(|_| first == second)
}

/// A launch and its shape, beside an excerpt from the file `home`.
pub(super) fn launch(launch: &Launch, home: Option<&str>) -> String {
    let shape = shape(launch.grid, launch.block);
    match &launch.call {
        Some(it) => format!("in {}, {shape}", call(it, home)),
        None => format!("in a launch with {shape}"),
    }
}

fn shape(grid: [u32; 3], block: [u32; 3]) -> String {
    let [grid, block] = [grid, block].map(triple);
    format!("grid {grid}, blocks of {block}")
}

fn call(call: &LaunchCall, home: Option<&str>) -> String {
    let number = format!("launch {}", call.number);
    match at(call.file.as_deref(), call.line, home) {
        Some(place) => format!("{number} {place}"),
        None => number,
    }
}

/// `at a.cu:16`, or `at line 16` in the file `home`.
fn at(file: Option<&str>, line: Option<u32>, home: Option<&str>) -> Option<String> {
    let (file, line) = (file?, line?);
    Some(match home {
        Some(home) if home == file => format!("at line {line}"),
        _ => format!("at {file}:{line}"),
    })
}

fn element(it: &Element, space: Space, home: Option<&str>) -> String {
    if let Some(text) = &it.text {
        let size = it.element_bytes.unwrap_or(it.bytes).max(1);
        return match it.offset % size {
            0 => format!("at `{text}`"),
            within => format!("at byte {within} of `{text}`"),
        };
    }
    let memory = match (space, at(it.file.as_deref(), it.line, home), &it.variable) {
        (Space::Shared, _, Some(name)) => format!("`{name}`"),
        (Space::Shared, _, None) => "dynamic shared memory".to_owned(),
        (Space::Global, Some(place), _) => format!("the memory allocated {place}"),
        (Space::Global, None, _) => format!("an allocation of {}", count(it.bytes, "byte")),
    };
    match it.element_bytes {
        Some(size) => format!(
            "at element {} of {memory} ({} each)",
            it.offset / size,
            count(size, "byte")
        ),
        None => format!("at byte {} of {memory}", it.offset),
    }
}
