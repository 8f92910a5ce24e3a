//! Each part of the model is needed: without it, the verdict of a test changes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hirace_memory_model::cat::{Axiom, Model};
use hirace_memory_model::{litmus, models, verdict};
use hirace_sample::Sample;

use crate::implied::IMPLIED;
use crate::mutants::{Mutant, mutants, statements};
use crate::{Entry, corpus, generator, verdict_of};

/// Parts that become others: statement, part, and what takes its place.
const REPLACED: &[(&str, &str, &str)] = &[
    (
        "strong",
        "let strong = (M \\ WEAK)",
        "let strong = (A \\ WEAK)",
    ),
    ("co", "orders(ms, po)", "orders(loc, po)"),
    ("co", "orders(ms, po)", "orders(ms)"),
    ("overlap-completely", "= (vloc &", "= (loc &"),
    ("same-address", "= vloc &", "= loc &"),
    ("sc-per-location", "po-loc & vloc", "po & vloc"),
    ("race", "ordered^-1", "cause"),
];

/// Random programs that must not notice that an implied part is missing: in a sample, and in all.
const PROGRAMS: [u64; 2] = [300, 3_000];

/// The largest number of candidate executions of such a program.
const MAX_CANDIDATES: u64 = 2_000;

/// The mutants of the model that ships.
fn all_mutants(text: &str) -> Vec<Mutant> {
    let statements = statements(text);
    let mut all: Vec<Mutant> = statements.iter().flat_map(|it| mutants(text, it)).collect();
    for (statement, part, other) in REPLACED {
        assert!(text.contains(part), "the model has no `{part}`");
        all.push(Mutant {
            statement: (*statement).to_owned(),
            part: format!("{part} -> {other}"),
            text: text.replace(part, other),
        });
    }
    all
}

fn parse(mutant: &Mutant) -> Model {
    let model = models::parse("mutant.cat", &mutant.text, None);
    model.unwrap_or_else(|it| panic!("`{}` without `{}`: {it}", mutant.statement, mutant.part))
}

fn reason(mutant: &Mutant) -> Option<&'static str> {
    let (statement, part) = (mutant.statement.as_str(), mutant.part.as_str());
    let mut all = IMPLIED.iter();
    let found = all.find(|it| it.0 == statement && it.1.contains(&part));
    found.map(|it| it.2)
}

/// Calls `check` for each item on all processors; the messages, sorted.
fn in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(check(item));
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = workers.into_iter().map(|it| it.join().expect("a worker"));
        found.flatten().collect()
    });
    found.sort();
    found
}

/// The corpus, fast tests first: most mutants are noticed early.
fn by_time(model: &Model) -> Vec<Entry> {
    let timed = corpus().into_iter().map(|entry| {
        let start = Instant::now();
        verdict_of(&entry, model);
        (start.elapsed(), entry)
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by_key(|it| it.0);
    timed.into_iter().map(|it| it.1).collect()
}

/// The first test whose verdict the model changes.
fn noticed<'a>(corpus: &'a [Entry], model: &Model) -> Option<&'a Entry> {
    corpus
        .iter()
        .find(|entry| verdict_of(entry, model) != entry.expected)
}

#[test]
fn each_part_of_the_model_decides_a_test_or_is_implied() {
    let text = models::text("ptx").expect("the model");
    let corpus = by_time(&models::shipped("ptx").expect("the model"));
    let needed: Vec<Mutant> = all_mutants(text)
        .into_iter()
        .filter(|it| reason(it).is_none())
        .collect();
    let unnoticed = in_parallel(&needed, |mutant| {
        let found = noticed(&corpus, &parse(mutant));
        let name = format!("`{}` without `{}`", mutant.statement, mutant.part);
        found.is_none().then_some(name)
    });
    let count = unnoticed.len();
    let list = unnoticed.join("\n");
    assert!(
        count == 0,
        "no test notices {count} of {}:\n{list}",
        needed.len()
    );
    println!("{} parts are needed", needed.len());
}

#[test]
fn each_statement_of_the_model_has_a_mutant() {
    let text = models::text("ptx").expect("the model");
    let model = models::shipped("ptx").expect("the model");
    let statements = statements(text);
    let lets = statements.iter().filter(|it| !it.is_axiom).count();
    assert_eq!(
        lets,
        text.lines().filter(|it| it.starts_with("let ")).count()
    );
    let axioms: Vec<&str> = statements
        .iter()
        .filter(|it| it.is_axiom)
        .map(|it| it.name.as_str())
        .collect();
    let expected: Vec<&str> = model.axioms().iter().map(Axiom::title).collect();
    assert_eq!(axioms, expected);
    let mutants = all_mutants(text);
    let covered: BTreeSet<&str> = mutants.iter().map(|it| it.statement.as_str()).collect();
    for statement in &statements {
        let name = &statement.name;
        assert!(covered.contains(name.as_str()), "`{name}` has no mutant");
    }
    for (statement, parts, _) in IMPLIED {
        for part in *parts {
            let same = |it: &&Mutant| it.statement == *statement && it.part == *part;
            let found = mutants.iter().any(|it| same(&it));
            assert!(found, "`{statement}` has no part `{part}`");
        }
    }
}

/// A random program with its verdict.
fn random(seed: u64, model: &Model) -> Option<Entry> {
    let text = generator::generate(seed).text();
    let test = litmus::parse("random", &text).unwrap_or_else(|it| panic!("seed {seed}: {it}"));
    let mut entry = Entry {
        name: format!("seed {seed}"),
        text,
        test,
        expected: String::new(),
    };
    let settings = verdict::Settings {
        limit: MAX_CANDIDATES,
        ..verdict::Settings::default()
    };
    verdict::judge(&entry.test, "random", &entry.text, model, &settings).ok()?;
    entry.expected = verdict_of(&entry, model);
    Some(entry)
}

#[test]
fn nothing_notices_that_an_implied_part_is_missing() {
    let text = models::text("ptx").expect("the model");
    let model = models::shipped("ptx").expect("the model");
    let mut entries = corpus();
    let [few, many] = PROGRAMS;
    let seeds = Sample::current().seeds(few, many);
    entries.extend(seeds.filter_map(|seed| random(seed, &model)));
    let implied: Vec<Mutant> = all_mutants(text)
        .into_iter()
        .filter(|it| reason(it).is_some())
        .collect();
    let wrong = in_parallel(&implied, |mutant| {
        let entry = noticed(&entries, &parse(mutant))?;
        let (statement, part) = (&mutant.statement, &mutant.part);
        let (name, text) = (&entry.name, &entry.text);
        Some(format!("`{statement}` without `{part}`: {name}\n{text}"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!(
        "{} parts are implied, by {} tests",
        implied.len(),
        entries.len()
    );
}
