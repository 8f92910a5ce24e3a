//! Which racy UI programs `hirace fix` repairs, of those that a barrier, an atomic operation or a wider
//! scope can repair.
//!
//! What can repair a program is read from its repaired twin: the lines of its device code that only the
//! twin has. What `hirace fix` offers is in the file beside it, which `tests/fix.rs` compares.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, ensure};

use crate::document;
use crate::files;
use crate::ui::{self, Form, Program};
use crate::verdict::Verdict;

/// The page with the table, and its section.
const PAGE: &str = "docs/fix.md";
const SECTION: &str = "repairs";

/// The share that must be repaired, in percent.
const REQUIRED: usize = 85;

/// What a line of a repaired twin does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Barrier,
    Atomic,
    Scope,
    Other,
}

/// Names of a narrow scope, and of a wide one; longer names come before their parts.
const SCOPES: [(&str, &str); 6] = [
    ("__threadfence_block", "__threadfence"),
    ("_block(", "("),
    ("thread_scope_block", "thread_scope_device"),
    ("THREAD_SCOPE_BLOCK", "THREAD_SCOPE_DEVICE"),
    ("membar.cta", "membar.gl"),
    (".cta", ".gpu"),
];

/// The programs of a folder.
#[derive(Clone, Debug, Default)]
struct Row {
    repaired: usize,
    /// The names of the others.
    missed: Vec<String>,
}

/// Prints the table; also writes it to the page if `write` is set.
///
/// # Errors
/// A program cannot be read, the page cannot be written, or too few programs are repaired.
pub fn run(write: bool) -> Result<()> {
    let rows = rows()?;
    let table = table(&rows);
    println!("{table}");
    if write {
        document::write_section(PAGE, SECTION, &table)?;
    }
    let (repaired, all) = total(&rows);
    ensure!(
        repaired * 100 >= all * REQUIRED,
        "{repaired} of {all} programs are repaired, which is less than {REQUIRED} %"
    );
    Ok(())
}

fn rows() -> Result<BTreeMap<String, Row>> {
    let programs = ui::programs().map_err(anyhow::Error::msg)?;
    let mut rows = BTreeMap::<String, Row>::new();
    for program in programs {
        let text = files::read_text(&crate::root().join(&program.file))?;
        let is_racy = program.form == Form::Original && program.expected.verdict == Verdict::Race;
        if !is_racy || !is_repairable(&text) {
            continue;
        }
        let name = program.to_string();
        let folder = name.rsplit_once('/').map_or("", |it| it.0).to_owned();
        let row = rows.entry(folder).or_default();
        match is_repaired(&program) {
            true => row.repaired += 1,
            false => row.missed.push(program.stem()),
        }
    }
    Ok(rows)
}

/// Whether a repair of all races is offered.
fn is_repaired(program: &Program) -> bool {
    let offered = crate::root().join(program.file.with_extension("fix.diff"));
    let offered = std::fs::read_to_string(offered).unwrap_or_default();
    !offered.is_empty() && !offered.starts_with("partial")
}

/// Whether the device code of a twin differs only by barriers, atomic operations and scopes.
fn is_repairable(text: &str) -> bool {
    let host = text.find("\nint main(").map_or(text.len(), |at| at + 1);
    let device = text.get(..host).unwrap_or(text).lines().count();
    let [original, twin] = Form::ALL.map(|form| form.text_of(text));
    let lines = original.lines().zip(twin.lines()).take(device);
    let differing: Vec<_> = lines.filter(|(one, other)| one != other).collect();
    let code = |lines: Vec<&str>| -> Vec<String> {
        let lines = lines.into_iter().map(|it| it.split("//").next());
        let lines = lines.map(|it| it.unwrap_or_default().trim().to_owned());
        lines.filter(|it| !it.is_empty()).collect()
    };
    let removed = code(differing.iter().map(|it| it.0).collect());
    let added = code(differing.iter().map(|it| it.1).collect());
    let kinds: Vec<Kind> = added.iter().map(|line| kind(line, &removed)).collect();
    // Lines that barriers replace must be barriers; atomic operations and scopes replace others.
    let replaces = kinds.iter().any(|it| *it != Kind::Barrier);
    let replaced = removed.iter().all(|it| is_barrier(it));
    !kinds.is_empty() && !kinds.contains(&Kind::Other) && (replaces || replaced)
}

fn kind(line: &str, removed: &[String]) -> Kind {
    let widened = |it: &String| {
        let wide = SCOPES.iter().fold(it.clone(), |line, (narrow, wide)| {
            line.replace(narrow, wide)
        });
        wide == line && it != line
    };
    if is_barrier(line) {
        Kind::Barrier
    } else if is_atomic(line) && !removed.iter().any(|it| is_atomic(it)) {
        Kind::Atomic
    } else if removed.iter().any(widened) {
        Kind::Scope
    } else {
        Kind::Other
    }
}

/// A statement that is a barrier of a block, a warp or a group.
fn is_barrier(line: &str) -> bool {
    let Some((name, _)) = line.strip_suffix(");").and_then(|it| it.split_once('(')) else {
        return false;
    };
    matches!(name, "__syncthreads" | "__syncwarp") || name.ends_with(".sync")
}

fn is_atomic(line: &str) -> bool {
    const FUNCTIONS: [&str; 9] = [
        "atomicAdd(",
        "atomicSub(",
        "atomicMin(",
        "atomicMax(",
        "atomicAnd(",
        "atomicOr(",
        "atomicXor(",
        "atomicExch(",
        "atomicCAS(",
    ];
    FUNCTIONS.iter().any(|it| line.contains(it))
}

fn total(rows: &BTreeMap<String, Row>) -> (usize, usize) {
    let repaired = rows.values().map(|it| it.repaired).sum();
    let missed: usize = rows.values().map(|it| it.missed.len()).sum();
    (repaired, repaired + missed)
}

fn table(rows: &BTreeMap<String, Row>) -> String {
    let mut text =
        "| folder of `tests/ui` | programs | repaired | not repaired |\n|---|---|---|---|\n"
            .to_owned();
    for (folder, row) in rows {
        let all = row.repaired + row.missed.len();
        let missed = row.missed.iter().map(|it| format!("`{it}`"));
        let missed: Vec<_> = missed.collect();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| `{folder}` | {all} | {} | {} |",
            row.repaired,
            missed.join(", ")
        );
    }
    let (repaired, all) = total(rows);
    let _ = writeln!(
        text,
        "| **all** | **{all}** | **{repaired}** ({} %) | |",
        repaired * 100 / all.max(1)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_up_to_date_and_enough_is_repaired() {
        let rows = rows().unwrap();
        let page = files::read_text(&crate::root().join(PAGE)).unwrap();
        let help = "run `cargo xtask repairs --write`";
        assert!(page.contains(&table(&rows)), "{help}");
        let (repaired, all) = total(&rows);
        assert!(repaired * 100 >= all * REQUIRED, "{repaired} of {all}");
    }

    #[test]
    fn twins_tell_what_repairs_a_program() {
        let repairable = |original: &str, twin: &str| {
            is_repairable(&format!(
                "#ifdef REPAIRED\n{twin}\n#else\n{original}\n#endif\nint main() {{}}\n"
            ))
        };
        for (original, twin, expected) in [
            ("", "  __syncthreads(); // all", true),
            ("__syncwarp();", "grid.sync();", true),
            ("x += 1;", "atomicAdd(&x, 1);", true),
            ("atomicAdd_block(&x, 1);", "atomicAdd(&x, 1);", true),
            ("", "__threadfence();", false),
            ("x = 1;", "__syncthreads();", false),
            ("atomicAdd(&x, 1);", "atomicAdd(&y, 1);", false),
            ("", "", false),
        ] {
            assert_eq!(repairable(original, twin), expected, "{original} → {twin}");
        }
    }
}
