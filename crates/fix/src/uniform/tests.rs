//! Conditions that all threads of a group share, and those that look like it.

mod aliases;
mod classes;
mod functions;
mod groups;
mod kernels;
mod lanes;
mod macros;
mod variables;

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
/// Bodies of kernels, with whether all threads of the block reach the mark.
#[track_caller]
fn check_bodies(declarations: &str, cases: &[(bool, &str)]) {
    for (passed, body) in cases {
        let text = format!("{declarations}__global__ void k(int* s, int n, int2 p) {{ {body} }}");
        check(Group::Block, *passed, &text);
    }
}

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
        // An atomic operation is a write to it.
        (
            false,
            "__shared__ int c; c = 0; __syncthreads(); atomicAdd(&c, 1); int m = c; __syncthreads(); \
             if (m == 3) { /**/f(); }",
        ),
        (
            true,
            "__shared__ int c; c = 0; __syncthreads(); atomicAdd(&c, 1); __syncthreads(); if (c == 3) { /**/f(); }",
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

#[test]
fn calls() {
    for (passed, call) in [
        (true, "f(threadIdx.x, n);"),
        (false, "f(n, threadIdx.x);"),
        (false, "if (threadIdx.x < n) f(0, n);"),
        (false, "if (threadIdx.x < n) return; f(0, n);"),
        (true, "f(0, n); if (n > 2) f(1, 3);"),
        (false, "f(0, n); if (threadIdx.x > 2) f(1, 3);"),
        (false, "auto later = [=] { f(0, n); }; later();"),
        (false, ""),
    ] {
        let text = format!(
            "__device__ void f(int t, int m) {{ if (m > 2) {{ /**/g(); }} }}\n\
             __global__ void k(int n) {{ {call} }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// A function that calls itself runs as its other callers say.
#[test]
fn recursion() {
    for (passed, again, call) in [
        (true, "f(m - 1);", "f(n);"),
        (false, "f(m - threadIdx.x);", "f(n);"),
        (false, "if (threadIdx.x) f(m - 1);", "f(n);"),
        (false, "f(m - 1);", "f(threadIdx.x);"),
    ] {
        let text = format!(
            "__device__ void f(int m) {{ if (m > 2) {{ /**/g(); }} if (m) {{ {again} }} }}\n\
             __global__ void k(int n) {{ {call} }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// A method that calls itself has the object that its other callers give it.
#[test]
fn recursion_of_methods() {
    for (passed, again, object) in [
        (true, "run();", "Work w{n};"),
        (true, "this->run();", "Work w{n};"),
        (false, "run();", "Work w{threadIdx.x};"),
        (false, "this->run();", "Work w{threadIdx.x};"),
        (false, "Work other{threadIdx.x}; other.run();", "Work w{n};"),
    ] {
        let text = format!(
            "struct Work {{ int rows; __device__ void run() {{ if (this->rows > 3) {{ /**/f(); }} if (rows) {{ {again} }} }} }};\n\
             __global__ void k(int n) {{ {object} w.run(); }}"
        );
        check(Group::Block, passed, &text);
    }
}
