//! Conditions that all threads of a group share, and those that look like it.

use super::*;
use hirace_instrument::rewrite::{Facts, Source};
use hirace_syntax::Defines;

/// Whether all threads reach the statement after `/**/`.
#[track_caller]
fn check(group: Group, passed: bool, text: &str) {
    let file = Source { path: "a.cu", text };
    let defines = Defines::new();
    let facts = Facts::collect(&[Source { ..file }], &defines);
    let sources = Sources(vec![Syntax::of("a.cu", text, &defines, &facts)]);
    let syntax = &sources.0[0];
    let mark = text.find("/**/").expect("a mark") + 4;
    let semicolon = mark + text[mark..].find(';').expect("a statement");
    let node = syntax.at(&(mark..semicolon));
    assert_eq!(
        passed_by_all(&sources, syntax, node, group),
        passed,
        "{text}"
    );
}

/// It is uniform in each block, whichever barrier of the block comes before it, and not in the grid.
#[test]
fn flags_in_shared_memory() {
    let kernel = |read: &str| {
        format!(
            "__global__ void k() {{ __shared__ bool b[2]; __shared__ bool c; \
             if (threadIdx.x == 0) c = b[1] = g(); __syncthreads(); if ({read}) {{ /**/f(); }} }}"
        )
    };
    check(Group::Block, true, &kernel("c"));
    check(Group::Block, true, &kernel("b[1]"));
    check(Group::Block, false, &kernel("b[threadIdx.x]"));
    check(Group::Grid, false, &kernel("c"));
}

/// Threads that leave a loop at different times agree on nothing that it counts.
#[test]
fn loops_that_threads_leave_at_different_times() {
    let kernel = |body: &str| format!("__global__ void k(int n) {{ int i = 0; {body} }}");
    for (passed, body) in [
        (
            false,
            "for (;;) { if (threadIdx.x < i) break; i++; } if (i) { /**/f(); }",
        ),
        (
            true,
            "for (;;) { if (n < i) break; i++; } if (i) { /**/f(); }",
        ),
        (
            false,
            "while (i < threadIdx.x) i++; if (i > 2) { /**/f(); }",
        ),
        (
            false,
            "do { i++; if (threadIdx.x == i) break; } while (i < n); if (i > 2) { /**/f(); }",
        ),
        (
            true,
            "do { i++; if (threadIdx.x == i) g(); } while (i < n); if (i > 2) { /**/f(); }",
        ),
    ] {
        check(Group::Block, passed, &kernel(body));
    }
}

#[test]
fn jumps_to_labels() {
    let kernel = |body: &str| {
        format!(
            "#define LEAVE_IF(x) if (x) return\n#define CALL_IF(x) if (x) g()\n\
             __global__ void k(int n) {{ {body} }}"
        )
    };
    for (passed, body) in [
        (true, "if (blockIdx.x > n) goto over; g(); over: /**/f();"),
        (true, "if (threadIdx.x > n) goto over; g(); over: /**/f();"),
        (false, "if (threadIdx.x > n) goto over; /**/f(); over: g();"),
        (true, "if (blockIdx.x > n) goto over; /**/f(); over: g();"),
        (true, "again: /**/f(); if (n--) goto again;"),
        (false, "again: /**/f(); if (threadIdx.x < n--) goto again;"),
        // Each thread evaluates the condition as often.
        (
            true,
            "if (threadIdx.x > n) goto into; while (n--) { /**/f(); into: g(); }",
        ),
        (false, "LEAVE_IF(n); /**/f();"),
        (true, "CALL_IF(threadIdx.x); /**/f();"),
        (
            false,
            "switch (n) { case 1: if (threadIdx.x) goto over; } /**/f(); over: g();",
        ),
    ] {
        check(Group::Block, passed, &kernel(body));
    }
}

#[test]
fn conditions_of_threads() {
    for (passed, body) in [
        (true, "s[threadIdx.x] = 1; /**/f();"),
        (true, "for (int i = 0; i < n; i++) { /**/f(); }"),
        (true, "if (blockIdx.x < n) { /**/f(); }"),
        (
            true,
            "int d = 1; while (d < blockDim.x) { /**/f(); d *= 2; }",
        ),
        (
            true,
            "int m = min(n, 4); int k = m; do { /**/f(); } while (--k > 0);",
        ),
        (
            true,
            "while (__syncthreads_or(s[threadIdx.x])) { /**/f(); }",
        ),
        (true, "__shared__ int more; while (more) { /**/f(); }"),
        (false, "if (threadIdx.x < n) { /**/f(); }"),
        (
            false,
            "const int t = threadIdx.x, u = t; if (u < n) { /**/f(); }",
        ),
        (
            false,
            "for (int i = threadIdx.x; i < n; i += blockDim.x) { /**/f(); }",
        ),
        (
            false,
            "int k = 0; if (threadIdx.x == 0) k = 1; if (k) { /**/f(); }",
        ),
        (
            false,
            "const int i = threadIdx.x; if (i >= n) return; /**/f();",
        ),
        (true, "/**/f(); if (threadIdx.x >= n) return;"),
        (
            false,
            "for (int i = 0; i < n; i++) { /**/f(); if (threadIdx.x == i) break; }",
        ),
        (
            true,
            "for (int i = 0; i < n; i++) { if (threadIdx.x == i) continue; g(); } /**/f();",
        ),
        (false, "int k; g(&k); if (k) { /**/f(); }"),
        // Variables of one name.
        (
            true,
            "for (int i = threadIdx.x; i < n; i++) g(i); for (int i = 0; i < n; i++) { /**/f(); }",
        ),
        (
            true,
            "{ int k = threadIdx.x; g(k); } int k = n; if (k) { /**/f(); }",
        ),
        (
            false,
            "int i = threadIdx.x; { for (int i = 0; i < n; i++) g(i); if (i) { /**/f(); } }",
        ),
        (
            false,
            "for (int i = 0; i < n; i++) { if (threadIdx.x) i++; if (i) { /**/f(); } }",
        ),
        (false, "int k = atomicAdd(s, 1); if (k) { /**/f(); }"),
        // A flag in shared memory that one thread sets.
        (
            true,
            "__shared__ bool b; if (threadIdx.x == 0) b = g(); __syncthreads(); if (b) { /**/f(); }",
        ),
        (
            true,
            "__shared__ bool b; if (threadIdx.x == 0) b = g(); { __syncthreads(); n = b; } if (n) { /**/f(); }",
        ),
        (
            false,
            "__shared__ bool b; if (threadIdx.x == 0) b = g(); if (b) { /**/f(); } __syncthreads();",
        ),
        (
            false,
            "__shared__ bool b; if (threadIdx.x == 0) b = g(); if (n) __syncthreads(); if (b) { /**/f(); }",
        ),
        (
            false,
            "bool b = false; if (threadIdx.x == 0) b = g(); __syncthreads(); if (b) { /**/f(); }",
        ),
        (
            false,
            "__shared__ bool b; if (threadIdx.x == 0) b = g(); __syncthreads(); int c = threadIdx.x; c *= b; \
             if (c) { /**/f(); }",
        ),
        (
            true,
            "__shared__ bool b; do { if (threadIdx.x == 0) b = g(); __syncthreads(); if (b) { /**/f(); } \
             __syncthreads(); } while (n--);",
        ),
        (
            false,
            "__shared__ bool b; do { if (threadIdx.x == 0) b = g(); __syncthreads(); if (b) { /**/f(); } \
             } while (n--);",
        ),
        // The cases of a `switch`.
        (
            true,
            "switch (n) { case 1: g(); /**/f(); break; default: g(); }",
        ),
        (false, "switch (threadIdx.x) { case 1: g(); /**/f(); }"),
        (
            false,
            "switch (n) { case 1: if (threadIdx.x) break; /**/f(); }",
        ),
        (
            true,
            "switch (n) { case 1: /**/f(); if (threadIdx.x) break; g(); }",
        ),
        (
            false,
            "while (n--) { switch (n) { case 1: if (threadIdx.x) continue; } /**/f(); }",
        ),
        (
            true,
            "while (n--) { switch (n) { case 1: if (threadIdx.x) break; g(); } /**/f(); }",
        ),
    ] {
        let text = format!("__global__ void k(int* s, int n) {{ {body} }}");
        check(Group::Block, passed, &text);
    }
}

/// A write to memory that a member points to does not change the object; a write to an array in it does.
#[test]
fn conditions_of_objects_passed_by_value() {
    for (passed, body) in [
        (true, "p.out[threadIdx.x] = threadIdx.x;"),
        (true, "*p.out = threadIdx.x;"),
        (true, "p.next->n = threadIdx.x;"),
        (true, "p.points[3].x += threadIdx.x;"),
        (false, "p.own[3] = threadIdx.x;"),
        (false, "p.n = threadIdx.x;"),
        (false, "p.unknown[3] = threadIdx.x;"),
    ] {
        let text = format!(
            "struct P {{ int* out; P* next; int n; int own[9]; Point* points; }};\n\
             __global__ void k(P p) {{ {body} for (int i = 0; i < p.n; i++) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// Ways to set a variable that are no assignments to it.
#[test]
fn variables_that_are_set_otherwise() {
    for (passed, body) in [
        (false, "if (LANE < n) { /**/f(); }"),
        (true, "if (TWICE < n) { /**/f(); }"),
        (false, "int m = n; SET(m); if (m) { /**/f(); }"),
        (false, "int m, c; where(m, c, n); if (m) { /**/f(); }"),
        (true, "int m, c, w = n; where(m, c, w); if (w) { /**/f(); }"),
        (
            false,
            "int m = 0; int& r = m; r = threadIdx.x; if (m) { /**/f(); }",
        ),
        (true, "int m = n; const int& r = m; if (r) { /**/f(); }"),
        (
            false,
            "int m; asm(\"mov.u32 %0, %tid.x;\" : \"=r\"(m)); if (m) { /**/f(); }",
        ),
        (false, "It it{0}; it.set(); if (it.n) { /**/f(); }"),
        (true, "It it{0}; int m = it.get(3); if (it.n) { /**/f(); }"),
        (true, "It it{0}; it.store(3); if (it.n) { /**/f(); }"),
        (false, "It it{0}; it.again(); if (it.n) { /**/f(); }"),
        (false, "Me me; if (me.r) { /**/f(); }"),
        (
            false,
            "auto [a, m] = make_int2(1, threadIdx.x); if (m) { /**/f(); }",
        ),
        (true, "auto [a, m] = p; if (m) { /**/f(); }"),
        (
            false,
            "int a[2] = {n, n}; a[threadIdx.x & 1] = 3; if (a[0]) { /**/f(); }",
        ),
        (
            true,
            "int a[2] = {n, n}; a[n & 1] = 3; if (a[0]) { /**/f(); }",
        ),
        (false, "int a[2]; fill(a); if (a[0]) { /**/f(); }"),
        (false, "int a[2]; g(&a[1]); if (a[0]) { /**/f(); }"),
        (
            false,
            "int a[2] = {n, n}; for (int& x : a) x = threadIdx.x; if (a[0]) { /**/f(); }",
        ),
        (
            false,
            "int m = n; auto set = [&] { m = 1; }; if (threadIdx.x) set(); if (m) { /**/f(); }",
        ),
        (false, "int m = n, k = 3; swap(m, k); if (m) { /**/f(); }"),
    ] {
        let text = format!(
            "#define LANE (threadIdx.x % 32)\n#define TWICE (2 * n)\n#define SET(x) x = threadIdx.x\n\
             struct Me {{ int r; __device__ Me() : r(threadIdx.x) {{}} }};\n\
             struct It {{ int n; int* to; __device__ void set() {{ n = threadIdx.x; }}\n\
             __device__ int get(int i) {{ int m = n; m += i; return m; }}\n\
             __device__ void store(int i) {{ to[threadIdx.x] = i; }}\n\
             __device__ void again() {{ set(); }} }};\n\
             __device__ void where(int& row, int& column, int width) {{ row = threadIdx.x / width; }}\n\
             __device__ void fill(int* a) {{ a[0] = threadIdx.x; }}\n\
             __global__ void k(int* s, int n, int2 p) {{ {body} }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// The members of an object are those that its creator set.
#[test]
fn conditions_in_methods() {
    for (passed, object) in [
        (true, "Work w{n};"),
        (false, "Work w{threadIdx.x};"),
        (false, "Work w; w.rows = threadIdx.x;"),
    ] {
        for condition in ["rows > 3", "this->rows > 3"] {
            let text = format!(
                "struct Work {{ int rows; __device__ void run() {{ if ({condition}) {{ /**/f(); }} }} }};\n\
                 __global__ void k(int n) {{ {object} w.run(); }}"
            );
            check(Group::Block, passed, &text);
        }
    }
}

#[test]
fn conditions_of_cooperative_groups() {
    for (block, warp, condition) in [
        (true, true, "n < tile.size()"),
        (true, true, "n < tile.meta_group_size()"),
        (true, true, "n < block.num_threads()"),
        (true, true, "n < half.size()"),
        (true, true, "n < plain.group_index().x"),
        (false, true, "n < tile.meta_group_rank()"),
        (
            false,
            true,
            "(block.thread_rank() - tile.thread_rank()) == n",
        ),
        (false, true, "block.thread_rank() < 64"),
        (false, true, "tile.any(t == 3)"),
        (false, false, "tile.shfl(t, 0) < n"),
        (false, false, "n < half.meta_group_rank()"),
        (false, false, "n < tile.thread_rank()"),
        (false, false, "n < some.size()"),
        (false, false, "n < unknown.size()"),
    ] {
        let text = format!(
            "__device__ void inner(cg::thread_block_tile<32>& tile, const cg::thread_block& plain, int n) {{\n\
             auto block = cg::this_thread_block(); int t = threadIdx.x;\n\
             auto half = cg::tiled_partition<16>(block); auto some = cg::coalesced_threads();\n\
             if ({condition}) {{ /**/f(); }} }}\n\
             __global__ void k(int n) {{ inner(cg::tiled_partition<32>(cg::this_thread_block()), \
             cg::this_thread_block(), n); }}\n"
        );
        check(Group::Block, block, &text);
        check(Group::Warp, warp, &text);
    }
}

/// The type of a group may be a parameter of a template.
#[test]
fn groups_of_any_type() {
    for (passed, call) in [
        (true, "inner(cg::this_thread_block());"),
        (
            true,
            "auto tile = cg::tiled_partition<8>(cg::this_thread_block()); inner(tile);",
        ),
        (false, "inner(cg::coalesced_threads());"),
        (
            false,
            "inner(cg::tiled_partition(cg::coalesced_threads(), 4));",
        ),
    ] {
        let text = format!(
            "template <class G> __device__ void inner(G group) {{\n\
             for (int i = group.size() / 2; i > 0; i /= 2) {{ /**/f(); }} }}\n\
             __global__ void k() {{ {call} }}\n"
        );
        check(Group::Block, passed, &text);
    }
}

/// Checks whether all lanes reach a statement under a condition on `t`, the thread's number, and on
/// the kernel's parameters. The text `before` precedes the condition.
#[track_caller]
fn check_warp(passed: bool, before: &str, condition: &str) {
    let text = format!(
        "constexpr int width = 64;\n\
         const float half = 32;\n\
         __global__ void k(int* s, int n) {{\n\
         int t = threadIdx.x; {before} if ({condition}) {{ /**/f(); }} }}"
    );
    check(Group::Warp, passed, &text);
    check(Group::Block, false, &text);
}

#[test]
fn conditions_of_warps() {
    for (passed, condition) in [
        (true, "t < 32"),
        (true, "t <= 31"),
        (true, "64 > t"),
        (true, "t < width"),
        (true, "t < (32 * n)"),
        (true, "t < (n << 5)"),
        (true, "t < (2 * warpSize)"),
        // The grammar takes these for `(t < 32) + n` and `7 * (t < 64)`.
        (false, "t < 32 + n"),
        (false, "t < 64 - 32 / n"),
        (false, "7 * t < 64"),
        (false, "n + t < 64"),
        (true, "t / warpSize == 0"),
        (true, "(t >> 5) < n"),
        (true, "t >> 6"),
        (true, "t / 64 == n"),
        (true, "int(t) / 32 == n"),
        (true, "(t & 64) == 0"),
        (true, "(t & ~31) == n"),
        (true, "t % 64 < 32"),
        (true, "2 * t < 64"),
        (true, "7 * t < 224"),
        (true, "(threadIdx.x + 64 * blockIdx.x) < 128"),
        (true, "(t - 32) < 64"),
        (true, "(31 - t) >= 0"),
        (true, "t < 1024"),
        (false, "t < 16"),
        (false, "t < n"),
        (false, "t <= 32"),
        (false, "t > 32"),
        (false, "t % 32 < 3"),
        (false, "(t & 31) < 3"),
        (false, "(t & 48) == 0"),
        (false, "t / 16 == 0"),
        (false, "t / 48 == 0"),
        (false, "t / 32.0f < 1"),
        (false, "t / half < 1"),
        (false, "t >> 4"),
        (false, "t < 040"),
        (false, "t < 064"),
        (false, "t * 7 < 64"),
        (false, "threadIdx.x * 7 < 64"),
        (false, "7 * t / 32 == 0"),
        (false, "2 * t / 32 == 0"),
        (false, "(t + 1) / 32 == 0"),
        (false, "(t - 32) / 32 == 0"),
        (false, "t - 5u < 59"),
        (false, "t + n < 64"),
        (false, "threadIdx.x + blockIdx.x * blockDim.x < 64"),
        (false, "(t + blockIdx.x * blockDim.x) / 32 == 0"),
        (false, "(t ^ 1) < 32"),
        (false, "s[t] / 32 == 0"),
        (false, "s[t] < 64"),
        (false, "32 / t == 1"),
        (false, "t * t < 1024"),
        (false, "(unsigned char)(7 * t) < 224"),
    ] {
        check_warp(passed, "", condition);
    }
}

#[test]
fn variables_of_warps() {
    for (passed, before, condition) in [
        (true, "const int v = t;", "v / 32 == 0"),
        (true, "int v = t + 32;", "v / 32 == 1"),
        (
            true,
            "auto v = static_cast<unsigned>(t); g(v / 2);",
            "v < 64",
        ),
        (true, "int v = max(0, n) * 32;", "t < v"),
        (false, "int v = t * 7;", "v / 32 == 0"),
        (false, "const int v = s[t];", "v / 32 == 0"),
        (false, "const int v = s[t] & 31;", "v < 32"),
        (false, "float v = t;", "v / 32 < 1"),
        (false, "unsigned char v = t * 7;", "v < 224"),
        (false, "int v = t; v *= 7;", "v / 32 == 0"),
        (false, "int v = t; v++;", "v / 32 == 0"),
        (false, "int v = t; int& u = v; u = 7;", "v / 32 == 0"),
        (false, "int v = t; g(&v);", "v / 32 == 0"),
        (false, "int v = t; g(v);", "v / 32 == 0"),
        (false, "int v = t; { int v = s[t]; h(v); }", "v / 32 == 0"),
        (false, "int v; v = t;", "v / 32 == 0"),
        (false, "", "t / 32 == 0 && threadIdx.y == 0"),
    ] {
        check_warp(passed, before, condition);
    }
}

#[test]
fn arguments_of_warps() {
    for (passed, type_name, calls) in [
        (true, "int", "f(threadIdx.x, n);"),
        (true, "int", "f(threadIdx.x, n); f(threadIdx.x, 3);"),
        (
            true,
            "const unsigned",
            "const int t = threadIdx.x; f(t, n);",
        ),
        (true, "int", "int t = threadIdx.x; f(t, n);"),
        (false, "int&", "int t = threadIdx.x; f(t, n);"),
        (false, "int", "f(7 * threadIdx.x, n);"),
        (false, "int", "f(threadIdx.x, n); f(threadIdx.x + 1, n);"),
        (false, "short", "f(threadIdx.x, n);"),
        (false, "int", ""),
    ] {
        let text = format!(
            "__device__ void f({type_name} v, int m) {{ if (v / 32 == 0) {{ /**/g(); }} }}\n\
             __global__ void k(int n) {{ {calls} }}"
        );
        check(Group::Warp, passed, &text);
    }
}

#[test]
fn calls() {
    for (passed, call) in [
        (true, "f(threadIdx.x, n);"),
        (false, "f(n, threadIdx.x);"),
        (false, "if (threadIdx.x < n) f(0, n);"),
        (false, ""),
    ] {
        let text = format!(
            "__device__ void f(int t, int m) {{ if (m > 2) {{ /**/g(); }} }}\n\
             __global__ void k(int n) {{ {call} }}"
        );
        check(Group::Block, passed, &text);
    }
}
