//! The candidates for races in all sorts of texts, before any is tested.

use std::ops::Range;

use expect_test::{Expect, expect};
use similar::TextDiff;

use super::candidates;
use super::edit::EditSet;
use super::syntax::{Sources, Syntax};
use hirace_instrument::rewrite::{Facts, Source};
use hirace_report::{
    Access, AccessKind, Actor, Certainty, Failure, Position, Race, Relation, Report, Role, Space,
};
use hirace_syntax::Defines;

/// All candidates for a race of the places in `«»`, the first of which is the earlier access, and the
/// last the later one. Of four places, the other two are the write and the read of a flag.
#[track_caller]
fn check(code: &'static str, relation: Relation, marked: &str, expected: &Expect) {
    let (text, places) = unmarked(marked);
    let [prior, current] = [places[0].clone(), places[places.len() - 1].clone()];
    let defines = Defines::new();
    let file = Source {
        path: "a.cu",
        text: &text,
    };
    let facts = Facts::collect(&[file], &defines);
    let sources = Sources(vec![Syntax::of("a.cu", &text, &defines, &facts)]);
    let mut race = race(code, relation, &sources.0[0], [prior, current]);
    if let [_, written, read, _] = places.as_slice() {
        let flag = [written, read].map(|range| Position {
            file: Some("a.cu".to_owned()),
            range: range.clone(),
            ..Position::default()
        });
        race.flag = Some(flag);
    }
    let mut report = Report::failed(None, 0, Failure::default());
    report.races.push(race);
    let mut listed = String::new();
    for candidate in candidates::of_report(&report, &sources) {
        let none = EditSet::default();
        let edits = none.with(0, &none, &candidate.edits).expect("sound edits");
        let edited = edits.apply("a.cu", &text);
        let diff = TextDiff::from_lines(&text, &edited);
        listed += &format!("# {}\n", candidate.what);
        for hunk in diff.unified_diff().context_radius(0).iter_hunks() {
            listed.extend(hunk.to_string().split_inclusive('\n').skip(1));
        }
    }
    expected.assert_eq(&listed.replace('\r', "␍").replace('\t', "→"));
}

/// A text without its marks `«»`, and the places in them.
pub(super) fn unmarked(marked: &str) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for (index, piece) in marked.split(['«', '»']).enumerate() {
        if index % 2 == 1 {
            places.push(text.len()..text.len() + piece.len());
        }
        text += piece;
    }
    (text, places)
}

pub(super) fn race(
    code: &'static str,
    relation: Relation,
    syntax: &Syntax<'_>,
    [prior, current]: [Range<usize>; 2],
) -> Race {
    let access = |role, range: Range<usize>| {
        let function = syntax
            .at(&range)
            .enclosing_function()
            .and_then(|it| syntax.name(it));
        Access {
            role,
            access: AccessKind::Write,
            position: Position {
                file: Some(syntax.file.to_owned()),
                text: syntax.text.get(range.clone()).map(str::to_owned),
                function: function.map(str::to_owned),
                range,
                ..Position::default()
            },
            block: None,
            thread: None,
            size: None,
            begin: None,
            origin: None,
            actor: Actor::Thread,
        }
    };
    Race {
        fingerprint: String::new(),
        code: code.into(),
        title: "".into(),
        kernel: "k".to_owned(),
        space: Space::Shared,
        variable: "s".to_owned(),
        relation,
        certainty: Certainty::Definite,
        occurrences: 1,
        locations: None,
        blocks: None,
        spread: None,
        seeds: vec![0],
        accesses: [access(Role::Prior, prior), access(Role::Current, current)],
        element: None,
        launch: None,
        transition: None,
        flag: None,
        reason: String::new(),
        help: String::new(),
    }
}

/// Atomics for the statements in a kernel's body.
#[track_caller]
fn check_atomic(body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* p, int v) {{\n{body}\n}}\n");
    check("HR006", Relation::Grid, &text, expected);
}

/// Barriers in a kernel's body.
#[track_caller]
fn check_barrier(body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* s, int t, int n) {{\n{body}\n}}\n");
    check("HR001", Relation::Block, &text, expected);
}

/// Candidates for synchronisation in a kernel's body.
#[track_caller]
fn check_synchronisation(code: &'static str, body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* p, volatile int* flag) {{\n{body}\n}}\n");
    check(code, Relation::Grid, &text, expected);
}

#[test]
fn flags_get_fences() {
    check_synchronisation(
        "HR010",
        "*«p» = 1;\nif (t == 0) *«flag» = 1;\nwhile (*«flag» == 0) {\n}\nv = *«p»;",
        &expect![[r#"
            # `__threadfence()` before line 3
            +__threadfence();
            # `__threadfence()` before line 3 and `__threadfence()` after line 5
            +__threadfence();
            +__threadfence();
        "#]],
    );
    check_synchronisation(
        "HR009",
        "*«p» = 1;\natomicExch(«flag», 0);\nif (atomicCAS(«flag», 0, 1) == 0) {\n  v = *«p»;\n}",
        &expect![[r#"
            # `__threadfence()` before line 5
            +  __threadfence();
            # `__threadfence()` before line 3 and `__threadfence()` before line 5
            +__threadfence();
            +  __threadfence();
        "#]],
    );
}

#[test]
fn relaxed_operations_get_an_order() {
    check_synchronisation(
        "HR010",
        "*«p» = 1;\n«flag».store(1, cuda::memory_order_relaxed);\n\
         while («flag».load(cuda::memory_order_relaxed) == 0);\nv = *«p»;",
        &expect![[r#"
            # `memory_order_release` on line 3
            -flag.store(1, cuda::memory_order_relaxed);
            +flag.store(1, cuda::memory_order_release);
            # `memory_order_release` on line 3 and `memory_order_acquire` on line 4
            -flag.store(1, cuda::memory_order_relaxed);
            -while (flag.load(cuda::memory_order_relaxed) == 0);
            +flag.store(1, cuda::memory_order_release);
            +while (flag.load(cuda::memory_order_acquire) == 0);
        "#]],
    );
}

#[test]
fn narrow_scopes_are_widened() {
    check_synchronisation(
        "HR011",
        "*«p» = 1;\n__threadfence_block();\natomicExch_block(«flag», 1);\n\
         while (*«flag» == 0);\n__threadfence();\nv = *«p»;",
        &expect![[r#"
            # `atomicExch` on line 4
            -atomicExch_block(flag, 1);
            +atomicExch(flag, 1);
            # `__threadfence` on line 3
            -__threadfence_block();
            +__threadfence();
            # `atomicExch` on line 4 and `__threadfence` on line 3
            -__threadfence_block();
            -atomicExch_block(flag, 1);
            +__threadfence();
            +atomicExch(flag, 1);
        "#]],
    );
}

#[test]
fn copies_are_waited_for() {
    for (copy, expected) in [
        (
            "«__pipeline_memcpy_async(&s[t], &p[t], 4)»;",
            expect![[r#"
                # `__pipeline_wait_prior(0)` before line 3
                +__pipeline_wait_prior(0);
                # `__pipeline_wait_prior(0)` and `__syncwarp()` before line 3
                +__pipeline_wait_prior(0); __syncwarp();
                # `__syncthreads()` before line 3
                +__syncthreads();
            "#]],
        ),
        (
            "«cuda::memcpy_async(&s[t], &p[t], 4, pipe)»;\npipe.producer_commit();",
            expect![[r#"
                # `pipe.consumer_wait()` before line 4
                +pipe.consumer_wait();
                # `pipe.consumer_wait()` and `__syncwarp()` before line 4
                +pipe.consumer_wait(); __syncwarp();
                # `__syncthreads()` before line 4
                +__syncthreads();
                # `__syncthreads()` after line 2
                +__syncthreads();
            "#]],
        ),
        (
            "«cg::memcpy_async(block, s, p, 64)»;",
            expect![[r#"
            # `cg::wait(block)` before line 3
            +cg::wait(block);
            # `cg::wait(block)` and `__syncwarp()` before line 3
            +cg::wait(block); __syncwarp();
            # `__syncthreads()` before line 3
            +__syncthreads();
        "#]],
        ),
    ] {
        let text =
            format!("__global__ void k(int* p, int* s, int t) {{\n{copy}\np[t] = «s[t]»;\n}}\n");
        check("HR012", Relation::Warp, &text, &expected);
    }
}

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
        "v = «p[0]»++;",
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

#[test]
fn no_barrier_stands_in_functions_that_hosts_call() {
    let text = "__host__ __device__ void k(int* s, int t) {\n«s[t]» = t;\nt = «s[t + 1]»;\n}\n";
    check("HR001", Relation::Block, text, &expect![[""]]);
}

#[test]
fn barriers_stand_where_people_put_them() {
    for (body, expected) in [
        (
            "  «s[t]» = t; // mine\n  n = «s[n - t]»;",
            expect![[r#"
            # `__syncthreads()` before line 3
            +  __syncthreads();
        "#]],
        ),
        (
            "«s[t]» = t; n = «s[n - t]»;",
            expect![[r#"
            # `__syncthreads()` before line 2
            -s[t] = t; n = s[n - t];
            +s[t] = t; __syncthreads(); n = s[n - t];
        "#]],
        ),
        (
            "  if (t < 4)\n    «s[t]» = t;\n  for (int i = 0; i < 9; i++)\n    n += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` before line 4
                +  __syncthreads();
            "#]],
        ),
        (
            "  for (int i = 0; i < n; i++) // all\n    «s[t]» = «s[t + 1]»;\n",
            expect![[r#"
                # `__syncthreads()` at the end of the loop of line 2
                -  for (int i = 0; i < n; i++) // all
                +  for (int i = 0; i < n; i++) { // all
                +    __syncthreads();
                +  }
            "#]],
        ),
        (
            "  for (int i = 0; i < n; i++) { «s[t]» = «s[t + 1]»; }\n",
            expect![[r#"
                # `__syncthreads()` at the end of the loop of line 2
                -  for (int i = 0; i < n; i++) { s[t] = s[t + 1]; }
                +  for (int i = 0; i < n; i++) { s[t] = s[t + 1]; __syncthreads(); }
            "#]],
        ),
        (
            "  do {\n    n = «s[t + 1]»;\n    «s[t]» = n--;\n  } while (n);",
            expect![[r#"
                # `__syncthreads()` before line 4
                +    __syncthreads();
                # `__syncthreads()` at the end of the loop of line 2
                +    __syncthreads();
            "#]],
        ),
        (
            "  switch (n) {\n  case 1:\n    «s[t]» = t;\n    n = «s[n - t]»;\n  }",
            expect![[r#"
                # `__syncthreads()` before line 2
                +  __syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t;\nagain:\n  n = «s[n - t]»;\n  if (n) goto again;",
            expect![[r#"
                # `__syncthreads()` before line 3
                +__syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t;\n  __shared__ int more[4];\n  more[0] = «s[n - t]»;",
            expect![[r#"
                # `__syncthreads()` before line 4
                +  __syncthreads();
                # `__syncthreads()` after line 2
                +  __syncthreads();
            "#]],
        ),
    ] {
        check_barrier(body, &expected);
    }
}

#[test]
fn no_barrier_comes_between_a_pragma_and_its_loop() {
    for (body, expected) in [
        (
            "  «s[t]» = t;\n  // Sums up.\n#pragma unroll\n  for (int i = 0; i < 9; i++) n += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` before line 4
                +  __syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t;\n#if BIG\n#pragma unroll 4\n#pragma nounroll\n#endif\n#pragma \\\n unroll\n  \
             for (int i = 0; i < 9; i++) n += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` before line 7
                +  __syncthreads();
            "#]],
        ),
        (
            "  «s[t]» = t; _Pragma(\"unroll\") for (int i = 0; i < 9; i++) n += «s[i]»;",
            expect![[r##"
                # `__syncthreads()` before line 2
                -  s[t] = t; _Pragma("unroll") for (int i = 0; i < 9; i++) n += s[i];
                +  s[t] = t; __syncthreads(); _Pragma("unroll") for (int i = 0; i < 9; i++) n += s[i];
            "##]],
        ),
        (
            "  for (int j = 0; j < n; j++)\n#pragma unroll\n    for (int i = 0; i < 9; i++)\n      \
             «s[t]» += «s[i]»;",
            expect![[r#"
                # `__syncthreads()` at the end of the loop of line 4
                -    for (int i = 0; i < 9; i++)
                +    for (int i = 0; i < 9; i++) {
                +      __syncthreads();
                +    }
                # `__syncthreads()` at the end of the loop of line 2
                -  for (int j = 0; j < n; j++)
                +  for (int j = 0; j < n; j++) {
                +    __syncthreads();
                +  }
                # `atomicAdd(&s[t], s[i])`
                -      s[t] += s[i];
                +      atomicAdd(&s[t], s[i]);
            "#]],
        ),
    ] {
        check_barrier(body, &expected);
    }
}

#[test]
fn barriers_stand_outside_code_that_not_all_threads_reach() {
    for (body, expected) in [
        (
            "const int i = threadIdx.x; if (i < n) { «s[i]» = 1; n = «s[i + 1]»; }",
            expect![[r#"
                # `__syncthreads()` before line 2
                -const int i = threadIdx.x; if (i < n) { s[i] = 1; n = s[i + 1]; }
                +const int i = threadIdx.x; __syncthreads(); if (i < n) { s[i] = 1; n = s[i + 1]; }
                # `__syncthreads()` before line 2
                +__syncthreads();
            "#]],
        ),
        (
            "if (threadIdx.x >= n) return; «s[t]» = 1; n = «s[t + 1]»;",
            expect![[r#"
                # `__syncthreads()` before line 2
                +__syncthreads();
            "#]],
        ),
        (
            "for (int i = threadIdx.x; i < n; i += 32) { «s[i]» = «s[i + 1]»; }",
            expect![[r#"
                # `__syncthreads()` before line 2
                +__syncthreads();
            "#]],
        ),
    ] {
        check_barrier(body, &expected);
    }
}

#[test]
fn barriers_in_other_texts() {
    for (text, expected) in [
        // Around the calls that lead to the accesses.
        (
            "struct S { __device__ void put(int t) { «s[t]» = t; }\n\
             __device__ int get(int t) { return «s[t]»; } int* s; };\n\
             template <class T>\n\
             __global__ void k(S a, int n) {\n  \
             const int t = threadIdx.x;\n  a.put(t);\n  n = a.get(n - t);\n}\n",
            expect![[r#"
                # `__syncthreads()` before line 7
                +  __syncthreads();
            "#]],
        ),
        // A statement from a macro cannot be edited.
        (
            "#define COPY(s, t) «s[t]» = «s[t + 1]»\n\
             __global__ void k(int* s, int t, int n) {\n  \
             for (int i = 0; i < n; i++) COPY(s, t);\n}\n",
            expect![[r#"
                # `__syncthreads()` before line 3
                +  __syncthreads();
            "#]],
        ),
        // The text may not be compiled.
        (
            "__global__ void k(int* s, int t, int n) {\n\
             #if UNKNOWN\n  «s[t]» = t;\n  n = «s[n - t]»;\n#endif\n}\n",
            expect![[""]],
        ),
        // New lines have the file's line ending.
        (
            "__global__ void k(int* s, int t, int n) {\r\n\t«s[t]» = t;\r\n\t\
             while (n--)\r\n\t\ts[n] = «s[n - t]»;\r\n}\r\n",
            expect![[r#"
                # `__syncthreads()` before line 3
                +→__syncthreads();␍
            "#]],
        ),
        // Another kernel has functions and variables of the same names.
        (
            "__global__ void other(int* s, int t) {\n  s[t] = t;\n}\n\
             __global__ void k(int* s, int t, int n) {\n  «s[t]» = t;\n  n = «s[n - t]»;\n}\n",
            expect![[r#"
                # `__syncthreads()` before line 6
                +  __syncthreads();
            "#]],
        ),
    ] {
        check("HR001", Relation::Block, text, &expected);
    }
}

#[test]
fn scopes_are_widened() {
    for (body, expected) in [
        (
            "atomicMax_block(&«p[v]», v);",
            expect![[r#"
            # `atomicMax`
            -atomicMax_block(&p[v], v);
            +atomicMax(&p[v], v);
        "#]],
        ),
        (
            "__nv_atomic_fetch_add(«&p[v]», v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);",
            expect![[r#"
                # `__NV_THREAD_SCOPE_DEVICE`
                -__nv_atomic_fetch_add(&p[v], v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
                +__nv_atomic_fetch_add(&p[v], v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
            "#]],
        ),
        (
            "cuda::atomic_ref<int, cuda::thread_scope_block> total(*p); «total».fetch_add(v);",
            expect![[r#"
                # `thread_scope_device`
                -cuda::atomic_ref<int, cuda::thread_scope_block> total(*p); total.fetch_add(v);
                +cuda::atomic_ref<int, cuda::thread_scope_device> total(*p); total.fetch_add(v);
            "#]],
        ),
        (
            "asm(\"red.cta.global.add.s32 [%0], %1;\" : : \"l\"(«p»), \"r\"(v));",
            expect![[r##"
                # `.gpu`
                -asm("red.cta.global.add.s32 [%0], %1;" : : "l"(p), "r"(v));
                +asm("red.gpu.global.add.s32 [%0], %1;" : : "l"(p), "r"(v));
            "##]],
        ),
    ] {
        let text = format!("__global__ void k(int* p, int v) {{\n{body}\n}}\n");
        check("HR005", Relation::Grid, &text, &expected);
    }
}
