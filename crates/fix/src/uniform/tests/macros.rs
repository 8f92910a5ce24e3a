//! Macros: what they compute, what they change, and what they hide.

use super::*;

#[track_caller]
fn check_macros(cases: &[(bool, &str, &str)]) {
    for (passed, macros, body) in cases {
        let text = format!("{macros}\n__global__ void k(int* s, int n, int2 p) {{ {body} }}");
        check(Group::Block, *passed, &text);
    }
}

#[test]
fn values_of_macros() {
    check_macros(&[
        (
            true,
            "#define DIV_UP(a, b) (((a) + (b) - 1) / (b))",
            "for (int i = 0; i < DIV_UP(n, 32); i++) { /**/f(); }",
        ),
        (
            false,
            "#define DIV_UP(a, b) (((a) + (b) - 1) / (b))",
            "if (DIV_UP(threadIdx.x, 32)) { /**/f(); }",
        ),
        (
            true,
            "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
            "int m = MIN(n, 32); if (m) { /**/f(); }",
        ),
        (
            false,
            "#define OFFSET(a) ((a) + threadIdx.x)",
            "if (OFFSET(n)) { /**/f(); }",
        ),
        (
            false,
            "#define OFFSET(a) lane(a)",
            "if (OFFSET(n)) { /**/f(); }",
        ),
        (
            false,
            "#define floor(x) (x + threadIdx.x)",
            "if (floor(n)) { /**/f(); }",
        ),
        (
            false,
            "#define TID thread ## Idx.x",
            "if (TID) { /**/f(); }",
        ),
        (
            true,
            "#define IDX(r, c) ((r) * 32 + (c))",
            "if (s[IDX(blockIdx.x, 0)]) { /**/f(); }",
        ),
    ]);
}

#[test]
fn macros_that_change_variables() {
    check_macros(&[
        (
            false,
            "#define UPDATE m = threadIdx.x",
            "int m = n; UPDATE; if (m) { /**/f(); }",
        ),
        (
            false,
            "#define UPDATE() m = threadIdx.x",
            "int m = n; UPDATE(); if (m) { /**/f(); }",
        ),
        (
            false,
            "#define UPDATE do { m = threadIdx.x; } while (0)",
            "int m = n; UPDATE; if (m) { /**/f(); }",
        ),
        (
            false,
            "#define COPY(d, s) memcpy(&(d), &(s), 4)",
            "int m = n; COPY(m, s[threadIdx.x]); if (m) { /**/f(); }",
        ),
        (
            false,
            "#define ADD(d, s) (d <<= s)",
            "int m = n; ADD(m, threadIdx.x); if (m) { /**/f(); }",
        ),
        (
            false,
            "#define SKIP(d) d++",
            "int m = n; if (threadIdx.x) SKIP(m); if (m) { /**/f(); }",
        ),
        (
            false,
            "__device__ void set(int& x) { x = threadIdx.x; }\n#define SET(x) set(x)",
            "int m = n; SET(m); if (m) { /**/f(); }",
        ),
        (
            true,
            "#define CHECK(x) if ((x) <= 3 && x != 2) { printf(\"a = %d\", x); }",
            "int m = n; CHECK(m); if (m) { /**/f(); }",
        ),
    ]);
}

#[test]
fn macros_that_declare() {
    check_macros(&[
        (
            false,
            "#define INIT int tid = threadIdx.x; int lane = tid & 31",
            "INIT; if (tid < n) { /**/f(); }",
        ),
        (
            false,
            "#define INIT() int tid = threadIdx.x",
            "INIT(); if (tid < n) { /**/f(); }",
        ),
        (
            false,
            "#define DECLARE(v) const int v = threadIdx.x\nint other(int m);",
            "DECLARE(m); if (m) { /**/f(); }",
        ),
        (
            false,
            "#define DECLARE(v) int v##_id = threadIdx.x",
            "DECLARE(t); if (t_id) { /**/f(); }",
        ),
        (
            false,
            "#define NAME m",
            "int NAME = threadIdx.x; if (m) { /**/f(); }",
        ),
        (false, "", "SETUP_THREAD(t); if (t) { /**/f(); }"),
    ]);
}

#[test]
fn macros_that_name_objects() {
    check_macros(&[
        (
            false,
            "#define FLOAT4(v) (reinterpret_cast<float4*>(&(v))[0])",
            "float a[4]; FLOAT4(a[0]) = FLOAT4(s[4 * threadIdx.x]); if (a[1] > 0) { /**/f(); }",
        ),
        (
            false,
            "#define VALUE(x) x",
            "int m = n; VALUE(m) = threadIdx.x; if (m) { /**/f(); }",
        ),
        (
            false,
            "#define CELL(i, j) a[(i) * 2 + (j)]",
            "int a[4]; CELL(1, 0) = threadIdx.x; if (a[2]) { /**/f(); }",
        ),
        (
            true,
            "#define CELL(i, j) s[(i) * w + (j)]",
            "int w = n; for (int i = 0; i < w; i++) { CELL(i, 0) = threadIdx.x; /**/f(); }",
        ),
        (
            true,
            "",
            "for (int i = 0; i < n; i++) { *(s + i) = threadIdx.x; /**/f(); }",
        ),
        (
            false,
            "#define CURRENT m",
            "int m = n; CURRENT = threadIdx.x; if (m) { /**/f(); }",
        ),
        (
            false,
            "#define CURRENT m",
            "int m = n; CURRENT += threadIdx.x; if (CURRENT) { /**/f(); }",
        ),
        (
            false,
            "#define CURRENT m",
            "int m = n; int& r = CURRENT; r = threadIdx.x; if (m) { /**/f(); }",
        ),
        (
            false,
            "#define POINTER &m",
            "int m = n; int* r = POINTER; *r = threadIdx.x; if (m) { /**/f(); }",
        ),
        (
            true,
            "#define CURRENT m",
            "int m = threadIdx.x; g(m); CURRENT = n; if (n) { /**/f(); }",
        ),
    ]);
}

#[test]
fn macros_that_hide_the_control_flow() {
    const LOOP: &str =
        "#define KERNEL_LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)";
    const BEGIN: &str = "#define BEGIN for (int i = threadIdx.x; i < n; i++) {\n#define END }";
    check_macros(&[
        (
            false,
            "#define IF_MASTER if (threadIdx.x == 0)",
            "IF_MASTER { /**/f(); }",
        ),
        (false, LOOP, "KERNEL_LOOP(i, n) { /**/f(); }"),
        (false, "", "KERNEL_LOOP(i, n) { /**/f(); }"),
        (false, BEGIN, "BEGIN g(); /**/f(); END"),
        (
            false,
            "#define ELSE else",
            "if (threadIdx.x) g(); ELSE { /**/f(); }",
        ),
        (
            false,
            "#define LEAVE goto out",
            "if (threadIdx.x > n) LEAVE; /**/f(); out: g();",
        ),
        (
            false,
            "",
            "try { if (threadIdx.x) throw 1; /**/f(); } catch (...) { }",
        ),
        (
            true,
            "#define UNROLL _Pragma(\"unroll\")",
            "if (threadIdx.x) UNROLL for (int i = 0; i < n; i++) g(); UNROLL for (int i = 0; i < n; i++) { /**/f(); }",
        ),
        (
            true,
            "",
            "g(); _Pragma(\"unroll\") for (int i = 0; i < n; i++) { /**/f(); }",
        ),
        (
            true,
            "",
            "namespace cg = cooperative_groups; enum { A = 3 }; enum class E { X }; /**/f();",
        ),
    ]);
}

/// Arguments of macros may be evaluated under a condition, or in a loop.
#[test]
fn arguments_of_macros() {
    for (passed, macros, call) in [
        (
            false,
            "#define ELECT(x) do { if (threadIdx.x == 0) { x; } } while (0)",
            "ELECT(h());",
        ),
        (
            false,
            "#define SELECT(c, a, b) ((c) ? (a) : (b))",
            "int x = SELECT(threadIdx.x < 3, h(), 0);",
        ),
        (true, "", "h();"),
    ] {
        let text = format!(
            "{macros}\n__device__ int h() {{ /**/g(); return 1; }}\n__global__ void k(int n) {{ {call} }}"
        );
        check(Group::Block, passed, &text);
    }
    check_macros(&[
        (
            false,
            "#define FOR_THREADS(i, n, body) for (int i = threadIdx.x; i < n; i += blockDim.x) body",
            "FOR_THREADS(i, n, { /**/f(); })",
        ),
        (
            false,
            "#define ONCE(x) if (threadIdx.x == 0) { x; }",
            "ONCE({ /**/f(); })",
        ),
        (
            false,
            "#define COPY() memcpy(a, s + threadIdx.x, 8)",
            "int a[2] = {}; COPY(); if (a[0]) { /**/f(); }",
        ),
        (
            false,
            "__device__ void fill(int* p, int v) { p[0] = v; }\n#define FILL(p) fill(p, threadIdx.x)",
            "int a[2] = {}; FILL(a); if (a[0]) { /**/f(); }",
        ),
    ]);
}
