//! The customary names of tests: MP, SB, IRIW and so on, and what is in the threads.
//!
//! The shapes are named as diy names them (see also Alglave, Maranget, Tautschnig, "Herding Cats",
//! TOPLAS 2014). A shape without a name is called by the first and last access of each thread.

use super::cycle::{Access, Cycle};

/// Shapes of several locations: the first and last access of each thread, and the name.
const SHAPES: [(&str, &str); 26] = [
    ("WW+RR", "MP"),
    ("WR+WR", "SB"),
    ("RW+RW", "LB"),
    ("WW+WR", "R"),
    ("WW+RW", "S"),
    ("WW+WW", "2+2W"),
    ("W+RW+RR", "WRC"),
    ("W+RR+WR", "RWC"),
    ("W+RW+RW", "WWC"),
    ("W+RR+WW", "WRR+2W"),
    ("W+RW+WR", "WRW+WR"),
    ("W+RW+WW", "WRW+2W"),
    ("WW+RW+RR", "ISA2"),
    ("WW+RR+WR", "W+RWC"),
    ("WR+WR+WR", "3.SB"),
    ("RW+RW+RW", "3.LB"),
    ("WW+WW+WW", "3.2W"),
    ("WW+RW+WR", "Z6.0"),
    ("WW+WW+RW", "Z6.1"),
    ("WW+RW+RW", "Z6.2"),
    ("WW+WW+RR", "Z6.3"),
    ("WW+WR+WR", "Z6.4"),
    ("WW+WW+WR", "Z6.5"),
    ("W+RR+W+RR", "IRIW"),
    ("W+RR+W+RW", "IRRWIW"),
    ("W+RW+W+RW", "IRWIW"),
];

/// Shapes of one location.
const COHERENCE: [(&str, &str); 6] = [
    ("WW", "CoWW"),
    ("RW", "CoRW1"),
    ("WR", "CoWR0"),
    ("W+RR", "CoRR"),
    ("W+RW", "CoRW2"),
    ("W+WR", "CoWR"),
];

/// Rotates the cycle to the thread that its name starts with, and returns the name.
pub(super) fn name(cycle: &mut Cycle) -> String {
    let starts = (0..cycle.len()).filter(|at| cycle.before(*at).external);
    let starts: Vec<_> = starts.collect();
    let named = |start: &usize| {
        let mut turned = cycle.clone();
        turned.rotate(*start);
        let name = of(&turned);
        (name, turned)
    };
    let all = starts.iter().map(named);
    // A customary name first, then the first in order: the same test has the same name always.
    let best = all.min_by(|((known_a, name_a), _), ((known_b, name_b), _)| {
        (!known_a, name_a).cmp(&(!known_b, name_b))
    });
    match best {
        Some(((_, name), turned)) => {
            *cycle = turned;
            name
        }
        None => of(cycle).1,
    }
}

/// The name of the cycle from this thread on, and whether its shape is a customary one.
fn of(cycle: &Cycle) -> (bool, String) {
    let threads = threads(cycle);
    let shapes: Vec<String> = threads.iter().map(|events| shape(cycle, events)).collect();
    let shape = shapes.join("+");
    let one_location = cycle.edges.iter().all(|it| it.same_location);
    let table = if one_location {
        &COHERENCE[..]
    } else {
        &SHAPES[..]
    };
    let known = table.iter().find(|(it, _)| *it == shape);
    let mut name = known.map_or(shape.as_str(), |it| it.1).to_owned();

    let first = cycle.accesses[0];
    let uniform = cycle.accesses.iter().all(|it| *it == first);
    let annotated = |access: &Access| !uniform && *access != Access::PLAIN;
    let alone = |events: &Vec<usize>| events.len() == 1;
    let mark_alone = threads
        .iter()
        .any(|it| alone(it) && annotated(&cycle.accesses[it[0]]));
    let mut labels: Vec<String> = Vec::new();
    for events in &threads {
        if alone(events) {
            if mark_alone {
                labels.push(cycle.accesses[events[0]].to_string());
            }
            continue;
        }
        let mut parts = Vec::new();
        for (index, at) in events.iter().enumerate() {
            if annotated(&cycle.accesses[*at]) {
                parts.push(cycle.accesses[*at].to_string());
            }
            if index + 1 < events.len() {
                parts.push(cycle.edges[*at].label());
            }
        }
        labels.push(parts.join("-"));
    }
    // `CoRR` says already that one location is meant.
    let obvious = one_location && known.is_some() && labels == ["po-loc"];
    if !obvious {
        if labels.len() > 1 && labels.iter().all(|it| *it == labels[0]) {
            name += &format!("+{}s", labels[0]);
        } else {
            for label in &labels {
                name += &format!("+{label}");
            }
        }
    }
    if uniform && first != Access::PLAIN {
        name += &format!(".{first}");
    }
    (known.is_some(), name)
}

/// The events of each thread, in program order.
pub(super) fn threads(cycle: &Cycle) -> Vec<Vec<usize>> {
    let mut threads = vec![Vec::new()];
    for (at, edge) in cycle.edges.iter().enumerate() {
        threads.last_mut().expect("one").push(at);
        if edge.external {
            threads.push(Vec::new());
        }
    }
    if threads.last().is_some_and(Vec::is_empty) {
        threads.pop();
    }
    threads
}

/// The first and the last access of a thread.
fn shape(cycle: &Cycle, events: &[usize]) -> String {
    let letter = |at: usize| cycle.edges[at].from.letter();
    let (first, last) = (events[0], events[events.len() - 1]);
    match events.len() {
        1 => letter(first).to_string(),
        _ => format!("{}{}", letter(first), letter(last)),
    }
}
