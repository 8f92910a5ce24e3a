//! `hirace run`: programs that were built elsewhere.

use std::path::Path;
use std::process::Command;

use crate::harness::{Outcome, Sandbox, in_sample};

const HEADER: &str = "\
#pragma once
template <class T> __device__ void put(T* p, T v) { *p = v; }
";

/// Races in the header.
const FIRST: &str = "\
#include \"common.h\"
__global__ void all_write(int* out) { put(out, int(blockIdx.x)); }
void other(int* p);
int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, sizeof(int));
  all_write<<<argc > 1 ? 1 : 2, 1>>>(out);
  if (argc < 3) other(out);
  cudaDeviceSynchronize();
}
";

/// Has no race, and also uses the header.
const SECOND: &str = "\
#include \"common.h\"
#include <algorithm>
__global__ void one_writes(int* out, int* more) {
  __shared__ int s;
  if (threadIdx.x == 0) put(&s, 1);
  __syncthreads();
  if (threadIdx.x == 1) *out = s;
  if (more) std::fill_n(more, 1, 1);
}
void other(int* p) { one_writes<<<1, 64>>>(p, nullptr); }
";

/// Instruments and compiles each file separately, as a build system would, and links them.
fn build_separately(sandbox: &Sandbox) {
    for name in ["a", "b"] {
        let directory = format!("out-{name}");
        let file = format!("{name}.cu");
        sandbox
            .run(&["instrument", "--backend", "cpu", &file, "-o", &directory])
            .ends_with(0);
        let include = format!("{directory}/include");
        compile(
            sandbox,
            &include,
            &[
                "-c",
                "-o",
                &format!("{name}.o"),
                &format!("{directory}/{file}"),
            ],
        );
    }
    let linked = compiler(sandbox)
        .args(["-pthread", "a.o", "b.o", "-o", "program"])
        .status();
    assert!(linked.expect("a linker").success());
}

fn compiler(sandbox: &Sandbox) -> Command {
    let mut command = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    command.current_dir(sandbox.path("."));
    command
}

#[track_caller]
fn compile(sandbox: &Sandbox, include: &str, arguments: &[&str]) {
    let cuda = Path::new(include).join("hirace/toolkit");
    let output = compiler(sandbox)
        .args(["-std=c++17", "-pthread", "-I", include, "-I"])
        .arg(cuda)
        .args(["-x", "c++"])
        .args(arguments)
        .output()
        .expect("a C++ compiler");
    Outcome::of(output).ends_with(0);
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new()
        .file("common.h", HEADER)
        .file("a.cu", FIRST)
        .file("b.cu", SECOND);
    build_separately(&sandbox);
    sandbox
}

#[test]
fn files_that_were_instrumented_one_by_one() {
    let sandbox = sandbox();
    let racy = sandbox.run(&["run", "--", "./program"]);
    racy.ends_with(1)
        .says("[common.h:2:53]")
        .says("put(T* p, T v) { *p = v; }")
        .says("b.cu:8: `fill_n` is not part of the project")
        .says("hirace: 1 race (1 occurrence); 2 kernel launches");

    // Its repaired twin: one block.
    sandbox
        .run(&["run", "--", "./program", "one"])
        .ends_with(0)
        .says("no race found; 2 kernel launches");

    // Started by another program.
    sandbox
        .run(&["run", "--", "sh", "-c", "./program; exit 0"])
        .ends_with(1)
        .says("[common.h:2:53]");

    // From another directory, the files have other names.
    let sandbox = sandbox.file("sub/empty", "");
    let directory = sandbox.path("sub");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hirace"));
    command.args(["run", "--format", "json", "--", "../program"]);
    let outcome = Outcome::of(command.current_dir(&directory).output().expect("hirace"));
    let file = directory.with_file_name("common.h");
    assert!(
        outcome
            .ends_with(1)
            .stdout
            .contains(&format!("\"file\": \"{}\"", file.display()))
    );
    assert!(outcome.stdout.contains("\"backend\": \"cpu\""));
}

#[test]
fn a_file_that_changed_is_not_shown() {
    let sandbox = sandbox().file("common.h", "// other text\n");
    let outcome = sandbox.run(&["run", "--", "./program"]);
    outcome
        .ends_with(1)
        .says("data race on global `p` in kernel `all_write`")
        .says("`common.h` has changed since the program was built");
    assert!(!outcome.stderr.contains("other text"), "{}", outcome.stderr);
}

#[test]
fn programs_without_hirace() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["run", "--", "true"])
        .ends_with(2)
        .says("`true` was not built with hirace (it ended with status 0)");
    sandbox
        .run(&["run", "--", "./missing"])
        .ends_with(2)
        .says("cannot start `./missing`: no such file or directory")
        .is_silent_on("os error");
    sandbox
        .run(&["run", "--", "."])
        .ends_with(2)
        .says("`.` is a directory");
    let json = sandbox.run(&["run", "--format", "json", "--", "true"]);
    assert!(json.ends_with(2).stdout.contains("\"backend\": null"));
}

/// Like the instrumenter's output if the tables of two files overlapped.
const OVERLAP: &str = "\
#include <hirace/hirace.cuh>
namespace {
using hirace::SiteKind;
const hirace::Site first[] = {{\"*x\", \"x\", \"k\", 1, 1, 2, SiteKind::write}, {\"*y\", \"y\", \"k\", 2, 1, 2, SiteKind::write}};
const hirace::Site second[] = {{\"*z\", \"z\", \"k\", 7, 1, 2, SiteKind::write}, {\"*w\", \"w\", \"k\", 8, 1, 2, SiteKind::write}};
const bool registered = hirace::register_sites({10, 1, \"first.cu\", first, 2, \"{}\"}) &&
                        hirace::register_sites({11, 2, \"second.cu\", second, 2, \"{}\"});
}
int main(int argc, char**) {
  int* p;
  cudaMalloc(&p, 4);
  auto body = [p, argc] {
    if (argc > 1) hirace::write(12, *p) = 1;
    if (argc == 1) hirace::write(11, *p) = 1;
  };
  hirace::cpu::launch(hirace::LaunchInfo{\"k\", 0, registered, 3, 0u, 0xffffffffu}, dim3(2), dim3(1), 0, nullptr, body);
}
";

#[test]
fn a_number_that_two_files_have_is_not_guessed() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::new().file("overlap.cpp", OVERLAP);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("device");
    let include = include.to_str().expect("a path of UTF-8");
    compile(&sandbox, include, &["-o", "overlap", "overlap.cpp"]);
    sandbox
        .run(&["run", "--", "./overlap"])
        .ends_with(1)
        .says("is one of first.cu:2:1: *y and second.cu:7:1: *z");
    // Without the command.
    let alone = Command::new(sandbox.path("overlap"))
        .output()
        .expect("it starts");
    let alone = Outcome::of(alone);
    alone
        .ends_with(0)
        .says("second.cu:7:1: *z or first.cu:2:1: *y");
    // The next number is in only one table.
    let json = sandbox.run(&["run", "--format", "json", "--", "./overlap", "more"]);
    assert!(json.ends_with(1).stdout.contains("\"file\": \"second.cu\""));
    assert!(!json.stdout.contains("one_of"));
}
