//! No optimisation of the GPU backend changes a verdict: the same programs, racy ones and their
//! repaired twins, run with all optimisations and with none.
//!
//! All programs are one translation unit, each in a namespace, so the headers are compiled once
//! for each way to build them.

use hirace_sample::Sample;

use crate::SAMPLE;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use xtask::ui::{self, Form, Program};

use super::many::{self, Source};
use super::root;

/// Racy UI programs with a repaired twin that use only what the emulated toolkit has.
const PROGRAMS: [&str; 26] = [
    "array_of_structs",
    "atomic_block_scope",
    "atomic_max_flags",
    "bitonic_sort",
    "blelloch_scan",
    "byte_flags",
    "byte_shared",
    "double_sums",
    "early_exit",
    "floyd_warshall",
    "grid_2d_column_sums",
    "hillis_steele_scan",
    "lu_step",
    "odd_block_size",
    "pointer_jumping",
    "shared_3d",
    "shared_histogram",
    "spmv",
    "stencil_1d_shared",
    "stencil_2d_shared",
    "struct_of_arrays",
    "syncthreads_count",
    "tiled_matmul",
    "tree_reduction",
    "warp_shuffle_reduction",
    "wavefront_lcs",
];

/// A combination of optimisations.
struct Variant {
    name: &'static str,
    /// The variant whose executable it runs.
    program: &'static str,
    instrument: &'static [&'static str],
    macros: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

/// Room for the static shared memory of all programs in every block, and for its words next to it.
const MUCH_SHARED_MEMORY: &str = "-DMADE_UP_MULTIPROCESSOR_SHARED=0x800000";

/// The first skips nothing and has all words in global memory.
const VARIANTS: [Variant; 4] = [
    Variant {
        name: "plain",
        program: "plain",
        instrument: &["--check-all"],
        macros: &["-DHIRACE_MERGE_LANES=0", "-DHIRACE_SHORTCUT=0"],
        environment: &[("HIRACE_SHADOW", "full"), ("HIRACE_SHARED_WORDS", "slots")],
    },
    Variant {
        name: "usual",
        program: "usual",
        instrument: &[],
        macros: &[],
        environment: &[],
    },
    Variant {
        name: "small_words",
        program: "small_words",
        instrument: &[],
        macros: &["-DHIRACE_WORD_BYTES=4"],
        environment: &[],
    },
    Variant {
        name: "cached",
        program: "usual",
        instrument: &[],
        macros: &[],
        environment: &[("HIRACE_SHADOW", "cached")],
    },
];

#[test]
fn no_switch_changes_a_verdict() {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path();
    fs::write(path.join("all.cu"), all_programs()).expect("a file");
    for variant in VARIANTS.iter().filter(|it| it.program == it.name) {
        build(path, variant);
    }
    let mut skipped = 0;
    for (program, form) in programs().map(|it| (it.to_string(), it.form)) {
        let outcomes = VARIANTS
            .each_ref()
            .map(|variant| run(path, variant, &program));
        let [plain, others @ ..] = &outcomes;
        assert_eq!(plain.races.is_empty(), form == Form::Repaired, "{program}");
        for (outcome, variant) in others.iter().zip(&VARIANTS[1..]) {
            assert_eq!(outcome.races, plain.races, "{program}, {}", variant.name);
        }
        skipped += usize::from(others[0].accesses < plain.accesses);
    }
    // The comparison is not vacuous: checks were skipped.
    assert!(skipped > PROGRAMS.len(), "{skipped}");
}

/// Both forms of all programs.
fn programs() -> impl Iterator<Item = Program> {
    let mut programs = ui::programs().unwrap_or_else(|why| panic!("{why}"));
    programs.retain(|it| PROGRAMS.contains(&it.stem().as_str()));
    assert_eq!(programs.len(), 2 * PROGRAMS.len());
    programs.into_iter()
}

fn all_programs() -> String {
    let sources = programs().map(|program| {
        let text = fs::read_to_string(root().join(&program.file)).expect("a program");
        Source {
            key: program.to_string(),
            text: program.form.text_of(&text),
        }
    });
    many::unit(sources, "return program();")
}

fn build(directory: &Path, variant: &Variant) {
    let macros = [&[MUCH_SHARED_MEMORY], variant.macros].concat();
    many::build(directory, variant.name, variant.instrument, &macros);
}

struct Outcome {
    /// Code, and the lines of both accesses.
    races: BTreeSet<String>,
    accesses: u64,
}

fn run(directory: &Path, variant: &Variant, program: &str) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_hirace"))
        .args(["run", "--format", "json", "--"])
        .args([&format!("./{}", variant.program), program])
        .envs(variant.environment.iter().copied())
        .current_dir(directory)
        .output()
        .expect("hirace starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{program}, {}: {error}: {stderr}", variant.name));
    assert_eq!(report["failure"], Value::Null, "{program}: {report}");
    let races = report["races"].as_array().expect("a list");
    Outcome {
        races: races.iter().map(race).collect(),
        accesses: report["summary"]["accesses"].as_u64().expect("a number"),
    }
}

/// A race without its occurrences and threads.
fn race(race: &Value) -> String {
    let accesses = race["accesses"].as_array().expect("a list").iter();
    let places: Vec<String> = accesses
        .map(|it| format!("{} {}", it["line"], it["access"]))
        .collect();
    format!("{} {}", race["code"], places.join(", "))
}
