//! Variables that change by other names: by pointers, references, calls and lambdas.

use super::*;

const DECLARATIONS: &str = "struct S { int a[2]; int v; __device__ int* data() { return a; } __device__ int& ref() { return v; } };\n\
    struct Holder { int* p; };\nstruct Ref { int& r; };\nstruct Init { __device__ Init(int& x) { x = threadIdx.x; } };\n\
    struct Op { __device__ void operator()(int& a) const { a = threadIdx.x; } };\n\
    __device__ void fill(int* a) { a[0] = threadIdx.x; }\n__device__ int sum(const int* a) { return a[0] + a[1]; }\n";

#[test]
fn parts_of_objects() {
    check_bodies(
        DECLARATIONS,
        &[
            (
                false,
                "S o; int* q = o.a; q[0] = threadIdx.x; if (o.a[0]) { /**/f(); }",
            ),
            (false, "S o; fill(o.a); if (o.a[0]) { /**/f(); }"),
            (true, "S o{}; if (sum(o.a)) { /**/f(); }"),
            (
                false,
                "S o; o.data()[0] = threadIdx.x; if (o.a[0]) { /**/f(); }",
            ),
            (
                false,
                "S o; int* q = o.data(); q[0] = threadIdx.x; if (o.a[0]) { /**/f(); }",
            ),
            (false, "S o; o.ref() = threadIdx.x; if (o.v) { /**/f(); }"),
            (
                false,
                "S o; int& r = o.ref(); r = threadIdx.x; if (o.v) { /**/f(); }",
            ),
            (
                false,
                "cuda::std::array<int, 2> a{}; a.at(0) = threadIdx.x; if (a[0]) { /**/f(); }",
            ),
            (
                false,
                "cuda::std::array<int, 2> a{}; a.fill(threadIdx.x); if (a[0]) { /**/f(); }",
            ),
            (
                false,
                "cuda::std::array<int, 2> a{}; std::get<0>(a) = threadIdx.x; if (a[0]) { /**/f(); }",
            ),
            (
                true,
                "cuda::std::array<int, 2> a{}; g(a.size()); if (a[0]) { /**/f(); }",
            ),
            (
                false,
                "union { int i; float f; }; f = threadIdx.x; if (i) { /**/f(); }",
            ),
        ],
    );
}

#[test]
fn pointers_to_arrays() {
    check_bodies(
        DECLARATIONS,
        &[
            (
                false,
                "int a[2]; auto const q = a; q[0] = threadIdx.x; if (a[0]) { /**/f(); }",
            ),
            (
                false,
                "int a[2][2]; auto q = a[0]; q[0] = threadIdx.x; if (a[0][0]) { /**/f(); }",
            ),
            (
                true,
                "int a[2][2] = {}; auto q = a[0][1]; q = threadIdx.x; g(q); if (a[0][0]) { /**/f(); }",
            ),
            (
                false,
                "int* ps[2] = {s, s}; ps[0] = s + threadIdx.x; if (*ps[0]) { /**/f(); }",
            ),
            (
                false,
                "int* q = new int[4]; q[0] = threadIdx.x; if (q[0]) { /**/f(); }",
            ),
            (
                false,
                "int a[2] = {}; Holder h{a}; h.p[0] = threadIdx.x; if (a[0]) { /**/f(); }",
            ),
            (
                false,
                "int a[2] = {}; Span<int> h = a; h[0] = threadIdx.x; if (a[0]) { /**/f(); }",
            ),
            (
                false,
                "int* a = s; int* b = s + threadIdx.x; std::swap(a, b); if (a[0]) { /**/f(); }",
            ),
        ],
    );
}

#[test]
fn references() {
    check_bodies(
        DECLARATIONS,
        &[
            (
                false,
                "int a = n; reinterpret_cast<unsigned&>(a) = threadIdx.x; if (a) { /**/f(); }",
            ),
            (
                false,
                "int a = n, b = n; int& r = n ? a : b; r = threadIdx.x; if (a) { /**/f(); }",
            ),
            (
                false,
                "int a = n, b = n; const int& r = n ? a : b; a = threadIdx.x; if (r) { /**/f(); }",
            ),
            (
                false,
                "int m = n; int& q{m}; q = threadIdx.x; if (m) { /**/f(); }",
            ),
            (
                false,
                "int m = n; int& q(m); q = threadIdx.x; if (m) { /**/f(); }",
            ),
            (
                false,
                "int m = n; Ref i{m}; i.r = threadIdx.x; if (m) { /**/f(); }",
            ),
            (false, "int m = n; Init i(m); if (m) { /**/f(); }"),
            (false, "int m = n; Init i{m}; if (m) { /**/f(); }"),
            (
                false,
                "int m = n; auto q = std::addressof(m); *q = threadIdx.x; if (m) { /**/f(); }",
            ),
            (
                false,
                "int a, b; std::tie(a, b) = make(threadIdx.x); if (a) { /**/f(); }",
            ),
            (
                true,
                "int a = n, b = std::max(a, 3); for (int i = 0; i < b; i++) { /**/f(); }",
            ),
        ],
    );
}

/// What they lead to changes after they were set.
#[test]
fn aliases_that_only_read() {
    check_bodies(
        DECLARATIONS,
        &[
            (
                false,
                "int a[2] = {}; const int* q = a; a[0] = threadIdx.x; if (q[0]) { /**/f(); }",
            ),
            (
                false,
                "int a[2] = {}, b[2] = {}; const int* q = n ? a : b; a[0] = threadIdx.x; if (q[0]) { /**/f(); }",
            ),
            (
                false,
                "int m = n; const int& r{m}; m = threadIdx.x; if (r) { /**/f(); }",
            ),
            (
                false,
                "int2 q = p; const auto& [x, y] = q; q.x = threadIdx.x; if (x) { /**/f(); }",
            ),
            (
                true,
                "int2 q = p; const auto [x, y] = q; q.x = threadIdx.x; if (x) { /**/f(); }",
            ),
        ],
    );
}

/// Each thread that adds gets another number.
#[test]
fn counters_of_all_threads() {
    check_bodies(
        "__device__ cuda::atomic<int> counter;\n",
        &[
            (false, "int m = counter++; if (m == 0) { /**/f(); }"),
            (
                false,
                "cuda::atomic_ref<int> r(*s); int m = r++; if (m == 0) { /**/f(); }",
            ),
            (false, "int m = (*s)++; if (m == 0) { /**/f(); }"),
            (false, "int m = s[0] += 1; if (m == 0) { /**/f(); }"),
            (true, "int i = n, m = i++; if (m == 0) { /**/f(); }"),
            (true, "int a[2] = {}, m = a[0]++; if (m == 0) { /**/f(); }"),
        ],
    );
}

#[test]
fn lambdas_and_functors() {
    check_bodies(
        DECLARATIONS,
        &[
            (
                false,
                "auto set = [](int& a) { a = threadIdx.x; }; int m = n; set(m); if (m) { /**/f(); }",
            ),
            (
                false,
                "auto set = [](auto& a) { a = threadIdx.x; }; int m = n; set(m); if (m) { /**/f(); }",
            ),
            (
                true,
                "auto show = [](int a) { g(a); }; int m = n; show(m); if (m) { /**/f(); }",
            ),
            (
                true,
                "auto show = [](const int& a) { g(a); }; int m = n; show(m); if (m) { /**/f(); }",
            ),
            (
                false,
                "int m = n; auto get = [&]() -> int& { return m; }; get() = threadIdx.x; if (m) { /**/f(); }",
            ),
            (
                false,
                "int m = n; auto l = [&r = m] { r = threadIdx.x; }; l(); if (m) { /**/f(); }",
            ),
            (false, "Op op; int m = n; op(m); if (m) { /**/f(); }"),
            (false, "int m = n; Op()(m); if (m) { /**/f(); }"),
            (
                false,
                "auto max = [](int x) { return x + threadIdx.x; }; if (max(n)) { /**/f(); }",
            ),
        ],
    );
}

/// The grammar takes some expressions for casts and for declarations.
#[test]
fn expressions_that_look_otherwise() {
    check_bodies(
        DECLARATIONS,
        &[
            (false, "int t = threadIdx.x; if ((t) + 1 < n) { /**/f(); }"),
            (false, "int t = threadIdx.x; if ((t) & 1 < n) { /**/f(); }"),
            (false, "if ((s[threadIdx.x]) + 1 < n) { /**/f(); }"),
            (true, "int t = n; if ((t) + 1 < n) { /**/f(); }"),
            (false, "int t = threadIdx.x; int a(t); if (a) { /**/f(); }"),
            (
                false,
                "int t = threadIdx.x; unsigned a(t * n); if (a) { /**/f(); }",
            ),
            (true, "int t = n; int a(t); if (a) { /**/f(); }"),
            (
                false,
                "int t = threadIdx.x; const int b(n), a(t); if (a) { /**/f(); }",
            ),
            (
                false,
                "int a = n, t = threadIdx.x; a * t; a = t; if (a) { /**/f(); }",
            ),
            (
                false,
                "int m = 0; ({ if (threadIdx.x) m = 1; m; }); if (m) { /**/f(); }",
            ),
            (false, "int m = ({ if (threadIdx.x) return; 1; }); /**/f();"),
            (
                true,
                "int m = sizeof(s[threadIdx.x]); if (m == 4) { /**/f(); }",
            ),
        ],
    );
}

/// One branch is compiled, or another.
#[test]
fn branches_of_the_preprocessor() {
    for (passed, first, second) in [
        (false, "threadIdx.x", "n"),
        (false, "n", "threadIdx.x"),
        (true, "n", "3"),
    ] {
        for declaration in ["int ", ""] {
            let text = format!(
                "__global__ void k(int n) {{\nint a = 0;\n{{\n#if A\n {declaration}a = {first};\n#else\n \
                 {declaration}a = {second};\n#endif\n if (a) {{ /**/f(); }} }} }}"
            );
            check(Group::Block, passed, &text);
        }
    }
}
