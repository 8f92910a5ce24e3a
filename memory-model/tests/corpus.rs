//! The corpus: each test with its expected verdict, and the reason for it. And the corpus itself:
//! without any part of the model, a verdict changes, or there is a reason why none can change.

#[path = "naive/generator.rs"]
mod generator;
#[path = "corpus/implied.rs"]
mod implied;
#[path = "corpus/mutants.rs"]
mod mutants;
#[path = "corpus/needed.rs"]
mod needed;
#[path = "naive/program.rs"]
#[expect(
    dead_code,
    reason = "only the naive judge drops instructions and runs programs"
)]
mod program;

use std::path::{Path, PathBuf};

use hirace_memory_model::cat::Model;
use hirace_memory_model::litmus::ast::Test;
use hirace_memory_model::{litmus, models, verdict};

/// A test of the corpus.
struct Entry {
    name: String,
    text: String,
    test: Test,
    expected: String,
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut open = vec![root];
    let mut files = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "litmus") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn corpus() -> Vec<Entry> {
    let read = |path: &PathBuf| {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).expect("a file");
        let test = litmus::parse(&name, &text).unwrap_or_else(|it| panic!("{name}: {it}"));
        assert_eq!(test.name, name, "the first line of {}", path.display());
        let mut comments = test.comments.iter();
        let expected = comments.next().and_then(|it| it.strip_prefix("expect: "));
        let expected = expected.unwrap_or_else(|| panic!("{name} has no `expect: …`"));
        assert!(comments.next().is_some(), "{name} has no reason");
        let expected = expected.to_owned();
        Entry {
            name,
            text,
            test,
            expected,
        }
    };
    files().iter().map(read).collect()
}

/// The verdict on a test under a model, in the words of the corpus.
fn verdict_of(entry: &Entry, model: &Model) -> String {
    let settings = verdict::Settings::default();
    match verdict::judge(&entry.test, &entry.name, &entry.text, model, &settings) {
        Ok(found) => {
            let mut words = vec![if found.holds { "holds" } else { "fails" }];
            words.extend(found.race.then_some("race"));
            words.extend(found.may_hang.then_some("may hang"));
            words.join(", ")
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn verdicts_are_as_argued() {
    let model = models::shipped("ptx").expect("the model");
    let corpus = corpus();
    let wrong: Vec<String> = corpus
        .iter()
        .filter_map(|entry| {
            let found = verdict_of(entry, &model);
            let expected = &entry.expected;
            (found != *expected)
                .then(|| format!("{}: expected `{expected}`, got `{found}`", entry.name))
        })
        .collect();
    let count = corpus.len();
    assert!(wrong.is_empty(), "of {count}:\n{}", wrong.join("\n"));
}
