//! Builds a program, runs it and compares.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hirace_sample::Sample;
use serde_json::Value;
use tempfile::TempDir;

/// A program and its expected results.
pub struct Program {
    /// `NAME.cu` in `examples/programs`, or a directory of that name with its files.
    pub name: &'static str,
    /// Arguments of the runs.
    pub arguments: &'static [&'static str],
    /// The text that it prints if its result is right.
    pub prints: &'static str,
    /// Whether fences or locks order its accesses, so that races may be reported as possible.
    pub possible: bool,
    /// The defect that it can be built with.
    pub defect: Option<Defect>,
}

/// A defect that a macro puts into a program.
pub struct Defect {
    /// The macro.
    pub name: &'static str,
    /// The two lines of each race, each by a piece of text that occurs in no other line.
    pub races: &'static [[&'static str; 2]],
}

/// Defaults that fit most programs.
pub const PLAIN: Program = Program {
    name: "",
    arguments: &[],
    prints: "",
    possible: false,
    defect: None,
};

/// A sample has one program of so many.
const SAMPLE: u64 = 14;

/// Seed and number of OS threads of each run. Without `HIRACE_SAMPLE`, only the first three are made.
const RUNS: [(u32, u32); 5] = [(0, 1), (1, 2), (2, 1), (3, 2), (4, 1)];

fn runs() -> &'static [(u32, u32)] {
    if Sample::current().is_everything() {
        &RUNS
    } else {
        &RUNS[..3]
    }
}

/// Configurations instead of a user's `hirace.toml`: check everything, or nothing.
const MONITORED: &str = "";
const UNMONITORED: &str = "[monitor]\nexclude-variables = [\"*\"]\n";

/// The test of a program.
pub fn run(program: &Program) {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let unmonitored = Build::new(program, UNMONITORED, &[]);
    let output = Command::new(&unmonitored.executable)
        .args(program.arguments)
        .output()
        .expect("the program starts");
    assert_right("unmonitored", program, &output);

    let monitored = Build::new(program, MONITORED, &[]);
    for &(seed, jobs) in runs() {
        let (output, report) = monitored.run(program, seed, jobs);
        let what = format!("seed {seed}, jobs {jobs}");
        assert_right(&what, program, &output);
        for race in races(&report) {
            let only_possible = race["certainty"] == "possible";
            assert!(only_possible && program.possible, "{what}: {race:#}");
        }
        assert!(
            report["summary"]["accesses"].as_u64() > Some(0),
            "{report:#}"
        );
    }

    let Some(defect) = &program.defect else {
        return;
    };
    let racy = Build::new(program, MONITORED, &[&format!("-D{}", defect.name)]);
    let expected: Vec<_> = defect
        .races
        .iter()
        .map(|pair| sorted(pair.map(|text| racy.place(text))))
        .collect();
    for &(seed, jobs) in runs() {
        let (output, report) = racy.run(program, seed, jobs);
        let what = format!("-D{}, seed {seed}, jobs {jobs}", defect.name);
        let mut found = 0;
        for race in races(&report) {
            if race["certainty"] != "definite" {
                continue;
            }
            let pair = sorted([0, 1].map(|index| place(&race["accesses"][index])));
            assert!(expected.contains(&pair), "{what}: {race:#}");
            found += 1;
        }
        assert!(found > 0, "{what}: no race; {}", text(&output));
    }
}

/// A built program, in a directory that is removed with it.
struct Build {
    directory: TempDir,
    executable: PathBuf,
    sources: Vec<PathBuf>,
}

impl Build {
    fn new(program: &Program, config: &str, arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        let executable = directory.path().join("program");
        let config_file = directory.path().join("hirace.toml");
        fs::write(&config_file, config).expect("file");
        let sources = sources(program.name);
        let output = hirace()
            .args(["nvcc", "-std=c++17", "-O1", "--extended-lambda", "-o"])
            .arg(&executable)
            .args(arguments)
            .args(sources.iter().filter(|file| has_extension(file, "cu")))
            .env("HIRACE_BACKEND", "cpu")
            .env("HIRACE_CONFIG", &config_file)
            .output()
            .expect("hirace starts");
        assert!(output.status.success(), "{}", text(&output));
        Self {
            directory,
            executable,
            sources,
        }
    }

    /// A checked run: the program's output, and the report.
    fn run(&self, program: &Program, seed: u32, jobs: u32) -> (Output, Value) {
        let report = self.directory.path().join("report.json");
        let output = hirace()
            .args(["run", "--format", "json", "--timeout", "120"])
            .args(["--seed", &seed.to_string(), "--jobs", &jobs.to_string()])
            .arg("--output")
            .arg(&report)
            .arg("--")
            .arg(&self.executable)
            .args(program.arguments)
            .output()
            .expect("hirace starts");
        let json = fs::read_to_string(&report)
            .unwrap_or_else(|error| panic!("no report: {error}\n{}", text(&output)));
        (output, serde_json::from_str(&json).expect("JSON"))
    }

    /// File name and line of the one line that contains `text`.
    #[track_caller]
    fn place(&self, text: &str) -> (String, u64) {
        let mut places = Vec::new();
        for path in &self.sources {
            let content = fs::read_to_string(path).expect("a source file");
            for (number, line) in (1..).zip(content.lines()) {
                if line.contains(text) {
                    places.push((file_name(path), number));
                }
            }
        }
        assert_eq!(places.len(), 1, "lines with `{text}`: {places:?}");
        places.remove(0)
    }
}

fn hirace() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hirace"))
}

/// The directory of the programs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/programs")
}

/// The files of a program.
fn sources(name: &str) -> Vec<PathBuf> {
    let file = folder().join(name).with_extension("cu");
    if file.is_file() {
        return vec![file];
    }
    let mut files: Vec<_> = fs::read_dir(folder().join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .map(|entry| entry.expect("a directory entry").path())
        .collect();
    files.sort();
    files
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension == wanted)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[track_caller]
fn assert_right(what: &str, program: &Program, output: &Output) {
    let passed = String::from_utf8_lossy(&output.stdout).contains(program.prints);
    assert!(
        output.status.success() && passed,
        "{what}: {}",
        text(output)
    );
}

fn text(output: &Output) -> String {
    format!(
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn races(report: &Value) -> &[Value] {
    report["races"].as_array().expect("the races of a report")
}

/// File name and line of an access.
fn place(access: &Value) -> (String, u64) {
    let file = access["file"].as_str().unwrap_or_default();
    (
        file_name(Path::new(file)),
        access["line"].as_u64().unwrap_or_default(),
    )
}

fn sorted<T: Ord>(mut pair: [T; 2]) -> [T; 2] {
    pair.sort();
    pair
}
