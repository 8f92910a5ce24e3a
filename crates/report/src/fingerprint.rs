//! Fingerprints identify the same finding in another run, on another machine, or after its lines
//! have moved.
//!
//! A fingerprint is a hash of the code, the kernel, and for each place the file, the function
//! and the expression as written. Line numbers, threads and the order in time are not part of it.
//! Findings that agree in all of that are numbered in the order of their positions.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::model::{Access, Fault, Position, Race, Report};
use hirace_model::table::digest;

impl Report {
    /// Sets the directory that relative file names start from; fingerprints do not depend on its
    /// path.
    #[must_use]
    pub fn checked_in(mut self, directory: Option<&Path>) -> Self {
        self.working_directory = directory.map(|it| it.display().to_string());
        self.identify();
        self
    }

    /// Computes the fingerprint of every finding.
    pub(super) fn identify(&mut self) {
        let directory = self.working_directory.as_deref().map(Path::new);
        // Hidden findings keep theirs.
        let hidden = self.suppressed.iter();
        let hidden: HashSet<_> = hidden.map(|it| it.fingerprint.as_str()).collect();
        let mut counts = HashMap::new();
        let mut number = |hash: u64| {
            let count = counts.entry(hash).or_insert(0_u32);
            loop {
                *count += 1;
                let fingerprint = format!("{hash:016x}:{count}");
                if !hidden.contains(fingerprint.as_str()) {
                    break fingerprint;
                }
            }
        };
        for race in &mut self.races {
            race.fingerprint = number(of_race(race, directory));
        }
        for fault in &mut self.faults {
            fault.fingerprint = number(of_fault(fault, directory));
        }
    }
}

fn of_race(race: &Race, directory: Option<&Path>) -> u64 {
    let mut places = race.accesses.each_ref().map(|it| access(it, directory));
    // Which of the two comes first may change from run to run.
    places.sort();
    let [first, second] = places;
    hash(&[&race.code, &race.kernel, &first, &second])
}

fn access(access: &Access, directory: Option<&Path>) -> String {
    match access.position.file {
        Some(_) => place(&access.position, directory),
        None => format!("{:?}", access.access),
    }
}

fn of_fault(fault: &Fault, directory: Option<&Path>) -> u64 {
    let place = |position: &Position| place(position, directory);
    let other = fault.other.as_ref().map(place).unwrap_or_default();
    let kernel = fault.kernel.as_deref().unwrap_or_default();
    hash(&[&fault.code, kernel, &place(&fault.position), &other])
}

fn place(position: &Position, directory: Option<&Path>) -> String {
    let file = position.file.as_deref().unwrap_or_default();
    let text = position.text.as_deref().unwrap_or_default();
    let function = position.function.as_deref().unwrap_or_default();
    let words: Vec<_> = text.split_whitespace().collect();
    [relative(file, directory), function, &words.join(" ")].join("\n")
}

/// A file relative to `directory`.
pub(super) fn relative<'a>(file: &'a str, directory: Option<&Path>) -> &'a str {
    directory
        .and_then(|it| Path::new(file).strip_prefix(it).ok())
        .and_then(Path::to_str)
        .unwrap_or(file)
        .trim_start_matches("./")
}

fn hash(parts: &[&str]) -> u64 {
    digest(&parts.join("\0"))
}
