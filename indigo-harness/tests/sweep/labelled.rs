//! A directory of labelled programs with every kind of outcome.

use std::fs;
use std::path::Path;
use std::process::Command;

use hirace_indigo::store::{Store, Verdict};
use hirace_indigo::suite::Label;

use crate::harness::{cache, query, succeed, sweep, verdicts};

/// A program around a kernel; `main` is its host code, with `data` in managed memory.
fn program(kernel: &str, main: &str) -> String {
    format!(
        "#include <cstdio>\n#include <cstdlib>\n\
         __global__ void kernel(int* data) {{\n{kernel}\n}}\n\
         int main(int count, char** arguments) {{\n\
         int* data;\ncudaMallocManaged(&data, 4096);\n{main}\n\
         kernel<<<atoi(arguments[3]), atoi(arguments[2])>>>(data);\n\
         cudaDeviceSynchronize();\n\
         puts(*data == 0 ? \"result matches\" : \"result differs\");\n}}\n"
    )
}

fn write(folder: &Path) {
    let store = "data[0] = threadIdx.x;";
    let own = "data[threadIdx.x + blockIdx.x * blockDim.x] = 0;";
    for (name, text) in [
        ("store_raceBug", program(store, "")),
        ("store", program(own, "")),
        (
            "store_away_boundsBug",
            program("data[5000 + threadIdx.x] = 0;", ""),
        ),
        (
            "store_broken",
            program("data[0] = nothing_of_that_name;", ""),
        ),
        (
            "store_late",
            program(own, "for (volatile int i = 0;; i = i + 1) {}"),
        ),
        (
            "store_wary",
            program(own, "if (atoi(arguments[2]) > 32) return 3;"),
        ),
        ("store_dead", program(own, "abort();")),
    ] {
        fs::write(folder.join(format!("{name}.cu")), text).unwrap();
    }
}

#[test]
fn each_outcome_has_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let database = folder.path().join("sweep.sqlite");
    let output = succeed(
        sweep(&database)
            .arg("--suite")
            .arg(folder.path())
            .arg("--cache")
            .arg(cache())
            .args(["--graph", "star:5", "--shape", "64x2", "--timeout", "2"]),
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("`store_broken` could not be compiled"),
        "{stderr}"
    );
    assert!(stderr.contains("nothing_of_that_name"), "{stderr}");
    for (name, checked, unchecked) in [
        ("store_raceBug", Verdict::Race, Verdict::Differ),
        ("store", Verdict::Clean, Verdict::Match),
        ("store_away_boundsBug", Verdict::Fault, Verdict::Fault),
        ("store_broken", Verdict::NotBuilt, Verdict::NotBuilt),
        ("store_late", Verdict::Timeout, Verdict::Timeout),
        ("store_wary", Verdict::Unfit, Verdict::Unfit),
        ("store_dead", Verdict::Crash, Verdict::Crash),
    ] {
        let got = verdicts(&database, name, "hirace-cpu");
        assert_eq!(got, [checked].into(), "{name}, checked");
        let got = verdicts(&database, name, "baseline");
        assert_eq!(got, [unchecked].into(), "{name}, unchecked");
    }
    let failed = "SELECT count(*) FROM build WHERE outcome = 'failed' AND message LIKE '%error%'";
    assert_eq!(query(&database, failed), [2.0]);
}

/// A program or its label is corrected between two sweeps into one database: the results are those
/// of the current program.
#[test]
fn changed_programs_replace_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    fs::create_dir(&suite).unwrap();
    let database = folder.path().join("sweep.sqlite");
    let manifest = |label: &str| {
        let text = format!(
            "name = \"ours\"\nargs = [\"none\", \"{{threads}}\", \"{{blocks}}\"]\n\
             [[program]]\nfiles = \"store.cu\"\nlabel = \"{label}\"\n"
        );
        fs::write(suite.join("suite.toml"), text).unwrap();
    };
    let run = || {
        let mut command = sweep(&database);
        command
            .arg("--suite")
            .arg(&suite)
            .arg("--cache")
            .arg(cache());
        command.args([
            "--tool",
            "hirace-cpu",
            "--shape",
            "64x2",
            "--graph",
            "star:5",
        ]);
        let output = succeed(&mut command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("--graph has no effect"), "{stderr}");
        Store::open_to_read(&database).unwrap().results().unwrap()
    };
    manifest("clean");
    let write = |kernel: &str| fs::write(suite.join("store.cu"), program(kernel, "")).unwrap();
    write("data[0] = threadIdx.x;");
    let racy = run();
    assert_eq!(racy.runs[0].verdict, Verdict::Race);
    let command = repeated(&database);
    assert!(command.contains("--exact store --shape 64x2"), "{command}");
    manifest("racy");
    assert_eq!(run().programs[0].label, Label::Racy);
    manifest("clean");
    write("data[threadIdx.x + blockIdx.x * blockDim.x] = 0;");
    let repaired = run();
    let verdicts: Vec<Verdict> = repaired.runs.iter().map(|run| run.verdict).collect();
    assert_eq!(
        (repaired.programs.len(), &verdicts[..]),
        (1, &[Verdict::Clean][..])
    );
}

/// The report, which has the command that repeats a wrong verdict.
fn repeated(database: &Path) -> String {
    let mut report = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    let output = succeed(report.arg("report").arg(database));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
