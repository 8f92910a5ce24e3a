//! How much is monitored, and what the user switches off.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use hirace::model::Backend;
use hirace::rewrite::Instrumented;

use crate::run;

/// The counts, and the remarks.
#[track_caller]
fn check(source: &str, expect: Expect) {
    expect.assert_eq(&summary(&run(source, Backend::Cpu, &[])));
}

fn summary(result: &Instrumented) -> String {
    let numbers = result.coverage;
    let mut out = format!(
        "functions {} untouched {}, accesses: monitored {} private {} switched off {} not monitored {}\n",
        numbers.functions,
        numbers.untouched,
        numbers.monitored,
        numbers.private,
        numbers.switched_off,
        numbers.not_monitored,
    );
    for it in &result.not_monitored {
        let _ = writeln!(out, "{}: {} ({})", it.line, it.reason, it.accesses);
    }
    for it in &result.switched_off {
        let _ = writeln!(
            out,
            "{}: {} ({}) by {}",
            it.line, it.what, it.accesses, it.by
        );
    }
    for it in &result.warnings {
        let _ = writeln!(out, "{}:{}: {}", it.line, it.column, it.message);
    }
    out
}

#[test]
fn every_access_counts_once() {
    check(
        "__constant__ int scale[4];\n\
         struct __attribute__((packed)) B { int f; };\n\
         __global__ void k(int* a, B* b, int n) {\n\
           __shared__ int s[32];\n\
           int local = n;\n\
           s[threadIdx.x] = a[local] * scale[1];\n\
           b->f = 1; atomicAdd(a, s[0]);\n\
         }\n",
        expect![[r#"
            functions 1 untouched 0, accesses: monitored 4 private 6 switched off 0 not monitored 1
            7: member of a packed struct `b->f` (1)
        "#]],
    );
}

#[test]
fn functions_that_stay_as_they_are() {
    check(
        "__device__ constexpr int pick(const int* a) { return a[0] + a[1]; }\n\
         __global__ void broken(int* a, int* b) { a[0] = = b[1]; *a = 1; }\n\
         __global__ void fine(int* a) { a[0] = 1; }\n",
        expect![[r#"
            functions 3 untouched 1, accesses: monitored 3 private 3 switched off 0 not monitored 3
            2: kernel `broken` contains syntax that hirace cannot parse (line 2, column 49) (3)
        "#]],
    );
}

#[test]
fn comments() {
    check(
        "__global__ void k(int* a, int* b) {\n\
           a[0] = 1; // hirace: ignore any of the values will do\n\
           /* hirace: ignore-next-line */\n\
           a[b[0]] = b[1]; a[3]++;\n\
           a[4] = 1;\n\
         }\n\
         // hirace: ignore-function\n\
         template <class T> __global__ void off(T* a) { a[0] = 1; __syncthreads(); a[1] = a[2]; }\n\
         __device__ void inside(int* a) {\n\
           // hirace: ignore-function because it is only ever called by one thread\n\
           for (int i = 0; i < 3; i++) a[i] = 0;\n\
         }\n\
         #define SET(p) \\\n\
           *(p) = 1; /* hirace: ignore */ \\\n\
           (p)[1] = 2\n\
         __global__ void m(int* a) { SET(a); }\n\
         int main() {\n\
           k<<<1, 1>>>(0, 0);\n\
           k<<<1, 1>>>(0, 0); // hirace: ignore\n\
         }\n",
        expect![[r#"
            functions 4 untouched 0, accesses: monitored 2 private 16 switched off 10 not monitored 0
            2: `a[0]` (1) by comment
            3: `a[b[0]]`, `b[0]`, `b[1]` and 1 more (4) by comment
            7: function `off` (3) by comment
            10: function `inside` (1) by comment
            14: `*(p)` (1) by comment
            19: launch of `k` (0) by comment
        "#]],
    );
}

#[test]
fn comments_that_do_nothing() {
    check(
        "__global__ void k(int* a) { // hirace: ingore\n\
           a[0] = 1;\n\
           // hirace: ignore\n\
           int i = 0; // hirace: ignore\n\
           // hirace: ignore-next-line\n\
         \n\
           a[i] = 1;\n\
         #if 0\n\
           a[1] = 1; // hirace: ignore\n\
         #endif\n\
         }\n\
         // hirace::read is a name; hirace: this is no comment for it\n\
         const char* text = \"// hirace: ignore\";\n\
         // hirace: ignore-function\n\
         int x;\n",
        expect![[r#"
            functions 1 untouched 0, accesses: monitored 2 private 3 switched off 0 not monitored 0
            1:29: `hirace: ingore` is unknown; use `ignore` or `suppress`, alone or with `-next-line` or `-function`
            3:1: `hirace: ignore` has no effect: no access or launch begins on this line
            4:12: `hirace: ignore` has no effect: no access or launch begins on this line
            5:1: `hirace: ignore-next-line` has no effect: no access or launch begins on the next line
            14:1: `hirace: ignore-function` has no effect: no function follows
        "#]],
    );
}

#[test]
fn launches_left_out_are_not_monitored() {
    let text = |comment: &str| {
        let source = format!("__global__ void k();\nvoid f() {{\nk<<<1, 1>>>(); {comment}\n}}\n");
        run(&source, Backend::Gpu, &[]).text
    };
    assert!(text("").contains("LaunchInfo{\"k\", 0x00100000u, true"));
    assert!(text("// hirace: ignore").contains("LaunchInfo{\"k\", 0x00100000u, false"));
}

/// A macro that defines functions may have defined an unknown one, but only if its uses, or the
/// fixed parts of the name, match.
#[test]
fn functions_that_macros_may_have_made() {
    check(
        "#define MAKE(NAME) __device__ void NAME(int* p, int v) { p[0] = v; }\n\
         #define PASTE(NAME) template <class T> struct Add##NAME { \
           __device__ void operator()(T* p, T v) { p[0] = v; } };\n\
         MAKE(store)\n\
         PASTE(Sum)\n\
         __global__ void k(int* a) {\n\
           store(a + 1, 2);\n\
           AddSum<int>()(a + 1, 2);\n\
           outside(a + 1, 2);\n\
           Outside<int>()(a + 1, 2);\n\
         }\n",
        expect![[r#"
            functions 3 untouched 0, accesses: monitored 2 private 8 switched off 0 not monitored 2
            8: `outside` is not part of the project, so its accesses are not checked (1)
            9: `Outside<int>()` is not part of the project, so its accesses are not checked (1)
        "#]],
    );
}

/// Branches that cannot be combined with the others: reported only if one may contain an access, or
/// makes a function a device function.
#[test]
fn branches_that_were_not_read() {
    check(
        "__device__ int f(\n#if A\n  const int* p\n#else\n  int* p\n#endif\n  ) { return p[0]; }\n\
         #if B\n\
         inline int h(int* p)\n\
         #else\n\
         __device__ int h(int* p)\n\
         #endif\n\
         { return p[0]; }\n\
         __global__ void k(int* a) {\n\
           a[0] = a[\n\
         #if C\n\
           a[1]\n\
         #else\n\
           a[2]\n\
         #endif\n\
           ];\n\
         }\n",
        expect![[r#"
            functions 2 untouched 0, accesses: monitored 4 private 4 switched off 0 not monitored 1
            11: `#if` branch that cannot be combined with the other branches (0)
            19: `#if` branch that cannot be combined with the other branches (1)
        "#]],
    );
}

#[test]
fn code_given_to_macros_that_define_functions() {
    let macros = "#define DEFINE(name, code) __global__ void name(int* a) { code a[0] = 1; }\n\
                  #define FORWARD(name, code) DEFINE(name, code)\n\
                  #define ADDRESS(name, type, place) __global__ void name(type* a) { int* p = &place; }\n";
    let with = |uses: &str| format!("{macros}{uses}\n");
    check(
        &with("DEFINE(one, a[1] = 2;) DEFINE(two, int i = a[2]; if (i) { a[i] = a[3]; })"),
        expect![[r#"
            functions 2 untouched 0, accesses: monitored 5 private 3 switched off 0 not monitored 0
        "#]],
    );
    // What may become of it is not known.
    check(
        &with("FORWARD(one, a[1] = 2;) ADDRESS(two, int, a[1])"),
        expect![[r#"
            functions 2 untouched 0, accesses: monitored 2 private 1 switched off 0 not monitored 1
            4: code in an argument of the macro `ADDRESS`, which defines a function (1)
        "#]],
    );
    // Names and types are no code.
    check(
        &with("ADDRESS(one, unsigned char, b) FORWARD(two, )"),
        expect![[r#"
            functions 2 untouched 0, accesses: monitored 0 private 0 switched off 0 not monitored 0
        "#]],
    );
}

#[test]
fn macros_that_open_blocks() {
    check(
        "#define EACH(i, n) for (int i = 0; i < (n); ++i) {\n\
         #define DONE }\n\
         __global__ void k(int* a) {\n\
           EACH(i, 4) a[i] = 1; }\n\
         }\n\
         __global__ void l(int* a) { EACH(i, 4) a[i] = 1; DONE }\n",
        expect![[r#"
            functions 2 untouched 0, accesses: monitored 2 private 2 switched off 0 not monitored 2
            4: code after the macro `EACH`, which opens or closes a block (1)
            6: code after the macro `EACH`, which opens or closes a block (1)
        "#]],
    );
}

#[test]
fn code_given_to_macros_that_define_functors() {
    // The class has no semicolon after it, so that the macro's body is no declaration by itself.
    let source = "#define FUNCTOR(name, value) struct name { int* p; __device__ int operator()(int i) const { return value; } }\n\
                  FUNCTOR(First, p[i]);\n\
                  __global__ void k(int* a) { FUNCTOR(Second, p[i + 1]); First f{a}; a[0] = f(1); }\n";
    let result = run(source, Backend::Cpu, &[]);
    assert!(result.text.contains("FUNCTOR(First, ::hirace::copy("));
    assert!(result.text.contains("FUNCTOR(Second, ::hirace::read("));
    assert!(result.not_monitored.is_empty());
}
