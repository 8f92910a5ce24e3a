//! A directory of labelled programs of all fates.

use std::fs;
use std::path::Path;

use hirace_indigo::store::Verdict;

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
fn each_fate_has_its_verdict() {
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
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("`store_broken` could not be compiled"),
        "{said}"
    );
    assert!(said.contains("nothing_of_that_name"), "{said}");
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
