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
        (false, "int k = atomicAdd(s, 1); if (k) { /**/f(); }"),
    ] {
        let text = format!("__global__ void k(int* s, int n) {{ {body} }}");
        check(Group::Block, passed, &text);
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
