//! Objects whose class makes them differ between threads.

use super::*;

const DECLARATIONS: &str = "__device__ int lane_id() { return threadIdx.x; }\n__device__ int twice(int x) { return 2 * x; }\n\
    struct Plain { int v; };\nstruct Twice { int v; __device__ Twice(int x) : v(twice(x)) {} };\n\
    struct Lane { int t; __device__ Lane() : t(threadIdx.x) {} };\n\
    struct Called { int t; __device__ Called() : t(lane_id()) {} };\n\
    struct Begun { int t; __device__ Begun() { begin(); } __device__ void begin() { t = threadIdx.x; } };\n\
    struct Default { int t = lane_id(); };\nstruct Outer { Lane lane; };\nstruct Derived : Lane { int z; };\n\
    using Alias = Lane;\ntypedef Lane Named;\nstruct Converted { __device__ operator int() const { return threadIdx.x; } };\n\
    struct View { int* p; __device__ int& operator[](int i) const { return p[i * 32 + threadIdx.x]; } };\n";

#[test]
fn classes_of_objects() {
    check_bodies(
        DECLARATIONS,
        &[
            (false, "Lane c; if (c.t) { /**/f(); }"),
            (false, "struct Lane c; if (c.t) { /**/f(); }"),
            (false, "auto c = Lane{}; if (c.t) { /**/f(); }"),
            (false, "if (Lane{}.t) { /**/f(); }"),
            (false, "Called c; if (c.t) { /**/f(); }"),
            (false, "Begun c; if (c.t) { /**/f(); }"),
            (false, "Default c; if (c.t) { /**/f(); }"),
            (false, "Outer c; if (c.lane.t) { /**/f(); }"),
            (false, "Derived c; if (c.t) { /**/f(); }"),
            (false, "Alias c; if (c.t) { /**/f(); }"),
            (false, "Named c; if (c.t) { /**/f(); }"),
            (false, "Converted c; if (c) { /**/f(); }"),
            (false, "View v{s}; if (v[0]) { /**/f(); }"),
            (
                false,
                "struct L { int v = threadIdx.x; } l; if (l.v) { /**/f(); }",
            ),
            (true, "struct L { int v = 3; } l; if (l.v) { /**/f(); }"),
            (true, "Plain c{n}; if (c.v) { /**/f(); }"),
            (false, "Plain c{threadIdx.x}; if (c.v) { /**/f(); }"),
            (true, "Twice c(n); if (c.v) { /**/f(); }"),
            (
                false,
                "int t = threadIdx.x; Twice c(t); if (c.v) { /**/f(); }",
            ),
            (
                false,
                "int t = threadIdx.x; int2 c(t, n); if (c.x) { /**/f(); }",
            ),
        ],
    );
}

#[test]
fn objects_of_the_grid() {
    for (passed, class) in [
        (false, "struct C { int b = blockIdx.x; };"),
        (
            false,
            "struct C { int b; __device__ C() : b(blockIdx.x) {} };",
        ),
        (true, "struct C { int b = gridDim.x; };"),
    ] {
        let text = format!("{class}\n__global__ void k() {{ C c; if (c.b) {{ /**/f(); }} }}");
        check(Group::Grid, passed, &text);
        check(Group::Block, true, &text);
    }
}

/// Each method may change its object, in ways that are more or less hidden.
#[test]
fn methods_that_change_their_object() {
    for (passed, set) in [
        (false, "v = threadIdx.x;"),
        (false, "this->v = threadIdx.x;"),
        (false, "(*this).v = threadIdx.x;"),
        (false, "int& r = v; r = threadIdx.x;"),
        (false, "int* r = &v; *r = threadIdx.x;"),
        (false, "auto& r = *this; r.v = threadIdx.x;"),
        (false, "auto r = this; r->v = threadIdx.x;"),
        (false, "again();"),
        (false, "this->again();"),
        (false, "inner.put(threadIdx.x);"),
        (false, "Base::put(threadIdx.x);"),
        (true, "int v = threadIdx.x; g(v);"),
        (true, "to[threadIdx.x] = v;"),
        (true, "int m = inner.w; m += threadIdx.x; to[m] = 3;"),
    ] {
        let class = format!(
            "struct Base {{ int w; __device__ void put(int x) {{ w = x; }} }};\n\
             struct O : Base {{ int v; Base inner; int* to; __device__ void again() {{ a1(); }} __device__ void a1() {{ a2(); }}\n\
             __device__ void a2() {{ a3(); }} __device__ void a3() {{ a4(); }} __device__ void a4() {{ a5(); }}\n\
             __device__ void a5() {{ v = threadIdx.x; }} __device__ void set() {{ {set} }}\n"
        );
        let outside =
            format!("{class}}};\n__global__ void k(O o) {{ o.set(); if (o.v) {{ /**/f(); }} }}");
        check(Group::Block, passed, &outside);
        let inside = format!(
            "{class}__device__ void run() {{ set(); if (v) {{ /**/f(); }} }} }};\n__global__ void k(O o) {{ o.run(); }}"
        );
        check(Group::Block, passed, &inside);
        let alone = format!(
            "{class}__device__ void run() {{ {set} if (this->v) {{ /**/f(); }} }} }};\n__global__ void k(O o) {{ o.run(); }}"
        );
        check(Group::Block, passed, &alone);
    }
}

#[test]
fn results_of_methods() {
    for (passed, method) in [
        (true, "int size() const { return n; }"),
        (false, "int size() const { return n + threadIdx.x; }"),
        (false, "int size() const { return unknown(n); }"),
    ] {
        let text = format!(
            "struct P {{ int n; __device__ {method} }};\n\
             __global__ void k(P p) {{ for (int i = 0; i < p.size(); i++) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
}
