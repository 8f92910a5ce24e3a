//! The instrumenter, seen from outside: source in, instrumented source out.

mod ambiguous;
mod calls;
mod coverage;
mod declarations;
mod expressions;
mod files;
mod generated;
#[path = "../../fuzz/invariants.rs"]
mod invariants;
mod ir;
mod kernel_entry;
mod language;
mod launches;
mod libraries;
mod macros;
mod properties;
mod ptx;
mod regions;
mod shared;
mod stable_reads;
mod synchronisation;

use std::fmt::Write as _;

use expect_test::Expect;
use hirace::model::Backend;
use hirace::rewrite::Defines;
use hirace::rewrite::{
    DeviceLinkage, Facts, Instrumented, MonitorAll, Options, Skip, Source, instrument,
};
use hirace::table::Numbering;

/// Numbers that are easy to recognise.
const NUMBERING: Numbering = Numbering::Given {
    base: 0x0010_0000,
    key: 1,
};

/// Instruments one file on its own, without the statement at the beginning of kernels.
fn run(source: &str, backend: Backend, arguments: &[&str]) -> Instrumented {
    let skip = Skip {
        read_only_memory: false,
        ..Skip::default()
    };
    run_skipping(skip, source, backend, arguments)
}

/// Instruments one file on its own.
fn run_skipping(skip: Skip, source: &str, backend: Backend, arguments: &[&str]) -> Instrumented {
    let defines = Defines::from_arguments(arguments);
    let source = Source {
        path: "test.cu",
        text: source,
    };
    let facts = Facts::collect([&source], &defines);
    let options = Options {
        backend,
        numbering: NUMBERING,
        whole_program: true,
        linkage: DeviceLinkage::Unknown,
        location: None,
        selection: &MonitorAll,
        defines: &defines,
        skip,
        prelude: &[],
        describe: true,
    };
    instrument(&source, &facts, &options)
}

/// A text in which kernels are no coroutines; `regions` tests those.
fn without_regions(text: &str) -> String {
    let mut text = text
        .replace("HIRACE_REGION_BARRIER", "::hirace::syncthreads")
        .replace("HIRACE_REGION_RETURN", "return");
    for (begin, end) in [
        (" HIRACE_BEGIN_REGIONS(", ")"),
        (" HIRACE_END_REGIONS(", ") "),
    ] {
        while let Some(at) = text.find(begin) {
            let length = text[at..].find(end).expect("it is closed") + end.len();
            text.replace_range(at..at + length, "");
        }
    }
    text
}

/// The changed text with `R0(x)` for `::hirace::read(0x00100000u, x)` and so on, without the
/// statements that name the parameters of kernels, then the remarks.
fn show(result: &Instrumented) -> String {
    let text = result
        .text
        .split_once("\"test.cu\"\n")
        .map_or("", |(_, text)| text);
    let text = text.split("\n#ifndef HIRACE_SITES_1").next().unwrap_or("");
    let text = without_regions(text);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("::hirace::") {
        out.push_str(&rest[..at]);
        rest = &rest[at + "::hirace::".len()..];
        if rest.starts_with("cpu::name_parameters<") {
            out.truncate(out.trim_end_matches(' ').len());
            rest = rest.split_once(';').map_or("", |(_, rest)| rest);
            continue;
        }
        let word = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = match &rest[..word] {
            "read" => "R",
            "write" => "W",
            "update" => "U",
            "read_pointer" => "P",
            other => other,
        };
        out.push_str(name);
        rest = &rest[word..];
        if let Some(number) = rest.strip_prefix("(0x001").and_then(|it| it.get(..5)) {
            let index = u32::from_str_radix(number, 16).unwrap_or(0);
            let tail = &rest["(0x00100000u".len()..];
            let _ = write!(out, "{index}(");
            rest = tail.strip_prefix(", ").unwrap_or(tail);
        }
    }
    out.push_str(rest);
    for it in &result.not_monitored {
        let _ = write!(out, "\nnot monitored, line {}: {}", it.line, it.reason);
    }
    for it in &result.not_modelled {
        let _ = write!(out, "\nnot modelled, line {}: {}", it.line, it.construct);
    }
    for it in &result.errors {
        let _ = write!(out, "\nerror at {}: {}", it.offset, it.message);
    }
    out
}

/// Checks a whole file for the CPU.
#[track_caller]
fn check(source: &str, expect: Expect) {
    expect.assert_eq(&show(&run(source, Backend::Cpu, &[])));
}

/// Checks a whole file for the GPU.
#[track_caller]
fn check_gpu(source: &str, expect: Expect) {
    expect.assert_eq(&show(&run(source, Backend::Gpu, &[])));
}

/// The code around the statements of [`body`].
const FRAME: &str = "\
struct V { float x, y; };
struct Node { int count; float* row; float vals[4]; Node* next; V pos; int flag : 3; };
__device__ float& at(float* a, int i) { return a[i]; }
__device__ void bump(float& x);
__device__ float pass(float x, const float& y);
template <typename T, int N> __global__ void
k(T* a, const float* b, Node* g, int i, int n, int* idx, Node val, float** rows) {
";

/// Checks statements in a kernel.
#[track_caller]
fn body(statements: &str, expect: Expect) {
    let source = format!("{FRAME}{statements}\n}}\n");
    let instrumented = show(&run(&source, Backend::Cpu, &[]));
    let rest = instrumented
        .strip_prefix(FRAME)
        .expect("declarations stay as they are");
    let (inside, remarks) = rest.rsplit_once("\n}\n").expect("the closing brace stays");
    expect.assert_eq(&format!("{inside}{remarks}"));
}
