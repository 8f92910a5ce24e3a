//! A small world, and tests of models on it.

mod errors;
mod fuzz;
mod language;
mod models;
mod random;
mod recursion;

use hirace_model::error::Error;

use super::*;
use crate::relation::{EventSet, Relation};

const BASES: [Base; 9] = [
    Base::set("W"),
    Base::set("R"),
    Base::set("F"),
    Base::relation("po"),
    Base::chosen("rf"),
    Base::chosen("co"),
    Base::chosen("fr"),
    Base::relation("loc"),
    Base::relation("ext"),
];

/// The sets and relations of [`BASES`].
#[derive(Clone, Debug)]
struct Sample {
    events: usize,
    sets: Vec<EventSet>,
    relations: Vec<Relation>,
}

impl World for Sample {
    fn events(&self) -> usize {
        self.events
    }

    fn set(&self, index: usize) -> EventSet {
        self.sets[index]
    }

    fn relation(&self, index: usize) -> &Relation {
        &self.relations[index - 3]
    }
}

/// Whether two events, each with its thread, are related.
type Related<'a> = &'a dyn Fn((usize, &str), (usize, &str)) -> bool;

/// A candidate execution: its threads are lists of events such as `Wx` and `Rx`, numbered in order
/// of their threads. `rf` and `co` relate them; `fr`, `loc` and `ext` follow.
fn execution(threads: &[&[&str]], rf: &[(usize, usize)], co: &[(usize, usize)]) -> Sample {
    let all: Vec<(usize, &str)> = (threads.iter().enumerate())
        .flat_map(|(thread, events)| events.iter().map(move |event| (thread, *event)))
        .collect();
    let events = all.len();
    let set = |letter: &str| -> EventSet {
        let events = (0..events).filter(|&e| all[e].1.starts_with(letter));
        events.collect()
    };
    let pairs = |related: Related| {
        let pairs = (0..events).flat_map(|a| (0..events).map(move |b| (a, b)));
        let pairs = pairs.filter(|&(a, b)| related(all[a], all[b]));
        Relation::from_pairs(events, pairs)
    };
    let loc = pairs(&|(_, a), (_, b)| !a[1..].is_empty() && a[1..] == b[1..]);
    let ext = pairs(&|(a, _), (b, _)| a != b);
    let in_order = (0..events).flat_map(|a| (a + 1..events).map(move |b| (a, b)));
    let po = Relation::from_pairs(events, in_order).difference(&ext);
    let rf = Relation::from_pairs(events, rf.iter().copied());
    let co = Relation::from_pairs(events, co.iter().copied());
    // Reads without a write in `rf` read the initial value.
    let (reads, writes) = (set("R"), set("W"));
    let mut initial = Relation::default();
    initial.assign_product(events, reads - rf.range(), writes);
    initial.intersect_with(&loc);
    let mut fr = rf.inverse().compose(&co);
    fr.union_with(&initial);
    Sample {
        events,
        sets: ["W", "R", "F"].map(set).into(),
        relations: vec![po, rf, co, fr, loc, ext],
    }
}

/// Both threads write one location and then read the other one.
fn store_buffering() -> Sample {
    execution(&[&["Wx", "Ry"], &["Wy", "Rx"]], &[], &[])
}

/// Message passing: the flag is seen, the message is not.
fn message_passing() -> Sample {
    execution(&[&["Wx", "Wy"], &["Ry", "Rx"]], &[(1, 2)], &[])
}

fn parse(text: &str) -> Result<Model, Error> {
    Model::parse("model.cat", text, &BASES, &included)
}

/// The files that tests include.
fn included(name: &str) -> Option<String> {
    let text = match name {
        "com.cat" => "\"the communication relations\"\nlet com = rf | co | fr",
        "bad.cat" => "let com = rf | cq",
        "loop.cat" => "include \"pool.cat\"",
        "pool.cat" => "include \"loop.cat\"",
        "twice.cat" => "include \"com.cat\" include \"com.cat\"",
        _ => return None,
    };
    Some(text.into())
}

#[track_caller]
fn model(text: &str) -> Model {
    match parse(text) {
        Ok(model) => model,
        Err(error) => panic!("{error}: {error:?}"),
    }
}

/// The pairs of `expression` in message passing.
#[track_caller]
fn pairs(expression: &str) -> Vec<(usize, usize)> {
    match value(expression, &message_passing()) {
        Value::Relation(relation) => relation.pairs().collect(),
        Value::Set(_) => panic!("{expression} is a set"),
    }
}

/// The events of `expression` in message passing.
#[track_caller]
fn events(expression: &str) -> Vec<usize> {
    match value(expression, &message_passing()) {
        Value::Set(set) => set.iter().collect(),
        Value::Relation(_) => panic!("{expression} is a relation"),
    }
}

#[track_caller]
fn value(expression: &str, world: &Sample) -> Value {
    let model = model(&format!("show {expression} as value"));
    let mut shown = model.shown(world);
    assert_eq!(shown.len(), 1);
    shown.remove(0).value
}

/// The message and the marked text of the error in `text`, and the name of its file.
#[track_caller]
fn mistake(text: &str) -> (String, String, String) {
    match parse(text) {
        Ok(_) => panic!("no error in {text:?}"),
        Err(Error::Syntax(mistake)) => {
            let start = mistake.span.offset();
            let source = mistake.source_code.inner();
            let marked = source[start..start + mistake.span.len()].to_owned();
            let message = match mistake.help {
                Some(help) => format!("{}; {help}", mistake.message),
                None => mistake.message,
            };
            (message, marked, mistake.source_code.name().to_owned())
        }
        Err(error) => panic!("{error:?}"),
    }
}
