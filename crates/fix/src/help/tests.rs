//! What the source adds to the help of a race.

use expect_test::{Expect, expect};

use hirace_instrument::rewrite::{Facts, Source};
use hirace_report::{Position, Relation};
use hirace_syntax::Defines;

use super::super::syntax::{Sources, Syntax};
use super::super::tests::{race, unmarked};

/// The help for a race between two places in `«»` of a kernel's body, or of one with itself, with this help before.
/// If there are four places, those in between are of a flag.
#[track_caller]
fn check(code: &'static str, help: &str, body: &str, expected: &Expect) {
    let (text, places) = unmarked(&format!(
        "__global__ void k(S* s, int* flag, int t) {{\n{body}\n}}\n"
    ));
    let defines = Defines::new();
    let file = Source {
        path: "a.cu",
        text: &text,
    };
    let facts = Facts::collect(&[file], &defines);
    let sources = Sources(vec![Syntax::of("a.cu", &text, &defines, &facts)]);
    let (accesses, flag) = match places.as_slice() {
        [prior, written, read, current] => ([prior, current], Some([written, read])),
        [prior, current] => ([prior, current], None),
        [one] => ([one, one], None),
        _ => panic!("one place, two, or four"),
    };
    let mut race = race(
        code,
        Relation::Grid,
        &sources.0[0],
        accesses.map(Clone::clone),
    );
    race.help = help.to_owned();
    race.flag = flag.map(|places| {
        places.map(|range| Position {
            file: Some("a.cu".to_owned()),
            range: range.clone(),
            ..Position::default()
        })
    });
    race.reason = "two threads and both write the same location here".to_owned();
    super::complete(&mut race, &sources);
    // What the help calls an update is one in the reason, too.
    assert_eq!(
        race.help.contains("make the update") || race.help.contains("no atomic function"),
        race.reason.contains("one update is lost")
    );
    expected.assert_eq(&race.help);
}

#[test]
fn updates_by_an_assignment() {
    check(
        "HR003",
        "other",
        "«s->n» = «s->n» + 1;",
        &expect!["make the update one atomic operation: `atomicAdd(&s->n, 1)`"],
    );
    check(
        "HR003",
        "other",
        "«s->n» = t;\nt = «s->n»;",
        &expect!["other"],
    );
}

#[test]
fn updates_under_a_test() {
    let of = |body: &str, expected: &Expect| check("HR003", "other", body, expected);
    of(
        "if (t > «*flag») «*flag» = t;",
        &expect!["make the update one atomic operation: `atomicMax(flag, t)`"],
    );
    of(
        "if («s->n» > t)\n{\n«s->n» = t;\n}",
        &expect!["make the update one atomic operation: `atomicMin(&s->n, t)`"],
    );
    of(
        "float* f = s->f; float v = t;\nif (v > «f[t]») «f[t]» = v;",
        &expect![
            "no atomic function does this to `f[t]`: make it a loop around `atomicCAS`, or give each thread an element of its own and combine these later"
        ],
    );
    of(
        "if («*flag» == 0) {\n«*flag» = 1;\ns->n = t;\n}",
        &expect![[r#"
            make the update one atomic operation: `if (atomicCAS(flag, 0, 1) == 0)`, without the write of `*flag` after it"#]],
    );
    for others in [
        // The two writes are no halves of one update.
        "if (t > 3) «*flag» = t;\nt = «*flag»;",
        // A barrier is missing.
        "if («s[t]» > s[t ^ 1]) { int old = s[t]; «s[t]» = s[t ^ 1]; s[t ^ 1] = old; }",
    ] {
        of(others, &expect!["other"]);
    }
}

#[test]
fn updates_whose_value_is_used() {
    let of = |body: &str, expected: &Expect| check("HR006", "other", body, expected);
    of(
        "t = («*flag»)++;",
        &expect!["make the update one atomic operation: `atomicAdd(flag, 1)`"],
    );
    of(
        "t = ++«s->n»;",
        &expect!["make the update one atomic operation: `(atomicAdd(&s->n, 1) + 1)`"],
    );
}

#[test]
fn reads_of_a_flag() {
    let check = |read: &str, expected: &Expect| {
        let help = "put a fence before the write, and one after the read if that read is not an \
                    acquire; or more";
        let body = format!("«s->n» = 1;\n«*flag» = 1;\nwhile ({read} == 0);\nt = «s->n»;");
        check("HR010", help, &body, expected);
    };
    check(
        "atomicAdd(«flag», 0)",
        &expect![
            "put a fence before the write, and one after the read, which is not an acquire; or more"
        ],
    );
    check(
        "«a.load(cuda::memory_order_relaxed)»",
        &expect![
            "put a fence before the write, and one after the read, which is not an acquire; or more"
        ],
    );
    check(
        "«a.load(cuda::memory_order_acquire)»",
        &expect!["put a fence before the write; or more"],
    );
    check(
        "«a.load()»",
        &expect!["put a fence before the write; or more"],
    );
    check(
        "«of_another_library(flag)»",
        &expect![
            "put a fence before the write, and one after the read if that read is not an acquire; or more"
        ],
    );
}

#[test]
fn writes_of_a_flag() {
    let check = |write: &str, expected: &Expect| {
        let help = "put a fence before the write, and one after the read if that read is not an \
                    acquire; or use a `cuda::atomic_ref` with `memory_order_release` and \
                    `memory_order_acquire`";
        let body = format!(
            "«s->n» = 1;\n{write};\nwhile («a.load(cuda::memory_order_acquire)» == 0);\nt = «s->n»;"
        );
        check("HR010", help, &body, expected);
    };
    check(
        "«a.store(1, cuda::memory_order_relaxed)»",
        &expect![
            "put a fence before the write; or give that write the order `memory_order_release`"
        ],
    );
    check(
        "«*flag» = 1",
        &expect![
            "put a fence before the write; or use a `cuda::atomic_ref` with `memory_order_release` and `memory_order_acquire`"
        ],
    );
}

/// An update may also belong to what a release publishes.
#[test]
fn updates_after_a_release() {
    check(
        "HR015",
        "move (1) before the write",
        "«s->n» += t;",
        &expect![
            "make the update one atomic operation: `atomicAdd(&s->n, t)`; or move (1) before the write"
        ],
    );
}

#[test]
fn updates_that_no_atomic_function_performs() {
    for (body, expected) in [
        (
            "float* x; «x[t]» -= 2;",
            expect!["make the update one atomic operation: `atomicAdd(&x[t], -2)`"],
        ),
        (
            "float* x; «x[t]» = max(«x[t]», 2);",
            expect![
                "no atomic function does this to `x[t]`: make it a loop around `atomicCAS`, or give each thread an element of its own and combine these later"
            ],
        ),
        (
            "using Number = thrust::complex<float>; Number* x; «x[t]» += 2;",
            expect![
                "no atomic function does this to `x[t]`: make it a loop around `atomicCAS`, or give each thread an element of its own and combine these later"
            ],
        ),
        (
            "typedef struct { float a; } Pair; struct Sum { float a; }; Sum* x; «x[t]» += y;",
            expect![
                "no atomic function does this to `x[t]`: make it a loop around `atomicCAS`, or give each thread an element of its own and combine these later"
            ],
        ),
        (
            "typedef unsigned int Count; Count* x; «x[t]» += 2;",
            expect!["make the update one atomic operation: `atomicAdd(&x[t], 2)`"],
        ),
        (
            "int* x; «x[t]» |= 2;",
            expect!["make the update one atomic operation: `atomicOr(&x[t], 2)`"],
        ),
        (
            "int* x; «x[t]» *= 2;",
            expect![
                "no atomic function does this to `x[t]`: make it a loop around `atomicCAS`, or give each thread an element of its own and combine these later"
            ],
        ),
    ] {
        check("HR006", "other", body, &expected);
    }
}
