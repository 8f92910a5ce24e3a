//! Conditions on which the lanes of a warp agree.

use super::*;

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
        (true, "int v = t; { int v = s[t]; h(v); }", "v / 32 == 0"),
        (
            false,
            "int v = t; { int v = s[t]; if (v / 32 == 0) { /**/f(); } }",
            "n",
        ),
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

/// Values that depend on themselves have no known form.
#[test]
fn recursion_of_warps() {
    for (passed, again, call) in [
        (false, "f(v / 2, m);", "f(threadIdx.x, n);"),
        (false, "f(v, m - 1);", "f(threadIdx.x, n);"),
        (true, "", "f(threadIdx.x, n);"),
    ] {
        let text = format!(
            "__device__ void f(int v, int m) {{ if (v / 32 == 0) {{ /**/g(); }} if (m) {{ {again} }} }}\n\
             __global__ void k(int n) {{ {call} }}"
        );
        check(Group::Warp, passed, &text);
    }
}

#[test]
fn numbers_that_are_no_integers() {
    for (passed, parameter, condition) in [
        (false, "float x", "t < (32 * x)"),
        (false, "float x", "t < (int)(32 * x)"),
        (false, "float x", "(t + (int)(32 * x)) >> 5 == 0"),
        (true, "int x", "t < (int)(32 * x)"),
        (true, "int x", "(t + (int)(32 * x)) >> 5 == 0"),
    ] {
        for before in ["", "auto m = 32 * x; if (t < m) h();"] {
            let text = format!(
                "__global__ void k({parameter}) {{ int t = threadIdx.x; {before} if ({condition}) {{ /**/f(); }} }}"
            );
            check(Group::Warp, passed, &text);
        }
        let text = format!(
            "__global__ void k({parameter}) {{ auto m = 32 * x; if (threadIdx.x < m) {{ /**/f(); }} }}"
        );
        check(Group::Warp, passed, &text);
    }
}

#[test]
fn constants() {
    for (passed, outside, width) in [
        (true, "#define WIDTH 32", "WIDTH"),
        (true, "#define WIDTH (64)", "WIDTH"),
        (false, "#define WIDTH 48", "WIDTH"),
        (true, "enum { WIDTH = 32 };", "WIDTH"),
        (true, "", "0x20"),
        (false, "", "040"),
        (false, "const int WIDTH = 040;", "WIDTH"),
        (
            false,
            "void host() { const int WIDTH = 32; }\nextern __device__ int WIDTH;",
            "WIDTH",
        ),
        (
            false,
            "const int WIDTH = 32;\ntemplate <int WIDTH>",
            "WIDTH",
        ),
    ] {
        let text = format!(
            "{outside}\n__global__ void k() {{ if (threadIdx.x < {width}) {{ /**/f(); }} }}"
        );
        check(Group::Warp, passed, &text);
    }
    let text = "#define TID threadIdx.x\n__global__ void k() { if (TID < 32) { /**/f(); } }";
    check(Group::Warp, true, text);
}

/// Warps of blocks with several rows are others.
#[test]
fn other_dimensions_by_other_names() {
    for (passed, row) in [
        (true, "threadIdx.x"),
        (true, "threadIdx . x"),
        (false, "threadIdx.y"),
        (false, "TI.y"),
        (false, "copy(threadIdx)"),
        (false, "b.thread_index().y"),
    ] {
        let text = format!(
            "{}\n__global__ void k() {{ int y = {row}; if (threadIdx.x < 32) {{ /**/f(); }} }}",
            if row.starts_with("TI") {
                "#define TI threadIdx"
            } else {
                ""
            }
        );
        check(Group::Warp, passed, &text);
    }
}

#[test]
fn votes() {
    for (passed, vote) in [
        (true, "__any_sync(~0u, s[threadIdx.x])"),
        (true, "__reduce_add_sync(0xffffffff, 1)"),
        (false, "__any_sync(mask, s[threadIdx.x])"),
        (false, "__all_sync(__activemask(), s[threadIdx.x])"),
        (false, "__match_any_sync(~0u, threadIdx.x % 3)"),
    ] {
        let text = format!(
            "__global__ void k(int* s) {{ unsigned mask = (threadIdx.x & 16) ? 0xffff0000 : 0xffff;\n\
             if ({vote}) {{ /**/f(); }} }}"
        );
        check(Group::Warp, passed, &text);
    }
}
