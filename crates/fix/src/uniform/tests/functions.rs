//! Results of functions, and functions that are used in other ways than by a call.

use super::*;

#[test]
fn results_of_functions() {
    for (passed, function) in [
        (true, "int size(int x, int y) { return (x + y - 1) / y; }"),
        (false, "int size(int x, int y) { return x + threadIdx.x; }"),
        (false, "int size(int x, int y) { return other(x); }"),
        (
            false,
            "int size(int x, int y) { int t; asm(\"mov.u32 %0, %tid.x;\" : \"=r\"(t)); return t; }",
        ),
        (
            true,
            "int twice(int x) { return 2 * x; } __device__ int size(int x, int y) { return twice(x) / y; }",
        ),
        (
            false,
            "int tid() { return threadIdx.x; } __device__ int size(int x, int y) { return tid() + x; }",
        ),
        (
            true,
            "int size(int x, int y) { return x > 3 ? size(x - y, y) : 1; }",
        ),
    ] {
        let text = format!(
            "__device__ {function}\n__global__ void k(int n) {{ for (int i = 0; i < size(n, 32); i++) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
}

#[test]
fn functions_with_names_of_pure_ones() {
    for (passed, function) in [
        (
            false,
            "__device__ int round(int x) { return x + threadIdx.x; }",
        ),
        (true, "__device__ int round(int x) { return x + 1; }"),
        (true, ""),
    ] {
        let text =
            format!("{function}\n__global__ void k(int n) {{ if (round(n)) {{ /**/f(); }} }}");
        check(Group::Block, passed, &text);
    }
}

#[test]
fn results_in_the_grid() {
    let text = "__device__ int block() { return blockIdx.x; }\n__global__ void k() { if (block()) { /**/f(); } }";
    check(Group::Block, true, text);
    check(Group::Grid, false, text);
}

#[test]
fn functions_passed_on() {
    for (passed, use_of_f) in [
        (true, "f(n);"),
        (false, "f(n); auto p = f; p(threadIdx.x);"),
        (false, "f(n); auto p = &f; p(threadIdx.x);"),
        (false, "f(n); apply(f, threadIdx.x);"),
        (false, "f(n); by_name<f>(threadIdx.x);"),
        (true, "f(n); { int f = threadIdx.x; g(f); }"),
    ] {
        let text = format!(
            "__device__ void f(int m) {{ if (m > 2) {{ /**/g(); }} }}\n\
             template <class F> __device__ void apply(F h, int x) {{ h(x); }}\n\
             template <void (*F)(int)> __device__ void by_name(int x) {{ F(x); }}\n\
             __global__ void k(int n) {{ {use_of_f} }}"
        );
        check(Group::Block, passed, &text);
    }
}

#[test]
fn parameter_packs() {
    for (passed, condition, call) in [
        (false, "(m + ...) > 2", "f(n, threadIdx.x);"),
        (true, "q", "f(n, threadIdx.x);"),
    ] {
        let text = format!(
            "template <class... A> __device__ void f(int q, A... m) {{ if ({condition}) {{ /**/g(); }} }}\n\
             __global__ void k(int n) {{ {call} }}"
        );
        check(Group::Block, passed, &text);
    }
}
