//! `hirace instrument`: copies are complete, and no user's file is overwritten.

use crate::harness::{CLEAN, Outcome, RACY, Sandbox, in_sample};

/// All files except hirace's headers.
fn copies(sandbox: &Sandbox) -> Vec<String> {
    let mut files = sandbox.files();
    files.retain(|file| !file.contains("/include/hirace/"));
    files
}

#[test]
fn file_with_its_headers() {
    let sandbox = Sandbox::new()
        .file(
            "p/a.cu",
            format!("#include \"k.cuh\"\n#include \"plain.h\"\n{RACY}"),
        )
        .file(
            "p/k.cuh",
            "__device__ inline void put(int* p) { *p = 1; }\n",
        )
        .file("p/plain.h", "#pragma once\nstruct Plain { int x; };\n");
    let outcome = sandbox.run(&["instrument", "p/a.cu", "-o", "out"]);
    outcome.ends_with(0).says("nvcc");
    assert_eq!(
        copies(&sandbox),
        [
            "out/.hirace-output",
            "out/a.cu",
            "out/k.cuh",
            "out/plain.h",
            "p/a.cu",
            "p/k.cuh",
            "p/plain.h"
        ]
    );
    assert!(sandbox.path("out/include/hirace/hirace.cuh").is_file());
    assert!(
        sandbox
            .read("out/a.cu")
            .starts_with("#include <hirace/hirace.cuh>\n")
    );
    assert!(sandbox.read("out/k.cuh").contains("::hirace::write("));
    // A file without device code is copied byte by byte.
    assert_eq!(sandbox.read("out/plain.h"), sandbox.read("p/plain.h"));
}

/// The command that is printed, with the user's options, builds the copy.
#[test]
fn build_command_keeps_options() {
    let kernel = format!("#ifndef N\n#error N\n#endif\n#include \"k.cuh\"\n{RACY}");
    let sandbox = Sandbox::new()
        .file("a.cu", kernel)
        .file("b.cpp", "int b() { return 0; }\n")
        .file("inc/cfg.h", "#define M 1\n")
        .file(
            "inc/k.cuh",
            "__device__ inline void put(int* p) { *p = M; }\n",
        );
    let options = ["-Iinc", "-include", "cfg.h", "-DN=64", "-std=c++20", "-O0"];
    let mut arguments = vec!["instrument", "--backend", "cpu", "a.cu", "b.cpp"];
    arguments.extend(options);
    let outcome = sandbox.run(&arguments);
    outcome
        .ends_with(0)
        .says("-DN=64")
        .says("-I hirace-out/inc ");
    let mut lines = outcome.stderr.lines();
    let command = lines.find_map(|it| it.strip_prefix("build it with: "));
    let command = command.expect("a command");
    let built = std::process::Command::new("sh")
        .current_dir(sandbox.path("."))
        .args(["-c", command])
        .output()
        .expect("a shell");
    Outcome::of(built).ends_with(0);
}

#[test]
fn tree() {
    let sandbox = Sandbox::new()
        .file("p/src/a.cu", RACY)
        .file("p/src/host.cpp", "int f() { return 1; }\n")
        .file("p/CMakeLists.txt", "project(p)\n")
        .file("p/notes.txt", "not needed\n")
        .file("p/.git/x.cu", RACY)
        .file("p/build/CMakeCache.txt", "")
        .file("p/build/gen.cu", RACY);
    sandbox.run(&["instrument", "p"]).ends_with(0);
    let copied: Vec<_> = copies(&sandbox)
        .into_iter()
        .filter(|file| file.starts_with("hirace-out/"))
        .collect();
    assert_eq!(
        copied,
        [
            "hirace-out/.hirace-output",
            "hirace-out/CMakeLists.txt",
            "hirace-out/src/a.cu",
            "hirace-out/src/host.cpp"
        ]
    );
}

#[test]
fn directory_without_a_kernel() {
    let sandbox = Sandbox::new()
        .file("p/src/host.cpp", "int f() { return 1; }\n")
        .file("p/src/host.h", "int f();\n");
    let outcome = sandbox.run(&["instrument", "p", "-o", "out"]);
    outcome.ends_with(0);
    assert_eq!(
        outcome.stderr,
        "hirace: no kernel in 2 files, and nothing else to instrument: copied unchanged to out\n"
    );
    assert_eq!(sandbox.read("out/src/host.cpp"), "int f() { return 1; }\n");
    sandbox
        .run(&["instrument", "p/src/host.cpp", "-o", "other"])
        .ends_with(2);
}

#[test]
fn current_directory_twice() {
    let sandbox = Sandbox::with(RACY);
    sandbox.run(&["instrument", "."]).ends_with(0);
    let first = copies(&sandbox);
    sandbox.run(&["instrument", "."]).ends_with(0);
    assert_eq!(copies(&sandbox), first);
}

#[test]
fn other_files_in_the_output_directory() {
    let sandbox = Sandbox::with(RACY).file("out/precious", "data");
    let arguments = ["instrument", "a.cu", "-o", "out"];
    sandbox
        .run(&arguments)
        .ends_with(2)
        .says("`out` already holds other files");
    assert_eq!(sandbox.files(), ["a.cu", "out/precious"]);
    sandbox
        .run(&["instrument", "a.cu", "-o", "out", "--force"])
        .ends_with(0);
    assert!(!sandbox.path("out/precious").exists());
}

#[test]
fn sources_in_the_output_directory() {
    let sandbox = Sandbox::with(RACY);
    sandbox
        .run(&["instrument", "a.cu", "-o", ".", "--force"])
        .ends_with(2)
        .says("contains the input file `a.cu`");
    assert_eq!(sandbox.files(), ["a.cu"]);
    assert_eq!(sandbox.read("a.cu"), RACY);
}

#[test]
fn nothing_is_left_of_a_failure() {
    let sandbox = Sandbox::with("int main() {}\n");
    sandbox
        .run(&["instrument", "a.cu"])
        .ends_with(2)
        .says("no kernel in `a.cu`");
    assert_eq!(sandbox.files(), ["a.cu"]);
}

#[test]
fn an_earlier_output_survives_a_failure() {
    let sandbox = Sandbox::with(CLEAN);
    sandbox.run(&["instrument", "a.cu"]).ends_with(0);
    let before = sandbox.read("hirace-out/a.cu");
    let sandbox = sandbox.file("a.cu", "int main() {}\n");
    sandbox.run(&["instrument", "a.cu"]).ends_with(2);
    assert_eq!(sandbox.read("hirace-out/a.cu"), before);
}

#[test]
fn the_cpu_copy_builds_and_reports_by_itself() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::with(RACY);
    sandbox
        .run(&["instrument", "a.cu", "--backend", "cpu"])
        .ends_with(0);
    let built = std::process::Command::new("c++")
        .current_dir(sandbox.path("hirace-out"))
        .args(["-x", "c++", "-std=c++17", "-pthread", "-I", "include"])
        .args(["-I", "include/hirace/toolkit", "a.cu", "-o", "a"])
        .status()
        .expect("c++ starts");
    assert!(built.success());
    let output = std::process::Command::new(sandbox.path("hirace-out/a"))
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("a.cu:2"), "{stderr}");
}

#[test]
fn sources_by_any_name_that_others_include() {
    let sandbox = Sandbox::new()
        .file(
            "p/src/a.cu",
            "#include <lib/tools.hu>\n__global__ void k(int* a) { put(a); }\n",
        )
        .file(
            "p/include/lib/tools.hu",
            "__device__ inline void put(int* a) { *a = 1; }\n",
        )
        .file("p/include/lib/notes.hu", "not a source\n");
    sandbox.run(&["instrument", "p", "-o", "out"]).ends_with(0);
    assert!(
        sandbox
            .read("out/include/lib/tools.hu")
            .contains("::hirace::write(")
    );
    assert!(!sandbox.path("out/include/lib/notes.hu").exists());
}

/// The blocks are printed, and nothing is written.
#[test]
fn basic_blocks() {
    let kernel = "__global__ void k(int* a) { __shared__ int s[32]; s[a[0]] = 1; __syncthreads(); a[1] = s[2]; }\n";
    let sandbox = Sandbox::with(kernel).file("host.cu", "int main() {}\n");
    let outcome = sandbox.run(&["instrument", "--show", "ir", "a.cu"]);
    outcome
        .ends_with(0)
        .prints("a.cu\n\nk\n  b0:\n")
        .prints("block barrier `__syncthreads()`")
        .prints("read `s[2]`, shared `s`, stable");
    assert_eq!(sandbox.files(), ["a.cu", "host.cu"]);
    sandbox
        .run(&["instrument", "--show", "ir", "host.cu"])
        .ends_with(2)
        .says("no function runs on the device");
}
