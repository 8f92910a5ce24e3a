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
            false,
            "int count; __device__ int size(int x, int y) { return (count)++; }",
        ),
        (
            false,
            "int counts[2]; __device__ int size(int x, int y) { return ++(counts[0]); }",
        ),
        (
            true,
            "int size(int x, int y) { int m = 0; m++; return x + (m); }",
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
        (false, "f(n); (f)(threadIdx.x);"),
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

#[test]
fn constructors_and_destructors() {
    for (member, body) in [
        (
            "W(int m) { if (m) { /**/g(); } }",
            "W w(threadIdx.x); auto q = W(n);",
        ),
        (
            "W(int m) { if (m) { /**/g(); } }",
            "W w = threadIdx.x; auto q = W(n);",
        ),
        (
            "~W() { /**/g(); }",
            "if (threadIdx.x) { W w; } W* q = new W; q->~W();",
        ),
    ] {
        let text =
            format!("struct W {{ __device__ {member} }};\n__global__ void k(int n) {{ {body} }}");
        check(Group::Block, false, &text);
    }
}

/// What gives access to an argument may be hidden in a type.
#[test]
fn parameters_that_give_access() {
    for (passed, function, body) in [
        (
            false,
            "template <class It> __device__ void set(It p, int v) { *p = v; }",
            "int a[4] = {}; set(a, threadIdx.x);",
        ),
        (
            false,
            "__device__ void set(auto p, int v) { *p = v; }",
            "int a[4] = {}; set(a, threadIdx.x);",
        ),
        (
            false,
            "using P = int*;\n__device__ void set(P p, int v) { *p = v; }",
            "int a[4] = {}; set(a, threadIdx.x);",
        ),
        (
            true,
            "using P = int*;\n__device__ void set(int p, int v) { g(p); }",
            "int a[4] = {}; set(a[0], threadIdx.x);",
        ),
        (
            false,
            "using R = int&;\n__device__ void set(R p, int v) { p = v; }",
            "int a[4] = {}; set(a[0], threadIdx.x);",
        ),
        (
            false,
            "typedef int A[4];\n__device__ void set(int* p, int v) { *p = v; }",
            "A a = {}; set(a, threadIdx.x);",
        ),
        (
            false,
            "using R = int&;",
            "int a[4] = {}; R r = a[0]; r = threadIdx.x;",
        ),
        (
            false,
            "",
            "int a[4] = {}; decltype(auto) r = (a[0]); r = threadIdx.x;",
        ),
    ] {
        let text =
            format!("{function}\n__global__ void k(int n) {{ {body} if (a[0]) {{ /**/f(); }} }}");
        check(Group::Block, passed, &text);
    }
}

#[test]
fn functions_in_variables() {
    for (passed, body) in [
        (
            false,
            "auto l = [](int& x) { x = threadIdx.x; }; auto c = l; c(m);",
        ),
        (false, "auto p = set; p(m);"),
        (false, "void (*p)(int&) = set; p(m);"),
        (false, "(set)(m);"),
        (true, "auto l = [](int x) { g(x); }; l(m);"),
    ] {
        let text = format!(
            "__device__ void set(int& x) {{ x = threadIdx.x; }}\n\
             __global__ void k(int n) {{ int m = n; {body} if (m) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
    for (passed, parameter) in [(false, "int& x"), (true, "int x")] {
        let text = format!(
            "template <class F> __device__ void body(F f, int n) {{ int m = n; f(m); if (m) {{ /**/g(); }} }}\n\
             __global__ void k(int n) {{ body([]({parameter}) {{ h(x); }}, n); }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// Memory that each thread has for itself is at other addresses; so is shared memory of other blocks.
#[test]
fn functions_that_return_memory() {
    let text = "struct N { int v; };\n__device__ N* make(int v) { return new N{v}; }\n\
        __global__ void k(int n) { N* q = make(n); q->v = threadIdx.x; if (q->v) { /**/f(); } }";
    check(Group::Block, false, text);
    for function in [
        "__shared__ int c;\n__device__ int get() { return c; }",
        "__device__ int get() { extern __shared__ int s[]; return s[0]; }",
    ] {
        let text = format!("{function}\n__global__ void k(int n) {{ if (get()) {{ /**/f(); }} }}");
        check(Group::Block, true, &text);
        check(Group::Grid, false, &text);
    }
}
