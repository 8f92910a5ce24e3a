//! Objects whose class makes them differ between threads.

use super::*;

const DECLARATIONS: &str = "__device__ int lane_id() { return threadIdx.x; }\n__device__ int twice(int x) { return 2 * x; }\n\
    struct Plain { int v; };\nstruct Twice { int v; __device__ Twice(int x) : v(twice(x)) {} };\n\
    struct Lane { int t; __device__ Lane() : t(threadIdx.x) {} };\n\
    struct Called { int t; __device__ Called() : t(lane_id()) {} };\n\
    struct Begun { int t; __device__ Begun() { begin(); } __device__ void begin() { t = threadIdx.x; } };\n\
    struct Default { int t = lane_id(); };\nstruct Outer { Lane lane; };\nstruct Derived : Lane { int z; };\n\
    struct Far { int t; __device__ Far(); };\n__device__ Far::Far() { t = threadIdx.x; }\n\
    using Alias = Lane;\ntypedef Lane Named;\n";

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
            (false, "Far c; if (c.t) { /**/f(); }"),
            (false, "Alias c; if (c.t) { /**/f(); }"),
            (false, "Named c; if (c.t) { /**/f(); }"),
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

/// Operators and conversions may read more than their operands.
#[test]
fn operators_of_classes() {
    const DECLARATIONS: &str = "struct Lane { __device__ operator int() const { return threadIdx.x; } };\n\
        struct View { int* p; __device__ int& operator[](int i) const { return p[i * 32 + threadIdx.x]; } };\n\
        struct V { int v; };\n__device__ bool operator==(V a, V b) { return a.v == b.v + threadIdx.x; }\n__device__ Lane lane;\n";
    check_bodies(
        DECLARATIONS,
        &[
            (false, "Lane c; if (c) { /**/f(); }"),
            (false, "if (lane < n) { /**/f(); }"),
            (false, "View v{s}; if (v[0]) { /**/f(); }"),
            (false, "V a{n}, b{n}; if (a == b) { /**/f(); }"),
            (true, "if (n == blockDim.x) { /**/f(); }"),
        ],
    );
    let text = format!("{DECLARATIONS}__global__ void k(View v) {{ if (v[0]) {{ /**/f(); }} }}");
    check(Group::Block, false, &text);
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
        (false, "(inner.w ? v : inner.w) = threadIdx.x;"),
        (false, "ref() = threadIdx.x;"),
        (false, "self().v = threadIdx.x;"),
        (false, "{ int v = 3; g(v); } v = threadIdx.x;"),
        (false, "SET(threadIdx.x);"),
        (false, "Base::put(threadIdx.x);"),
        (true, "int v = threadIdx.x; g(v);"),
        (true, "to[threadIdx.x] = v;"),
        (true, "int m = inner.w; m += threadIdx.x; to[m] = 3;"),
    ] {
        let class = format!(
            "#define SET(x) v = (x)\nstruct Base {{ int w; __device__ void put(int x) {{ w = x; }} }};\n\
             struct O : Base {{ int v; Base inner; int* to; __device__ int& ref() {{ return v; }} __device__ O& self() {{ return *this; }}\n\
             __device__ void again() {{ a1(); }} __device__ void a1() {{ a2(); }}\n\
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

/// A method of the own object is called without naming that.
#[test]
fn calls_of_own_methods() {
    for (passed, object, run) in [
        (true, "A a{n};", "if (test()) { /**/f(); }"),
        (false, "A a{threadIdx.x};", "if (test()) { /**/f(); }"),
        (
            false,
            "A a{n};",
            "v = threadIdx.x; if (test()) { /**/f(); }",
        ),
        (true, "A a{n};", "while (test()) { /**/f(); }"),
    ] {
        let text = format!(
            "struct A {{ int v; __device__ bool test() const {{ return v > 2; }} __device__ void run() {{ {run} }} }};\n\
             __global__ void k(int n) {{ {object} a.run(); }}"
        );
        check(Group::Block, passed, &text);
    }
}

#[test]
fn results_of_methods() {
    for (passed, method) in [
        (true, "int size() const { return n; }"),
        (true, "int size() const { return k; }"),
        (false, "int size() const { return n + threadIdx.x; }"),
        (false, "int size() const { return unknown(n); }"),
    ] {
        let text = format!(
            "struct P {{ int n, k; __device__ {method} }};\n\
             __global__ void k(P p) {{ for (int i = 0; i < p.size(); i++) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// The class may be an argument of a template.
#[test]
fn classes_of_templates() {
    const LANE: &str = "struct Lane { int t = threadIdx.x; };";
    for (passed, class) in [(false, LANE), (true, "struct Lane { int t = 3; };")] {
        for kernel in [
            "template <class C> __global__ void k(int n) { C c; if (c.t) { /**/f(); } }",
            "template <class C> __global__ void k(int n) { if (C{}.t) { /**/f(); } }",
            "template <class C> struct H { C c; };\n__global__ void k(int n) { H<Lane> h; if (h.c.t) { /**/f(); } }",
            "__global__ void k(int n) { decltype(Lane{}) c; if (c.t) { /**/f(); } }",
            "template <class C> __device__ C make() { return C{}; }\n\
             __global__ void k(int n) { auto c = make<Lane>(); if (c.t) { /**/f(); } }",
        ] {
            check(Group::Block, passed, &format!("{class}\n{kernel}"));
        }
    }
}

#[test]
fn ranges() {
    for (passed, first) in [(false, "int(threadIdx.x)"), (true, "0")] {
        let text = format!(
            "struct It {{ int i; __device__ int operator*() const {{ return i; }} \
             __device__ void operator++() {{ i += 32; }} \
             __device__ bool operator!=(It o) const {{ return i < o.i; }} }};\n\
             struct R {{ int n; __device__ It begin() const {{ return {{{first}}}; }} \
             __device__ It end() const {{ return {{n}}; }} }};\n\
             __global__ void k(int n) {{ R r{{n}}; for (int i : r) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
}

/// Names of members say nothing of those of other classes.
#[test]
fn pointer_members() {
    for (passed, body) in [
        (false, "set(v.x);"),
        (false, "float& r = v.x; r = threadIdx.x;"),
        (true, "*im.x = threadIdx.x;"),
        (true, "im.x[3] = threadIdx.x;"),
    ] {
        let text = format!(
            "struct Image {{ float* x; }};\n__device__ void set(float& v) {{ v = threadIdx.x; }}\n\
             __global__ void k(Image im, int n) {{ float2 v = make_float2(n, n); {body} if (v.x > 0) {{ /**/f(); }} }}"
        );
        check(Group::Block, passed, &text);
    }
}
