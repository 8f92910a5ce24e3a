//! How many compare-and-swaps the shortcut for unchanged words saves: counted on the emulated GPU,
//! where the numbers are the same on every machine, and recorded in a table of a document.

use hirace_sample::Sample;

use crate::SAMPLE;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::many::{self, Source};
use super::root;

/// Programs of `bench` with their arguments.
const PROGRAMS: [(&str, &str); 9] = [
    ("block_sum", "64"),
    ("matrix_product", "64"),
    ("grid_sum", "65536"),
    ("histogram", "65536"),
    ("stencil", "128"),
    ("stream_triad", "16384"),
    ("sparse_product", "rmat:12:65536"),
    ("graph_push", "rmat:12:65536"),
    ("graph_pull", "rmat:12:65536"),
];

/// A name, with the options for instrumenting and the macros for compiling.
type Build = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const NO_SHORTCUT: &[&str] = &["-DHIRACE_SHORTCUT=0"];
const BUILDS: [Build; 4] = [
    ("off", &[], NO_SHORTCUT),
    ("on", &[], &[]),
    ("all_off", &["--check-all"], NO_SHORTCUT),
    ("all_on", &["--check-all"], &[]),
];

const DOCUMENT: &str = "docs/benchmarks.md";
const BEGIN: &str = "<!-- swaps: begin -->\n";
const END: &str = "<!-- swaps: end -->";

#[test]
fn the_shortcut_saves_compare_and_swaps() {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path();
    let sources = PROGRAMS.map(|(name, _)| Source {
        key: name.to_owned(),
        text: fs::read_to_string(root().join(format!("bench/{name}.cu"))).expect("a program"),
    });
    let call = "const int status = program(argc, argv); \
                std::printf(\"replacements: %zu\\n\", made_up::machine().replacements); return status;";
    fs::write(path.join("all.cu"), many::unit(sources.into_iter(), call)).expect("a file");
    for header in ["timing.h", "graph.h"] {
        fs::copy(root().join("bench").join(header), path.join(header)).expect("a header");
    }
    for (name, options, macros) in BUILDS {
        many::build(
            path,
            name,
            options,
            &[&["-DBENCH_LAUNCHES=1"], macros].concat(),
        );
    }

    let mut table = String::from(
        "| kernel | argument | compare-and-swaps, off → on | saved | every access checked, off → on | saved |\n|---|---|---|---|---|---|\n",
    );
    for (name, argument) in PROGRAMS {
        let [off, on, all_off, all_on] = BUILDS.map(|(build, ..)| run(path, build, name, argument));
        let _ = write!(table, "| `{name}` | {argument} |");
        for (off, on) in [(off, on), (all_off, all_on)] {
            assert_eq!(off.accesses, on.accesses, "{name}");
            assert!(on.swaps <= off.swaps, "{name}");
            let saved = 100.0 * (1.0 - on.swaps as f64 / off.swaps as f64);
            let _ = write!(table, " {} → {} | {saved:.1} % |", off.swaps, on.swaps);
        }
        table += "\n";
    }
    check_document(&table);
}

struct Outcome {
    accesses: u64,
    swaps: u64,
}

fn run(directory: &Path, build: &str, name: &str, argument: &str) -> Outcome {
    let file = directory.join("report.json");
    let output = Command::new(env!("CARGO_BIN_EXE_hirace"))
        .args(["run", "--format", "json", "--output"])
        .arg(&file)
        .args(["--", &format!("./{build}"), name, argument])
        .current_dir(directory)
        .output()
        .expect("hirace starts");
    assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
    let report = fs::read(&file).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("a report");
    let text = String::from_utf8_lossy(&output.stdout);
    let swaps = text
        .lines()
        .find_map(|line| line.strip_prefix("replacements: "));
    Outcome {
        accesses: report["summary"]["accesses"].as_u64().expect("a number"),
        swaps: swaps.and_then(|it| it.parse().ok()).expect("a number"),
    }
}

/// Fails if the document's table differs; `UPDATE_EXPECT=1` rewrites it.
fn check_document(table: &str) {
    let file = root().join(DOCUMENT);
    let text = fs::read_to_string(&file).expect("the document");
    let (before, rest) = text.split_once(BEGIN).expect("the beginning of the table");
    let (known, after) = rest.split_once(END).expect("the end of the table");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, format!("{before}{BEGIN}{table}{END}{after}")).expect("the document");
    } else {
        assert_eq!(known, table, "{DOCUMENT}; UPDATE_EXPECT=1 accepts it");
    }
}
