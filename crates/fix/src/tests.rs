//! The candidates for races in all sorts of texts, before any is tested.

use std::ops::Range;

use expect_test::{Expect, expect};
use similar::TextDiff;

use super::candidates;
use super::edit::EditSet;
use super::syntax::{Sources, Syntax};
use hirace_instrument::rewrite::{Facts, Source};
use hirace_report::{
    Access, AccessKind, Actor, Certainty, Failure, Position, Race, Relation, Report, Role, Space,
};
use hirace_syntax::Defines;

mod atomics;
mod barriers;
mod synchronisation;

/// All candidates for a race of the places in `«»`, the first of which is the earlier access, and the
/// last the later one. Of four places, the other two are the write and the read of a flag.
#[track_caller]
fn check(code: &'static str, relation: Relation, marked: &str, expected: &Expect) {
    let (text, places) = unmarked(marked);
    let [prior, current] = [places[0].clone(), places[places.len() - 1].clone()];
    let defines = Defines::new();
    let file = Source {
        path: "a.cu",
        text: &text,
    };
    let facts = Facts::collect(&[file], &defines);
    let sources = Sources(vec![Syntax::of("a.cu", &text, &defines, &facts)]);
    let mut race = race(code, relation, &sources.0[0], [prior, current]);
    if let [_, written, read, _] = places.as_slice() {
        let flag = [written, read].map(|range| Position {
            file: Some("a.cu".to_owned()),
            range: range.clone(),
            ..Position::default()
        });
        race.flag = Some(flag);
    }
    let mut report = Report::failed(None, 0, Failure::default());
    report.races.push(race);
    let mut listed = String::new();
    for candidate in candidates::of_report(&report, &sources) {
        let none = EditSet::default();
        let edits = none.with(0, &none, &candidate.edits).expect("sound edits");
        let edited = edits.apply("a.cu", &text);
        let diff = TextDiff::from_lines(&text, &edited);
        listed += &format!("# {}\n", candidate.what);
        for hunk in diff.unified_diff().context_radius(0).iter_hunks() {
            listed.extend(hunk.to_string().split_inclusive('\n').skip(1));
        }
    }
    expected.assert_eq(&listed.replace('\r', "␍").replace('\t', "→"));
}

/// A text without its marks `«»`, and the places in them.
pub(super) fn unmarked(marked: &str) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for (index, piece) in marked.split(['«', '»']).enumerate() {
        if index % 2 == 1 {
            places.push(text.len()..text.len() + piece.len());
        }
        text += piece;
    }
    (text, places)
}

pub(super) fn race(
    code: &'static str,
    relation: Relation,
    syntax: &Syntax<'_>,
    [prior, current]: [Range<usize>; 2],
) -> Race {
    let access = |role, range: Range<usize>| {
        let function = syntax
            .at(&range)
            .enclosing_function()
            .and_then(|it| syntax.name(it));
        Access {
            role,
            access: AccessKind::Write,
            position: Position {
                file: Some(syntax.file.to_owned()),
                text: syntax.text.get(range.clone()).map(str::to_owned),
                function: function.map(str::to_owned),
                range,
                ..Position::default()
            },
            block: None,
            thread: None,
            size: None,
            begin: None,
            origin: None,
            actor: Actor::Thread,
            of_atomic_object: false,
        }
    };
    Race {
        fingerprint: String::new(),
        code: code.into(),
        title: "".into(),
        kernel: "k".to_owned(),
        space: Space::Shared,
        variable: "s".to_owned(),
        relation,
        certainty: Certainty::Definite,
        occurrences: 1,
        locations: None,
        blocks: None,
        spread: None,
        seeds: vec![0],
        accesses: [access(Role::Prior, prior), access(Role::Current, current)],
        element: None,
        launch: None,
        process: None,
        elsewhere: Vec::new(),
        transition: None,
        flag: None,
        reason: String::new(),
        help: String::new(),
    }
}

/// Atomics for the statements in a kernel's body.
#[track_caller]
fn check_atomic(body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* p, int v) {{\n{body}\n}}\n");
    check("HR006", Relation::Grid, &text, expected);
}

/// Barriers in a kernel's body.
#[track_caller]
fn check_barrier(body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* s, int t, int n) {{\n{body}\n}}\n");
    check("HR001", Relation::Block, &text, expected);
}

/// Candidates for synchronisation in a kernel's body.
#[track_caller]
fn check_synchronisation(code: &'static str, body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* p, volatile int* flag) {{\n{body}\n}}\n");
    check(code, Relation::Grid, &text, expected);
}
