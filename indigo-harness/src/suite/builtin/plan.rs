//! The list of programs.
//!
//! Every pattern, granularity and bug has the same [`ROWS`] of options. Any two options occur
//! together, alone and not at all, and each of them with each type, in the smallest possible number
//! of programs (Bose and Bush, "Orthogonal Arrays of Strength Two and Three", 1952).

use std::iter;

/// A program by its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// One of [`PATTERNS`].
    pub pattern: &'static str,
    /// `thread`, `warp` or `block`.
    pub granularity: &'static str,
    row: Row,
    data_type: &'static str,
    /// Its bug, if any.
    pub bug: Option<&'static str>,
}

/// Whether each of [`OPTIONS`] is chosen.
type Row = [bool; 4];

const OPTIONS: [&str; 4] = ["persistent", "reverse", "cond", "break"];

/// Two rows for each type of a pattern.
const ROWS: [[Row; 2]; 4] = [
    [[false; 4], [true; 4]],
    [[true, true, false, false], [false, false, true, true]],
    [[true, false, true, false], [false, true, false, true]],
    [[true, false, false, true], [false, true, true, false]],
];

struct Pattern {
    name: &'static str,
    types: [&'static str; 4],
    /// Bugs that single threads can have.
    bugs: &'static [&'static str],
    /// Bugs that need several threads per vertex.
    shared: &'static [&'static str],
    /// Those among the bugs that also need several vertices per thread.
    repeated: &'static [&'static str],
}

const PATTERNS: [Pattern; 6] = [
    Pattern {
        name: "conditional_edge",
        types: ["int", "float", "double", "long"],
        // An extra edge would be marked as another vertex' own: a race.
        bugs: &["atomicBug", "guardBug", "raceBug"],
        shared: &["atomicBug2", "syncBug", "syncBug2"],
        repeated: &[],
    },
    Pattern {
        name: "conditional_vertex",
        types: ["int", "float", "double", "long"],
        bugs: &["atomicBug", "guardBug", "raceBug", "boundsBug"],
        shared: &["syncBug"],
        repeated: &["syncBug2"],
    },
    Pattern {
        name: "path_compression",
        types: ["int", "unsigned", "long", "int"],
        bugs: &["atomicBug", "guardBug", "raceBug", "boundsBug"],
        shared: &["syncBug"],
        repeated: &["syncBug2"],
    },
    Pattern {
        name: "pull",
        types: ["int", "float", "char", "long"],
        bugs: &["raceBug", "boundsBug"],
        shared: &["guardBug", "syncBug"],
        repeated: &["syncBug2"],
    },
    Pattern {
        name: "push",
        types: ["int", "float", "double", "long"],
        bugs: &["atomicBug", "guardBug", "raceBug", "boundsBug"],
        shared: &["syncBug"],
        repeated: &["syncBug2"],
    },
    Pattern {
        name: "worklist",
        types: ["int", "float", "char", "double"],
        bugs: &["atomicBug", "guardBug", "raceBug", "boundsBug"],
        shared: &["syncBug"],
        repeated: &["syncBug2"],
    },
];

/// All programs.
#[must_use]
pub fn variants() -> Vec<Variant> {
    let mut variants = Vec::new();
    for pattern in &PATTERNS {
        for granularity in ["thread", "warp", "block"] {
            for (data_type, rows) in pattern.types.into_iter().zip(ROWS) {
                for row in rows {
                    let [persistent, ..] = row;
                    let shared = granularity != "thread";
                    let lists = [
                        (true, pattern.bugs),
                        (shared, pattern.shared),
                        (shared && persistent, pattern.repeated),
                    ];
                    let bugs = lists
                        .into_iter()
                        .filter(|(there, _)| *there)
                        .flat_map(|(_, bugs)| bugs);
                    variants.extend(iter::once(None).chain(bugs.copied().map(Some)).map(|bug| {
                        Variant {
                            pattern: pattern.name,
                            granularity,
                            row,
                            data_type,
                            bug,
                        }
                    }));
                }
            }
        }
    }
    variants
}

impl Variant {
    /// Its options in the order of names, the type last.
    pub fn options(&self) -> impl Iterator<Item = &'static str> {
        let chosen = OPTIONS
            .into_iter()
            .zip(self.row)
            .filter(|(_, there)| *there);
        let data_type = Some(self.data_type).filter(|it| *it != "int");
        chosen.map(|(option, _)| option).chain(data_type)
    }

    /// All words that describe it.
    pub fn tags(&self) -> impl Iterator<Item = &'static str> {
        [self.pattern, self.granularity]
            .into_iter()
            .chain(self.options())
            .chain(self.bug)
    }
}
