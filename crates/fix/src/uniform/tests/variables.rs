//! What sets variables.

use super::*;

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

/// Which of several assignments a value is from.
#[test]
fn values_that_are_replaced() {
    for (passed, body) in [
        (
            true,
            "int i = threadIdx.x; s[i] = 1; i = n; if (i) { /**/f(); }",
        ),
        (
            false,
            "int i = n; s[i] = 1; i = threadIdx.x; if (i) { /**/f(); }",
        ),
        (
            false,
            "int i = threadIdx.x; if (n) i = 3; if (i) { /**/f(); }",
        ),
        (
            true,
            "int i = threadIdx.x; if (n) i = 3; else i = 4; if (i) { /**/f(); }",
        ),
        (
            false,
            "int i; if (threadIdx.x) i = 3; else i = 4; if (i) { /**/f(); }",
        ),
        (
            true,
            "int i = n; if (threadIdx.x) { i = 3; g(i); } i = 2; if (i) { /**/f(); }",
        ),
        (
            false,
            "int i = threadIdx.x; while (n--) { i = 3; } if (i) { /**/f(); }",
        ),
        (
            true,
            "int i = threadIdx.x; do { i = 3; } while (n--); if (i) { /**/f(); }",
        ),
        (
            false,
            "int i = threadIdx.x; for (;;) { if (i) { /**/f(); } i = 3; }",
        ),
        (
            true,
            "int i = n; for (;;) { if (i) { /**/f(); } i = threadIdx.x; g(i); i = 3; }",
        ),
        // Only another element is replaced.
        (
            false,
            "int a[2] = {1, threadIdx.x}; a[0] = n; if (a[1]) { /**/f(); }",
        ),
        (
            false,
            "int2 a = p; a.x = threadIdx.x; a.y = n; if (a.x) { /**/f(); }",
        ),
        // What a value is computed from comes before it.
        (false, "int x = threadIdx.x; x = x + 1; if (x) { /**/f(); }"),
        (
            false,
            "int x = threadIdx.x; x = n ? (g(), x) : n; if (x) { /**/f(); }",
        ),
        (
            true,
            "int x = threadIdx.x; x = n ? (g(), n) : 3; if (x) { /**/f(); }",
        ),
        (false, "int x = threadIdx.x; x += n; if (x) { /**/f(); }"),
        (false, "int x = threadIdx.x; x++; if (x) { /**/f(); }"),
        // An assignment that may be left out.
        (
            false,
            "int k = 0; threadIdx.x && (k = 1); if (k) { /**/f(); }",
        ),
        (
            false,
            "int k = threadIdx.x; n && (k = 1); if (k) { /**/f(); }",
        ),
        (true, "int k = 0; n && (k = 1); if (k) { /**/f(); }"),
        (
            false,
            "int k = 0; threadIdx.x ? k = 1 : 3; if (k) { /**/f(); }",
        ),
        (
            false,
            "int k = 0; int m = threadIdx.x || (k = 1, n); if (k) { /**/f(); }",
        ),
        // Each thread may see what another assigned last.
        (
            false,
            "__shared__ int c; c = threadIdx.x; if (threadIdx.x) c = 3; c = n; if (c) { /**/f(); }",
        ),
        (
            false,
            "static int c = 0; if (c) { /**/f(); } c = threadIdx.x;",
        ),
        (
            false,
            "g_flag = threadIdx.x; g_flag = n; if (g_flag) { /**/f(); }",
        ),
        // A reference changes with what it refers to.
        (
            false,
            "int m = n; const int& r = m; m = threadIdx.x; if (r) { /**/f(); }",
        ),
        (
            false,
            "int m = n; int& r = m; m = threadIdx.x; if (r) { /**/f(); }",
        ),
        (true, "int m = n; const int& r = m; if (r) { /**/f(); }"),
        (
            false,
            "int a[2] = {n, n}; auto q = a; q[0] = threadIdx.x; if (a[0]) { /**/f(); }",
        ),
        (
            true,
            "int a[2] = {n, n}; auto q = a[0]; q = threadIdx.x; g(q); if (a[0]) { /**/f(); }",
        ),
        // Declarations in conditions.
        (false, "if (int m = threadIdx.x) { /**/f(); }"),
        (true, "if (int m = n) { /**/f(); }"),
        (false, "if (int m = threadIdx.x; m > n) { /**/f(); }"),
        (
            false,
            "int m = n; if (int m = threadIdx.x; n) { if (m) { /**/f(); } }",
        ),
        (
            true,
            "int m = n; if (int m = threadIdx.x; n) { g(m); } if (m) { /**/f(); }",
        ),
        (false, "while (int m = threadIdx.x) { /**/f(); }"),
        (false, "if (int m = n; threadIdx.x > n) { /**/f(); }"),
        (true, "if (int m = threadIdx.x; n) { /**/f(); }"),
        // A lambda has variables of its own.
        (
            true,
            "int m = n; auto set = [] { int m = 1; m = threadIdx.x; }; set(); if (m) { /**/f(); }",
        ),
        (
            true,
            "int m = n; auto set = [](int m) { m = threadIdx.x; }; set(3); if (m) { /**/f(); }",
        ),
        (
            false,
            "auto set = [](int m) { g(m); }; set(3); int m = threadIdx.x; if (m) { /**/f(); }",
        ),
    ] {
        let text = format!("__global__ void k(int* s, int n, int2 p) {{ {body} }}");
        check(Group::Block, passed, &text);
    }
}
