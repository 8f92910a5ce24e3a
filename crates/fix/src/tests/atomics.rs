//! Atomic operations in place of plain accesses.

use super::*;

#[test]
fn updates_become_atomic() {
    for (body, expected) in [
        (
            "«p[0]» += v * 2;",
            expect![[r#"
            # `atomicAdd(&p[0], v * 2)`
            -p[0] += v * 2;
            +atomicAdd(&p[0], v * 2);
        "#]],
        ),
        (
            "«p->sum» -= v;",
            expect![[r#"
            # `atomicSub(&p->sum, v)`
            -p->sum -= v;
            +atomicSub(&p->sum, v);
            # `atomicAdd(&p->sum, -v)`
            -p->sum -= v;
            +atomicAdd(&p->sum, -v);
        "#]],
        ),
        (
            "++«*p»;",
            expect![[r#"
            # `atomicAdd(p, 1)`
            -++*p;
            +atomicAdd(p, 1);
        "#]],
        ),
        (
            "(«*p»)++;",
            expect![[r#"
            # `atomicAdd(p, 1)`
            -(*p)++;
            +atomicAdd(p, 1);
        "#]],
        ),
        (
            "«*(p + 1)» = *(p + 1) | v;",
            expect![[r#"
            # `atomicOr(p + 1, v)`
            -*(p + 1) = *(p + 1) | v;
            +atomicOr(p + 1, v);
        "#]],
        ),
        (
            "«p[0]» = v + p[0];",
            expect![[r#"
            # `atomicAdd(&p[0], v)`
            -p[0] = v + p[0];
            +atomicAdd(&p[0], v);
        "#]],
        ),
        (
            "«p[0]» = (p[0] + v - 1);",
            expect![[r#"
            # `atomicAdd(&p[0], v - 1)`
            -p[0] = (p[0] + v - 1);
            +atomicAdd(&p[0], v - 1);
        "#]],
        ),
        (
            "«p[0]» = std::max(v, p[0]);",
            expect![[r#"
            # `atomicMax(&p[0], v)`
            -p[0] = std::max(v, p[0]);
            +atomicMax(&p[0], v);
        "#]],
        ),
        (
            "«p[0]» = p[0] < v ? p[0] : v;",
            expect![[r#"
            # `atomicMin(&p[0], v)`
            -p[0] = p[0] < v ? p[0] : v;
            +atomicMin(&p[0], v);
        "#]],
        ),
        (
            "if (v > «p[0]») { p[0] = v; }",
            expect![[r#"
            # `atomicMax(&p[0], v)`
            -if (v > p[0]) { p[0] = v; }
            +atomicMax(&p[0], v);
        "#]],
        ),
        (
            "if (n) «p[0]» = 1;",
            expect![[r#"
            # `atomicExch(&p[0], 1)`
            -if (n) p[0] = 1;
            +if (n) atomicExch(&p[0], 1);
        "#]],
        ),
        (
            "if (n)\n\tp[0]++;\nelse\n\t«p[0]» ^= v; // toggles",
            expect![[r#"
                # `atomicXor(&p[0], v)`
                -→p[0] ^= v; // toggles
                +→atomicXor(&p[0], v); // toggles
            "#]],
        ),
    ] {
        check_atomic(body, &expected);
    }
}

#[test]
fn what_no_atomic_does_stays() {
    for body in [
        // Their value is used.
        "v = «p[0]» += v;",
        "for («p[0]» += v; n; n--) f();",
        // CUDA has no such atomic function.
        "«p[0]» *= v;",
        "«p[0]» = v - p[0];",
        "«p[0]» = p[0] < v ? 0 : v;",
        // The comparison also controls other statements.
        "if (v < «p[0]») { p[0] = v; n = 1; }",
        "if (v < «p[0]») p[0] = v; else n = 1;",
        "if (f() < «p[0]») p[0] = f();",
        // Atomic reads could still come too early.
        "v = «p[0]»;",
    ] {
        check_atomic(body, &expect![[""]]);
    }
}

#[test]
fn counters_return_the_old_value() {
    for (body, expected) in [
        (
            "p[«p[0]»++] = v;",
            expect![[r#"
            # `atomicAdd(&p[0], 1)` on line 2
            -p[p[0]++] = v;
            +p[atomicAdd(&p[0], 1)] = v;
        "#]],
        ),
        (
            "p[--«*p»] = v;",
            expect![[r#"
            # `atomicSub(p, 1)` on line 2
            -p[--*p] = v;
            +p[(atomicSub(p, 1) - 1)] = v;
        "#]],
        ),
        (
            "v = «p[0]»;\np[0] = v + 1;",
            expect![[r#"
            # `atomicAdd(&p[0], 1)` on line 2 for the read and the write of `p[0]`
            -v = p[0];
            -p[0] = v + 1;
            +v = atomicAdd(&p[0], 1);
        "#]],
        ),
        (
            "const int old = p[0];\n«p[0]» += n;",
            expect![[r#"
                # `atomicAdd(&p[0], n)`
                -p[0] += n;
                +atomicAdd(&p[0], n);
                # `atomicAdd(&p[0], n)` on line 2 for the read and the write of `p[0]`
                -const int old = p[0];
                -p[0] += n;
                +const int old = atomicAdd(&p[0], n);
            "#]],
        ),
        ("v = «p[0]»;\np[0] = 2 - v;", expect![[""]]),
        ("v = «p[0]»;\nif (v) p[0] = v + 1;", expect![[""]]),
    ] {
        check_atomic(body, &expected);
    }
}

/// An atomic leaves a read in its operand as it is.
#[test]
fn no_atomic_stands_for_a_barrier() {
    let kernel = |body| format!("__global__ void k(int* s, int t, int d) {{\n{body}\n}}\n");
    for (code, body) in [
        ("HR006", "«s[t]» += «s[t + d]»;"),
        ("HR002", "«s[t]» += s[t + d];\nif (t == 0) d = «s[0]»;"),
    ] {
        check(code, Relation::Launch, &kernel(body), &expect![[""]]);
    }
}

#[test]
fn functions_that_hosts_call_and_operators_stay() {
    for text in [
        "__host__ __device__ void k(int* p) {\n«p[0]» += 1;\n}\n",
        "struct V { __device__ V& operator+=(int v) { «x» += v; return *this; } int x; };\n",
    ] {
        check("HR006", Relation::Grid, text, &expect![[""]]);
    }
    check(
        "HR006",
        Relation::Grid,
        "struct Adds { __device__ void operator()(int* p) const { «p[1]» += 1; } };\n",
        &expect![[r#"
            # `atomicAdd(&p[1], 1)`
            -struct Adds { __device__ void operator()(int* p) const { p[1] += 1; } };
            +struct Adds { __device__ void operator()(int* p) const { atomicAdd(&p[1], 1); } };
        "#]],
    );
}
