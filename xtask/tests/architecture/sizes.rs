//! Files and functions that a reader can take in.
//!
//! A longer one needs its reason beside it: a comment `// Long: …` in the first lines of the file,
//! or above the function.

use crate::source::{Source, sources};

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 80;

const REASON: &str = "// Long: ";

fn all() -> impl Iterator<Item = Source> {
    let rust = [
        "src",
        "crates",
        "fsm/src",
        "graphs/src",
        "indigo-harness/src",
        "memory-model/src",
        "xtask/src",
    ];
    let rust = rust.into_iter().flat_map(|it| sources(it, &["rs", "js"]));
    let device = sources("device", &["h", "cuh", "cpp"]).into_iter();
    rust.chain(device)
        .filter(|source| !source.is_test() && !source.path.contains("/generated/"))
}

#[test]
fn files_have_one_job() {
    let mut long = Vec::new();
    for source in all() {
        let lines = match source.path.ends_with(".rs") {
            true => source.code().count(),
            false => source.text.lines().count(),
        };
        let reason = source
            .text
            .lines()
            .take(40)
            .any(|it| it.starts_with(REASON));
        if lines > FILE_LINES && !reason {
            long.push(format!("{}: {lines} lines", source.path));
        }
    }
    assert!(
        long.is_empty(),
        "over {FILE_LINES} lines:\n{}",
        long.join("\n")
    );
}

#[test]
fn functions_have_one_job() {
    let mut long = Vec::new();
    for source in all().filter(|source| source.path.ends_with(".rs")) {
        for (name, line, lines) in functions(&source) {
            if lines > FUNCTION_LINES {
                long.push(format!("{}:{line}: {name}: {lines} lines", source.path));
            }
        }
    }
    assert!(
        long.is_empty(),
        "over {FUNCTION_LINES} lines:\n{}",
        long.join("\n")
    );
}

/// Name, first line and length of each function without a reason. rustfmt puts the brace that ends
/// a function below its first word.
fn functions(source: &Source) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = source.code().collect();
    let all: Vec<&str> = source.text.lines().collect();
    let mut functions = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let above = all[..index].iter().rev().map(|it| it.trim_start());
        let reason = above
            .take_while(|it| it.starts_with("//") || it.starts_with("#["))
            .any(|it| it.starts_with(REASON));
        let length = lines[index..].iter().position(|it| *it == end);
        if let (Some(length), false) = (length, reason) {
            functions.push((name.to_owned(), index + 1, length + 1));
        }
    }
    functions
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_head = before
        .split_whitespace()
        .all(|it| matches!(it, "const" | "unsafe" | "extern" | "\"C\"") || it.starts_with("pub"));
    // A declaration without a body ends in a semicolon, a short body on the same line.
    let has_body = !line.ends_with(';') && !line.ends_with('}');
    let name = after.split(['(', '<']).next()?;
    (is_head && has_body).then_some(name)
}

#[test]
fn functions_are_measured() {
    let body = "    f();\n".repeat(80);
    let text = format!(
        "fn short() {{}}\npub(crate) fn long(\n    a: u8,\n) {{\n{body}}}\n\
         // Long: a table.\nfn table() {{\n{body}}}\n"
    );
    let path = "src/a.rs".to_owned();
    assert_eq!(
        functions(&Source { path, text }),
        [("long".to_owned(), 2, 84)]
    );
}
