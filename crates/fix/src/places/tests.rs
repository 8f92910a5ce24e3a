//! The places that the help of a race names, and the texts for which it names none.

use std::ops::Range;

use expect_test::{Expect, expect};

use hirace_instrument::rewrite::{Facts, Source};
use hirace_report::{BarrierAt, CallSite, Element, Relation};
use hirace_syntax::Defines;

use super::super::syntax::{Sources, Syntax};
use super::super::tests::{race, unmarked};

/// The place for a race between the two places in `«»`, the first of which is the earlier access in the
/// text.
#[track_caller]
fn check(relation: Relation, marked: &str, expected: &Expect) {
    check_called_at(relation, marked, [&[], &[]], expected);
}

/// The same with the lines of the calls that lead to each place, innermost first.
#[track_caller]
fn check_called_at(relation: Relation, marked: &str, calls: [&[u32]; 2], expected: &Expect) {
    check_in_memory(None, relation, marked, calls, expected);
}

/// The same with the name of the memory in the kernel.
#[track_caller]
fn check_in_memory(
    memory: Option<&str>,
    relation: Relation,
    marked: &str,
    calls: [&[u32]; 2],
    expected: &Expect,
) {
    let (text, places) = unmarked(marked);
    let [above, below] = [places[0].clone(), places[places.len() - 1].clone()];
    let defines = Defines::new();
    let file = Source {
        path: "a.cu",
        text: &text,
    };
    let facts = Facts::collect(&[file], &defines);
    let sources = Sources(vec![Syntax::of("a.cu", &text, &defines, &facts)]);
    let syntax = &sources.0[0];
    // Which of the two ran first is chance.
    let [of_above, of_below] = calls;
    let orders = [
        ([above.clone(), below.clone()], [of_above, of_below]),
        ([below, above], [of_below, of_above]),
    ];
    let named = orders.map(|(accesses, calls)| {
        let mut race = race("HR001", relation, syntax, accesses);
        for (access, calls) in race.accesses.iter_mut().zip(calls) {
            let line = syntax.lines.number(access.position.range.start);
            access.position.line = u32::try_from(line).ok();
            let variable = marked_variable(syntax, &access.position.range);
            access.position.variable = Some(variable);
            let call = |line: &u32| CallSite {
                function: "k".to_owned(),
                file: "a.cu".to_owned(),
                line: *line,
                alternatives: Vec::new(),
                is_use: false,
            };
            access.position.calls = calls.iter().map(call).collect();
        }
        race.element = memory.map(|it| Element {
            variable: Some(it.to_owned()),
            text: None,
            index: Vec::new(),
            bytes: 4,
            offset: 0,
            element_bytes: Some(4),
            file: None,
            line: None,
        });
        match super::place(&race, &sources) {
            None => "none".to_owned(),
            Some(place) => {
                let at = match place.at {
                    BarrierAt::Between(at) => at,
                    BarrierAt::BetweenAndEnd(at, end) => format!("{at}, and {end}"),
                    BarrierAt::End(end) => format!("{end} only"),
                    BarrierAt::EndAtLeast(end) => format!("{end} at least"),
                    BarrierAt::BetweenCalls(at, function) => format!("{at}, a call of {function}"),
                    BarrierAt::InLoop(at, end) => {
                        let at = at.map_or_else(String::new, |it| format!("{it}, or "));
                        format!("{at}{end}, if all reach it")
                    }
                    BarrierAt::Statement => "within the statement".to_owned(),
                    BarrierAt::Branch(branch, _) => format!("within {branch}"),
                    BarrierAt::Somewhere => "between the two".to_owned(),
                    BarrierAt::Unknown => "somewhere".to_owned(),
                };
                format!("{} {at}", place.call)
            }
        }
    });
    assert_eq!(named[0], named[1]);
    expected.assert_eq(&named[0]);
}

/// In a kernel's body, which begins at line 2.
#[track_caller]
/// The variable at the root of a place.
fn marked_variable(syntax: &Syntax<'_>, range: &Range<usize>) -> String {
    let text = syntax.text[range.clone()].trim_start_matches(['*', '&']);
    let word = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    word.take(1).collect()
}

#[test]
fn between_two_calls_that_swap_the_arrays() {
    let swapped = |between: &str, calls: &str| {
        format!(
            "__device__ void step(int* to, int* from, int t) {{\n«to[t]» = «from[t ^ 1]»;\n}}\n__global__ void \
             k(int* a, int* b, int t) {{\nfor (int i = 0; i < 9; ++i) {{\n{calls}\n{between}\nstep(b, a, t);\n}}\n}}\n"
        )
    };
    let check = |between, calls, expected: &Expect| {
        check_in_memory(
            Some("a"),
            Relation::Block,
            &swapped(between, calls),
            [&[], &[]],
            expected,
        );
    };
    check(
        "",
        "step(a, b, t);",
        &expect!["__syncthreads() before line 8, and at the end of the loop of line 5"],
    );
    check(
        "__syncthreads();",
        "step(a, b, t);",
        &expect!["__syncthreads() at the end of the loop of line 5 only"],
    );
    // Which array a call has is unknown.
    check(
        "__syncthreads();",
        "step(a, b, t);\na = b;",
        &expect!["none"],
    );
    check(
        "__syncthreads();",
        "int* c = a;\nstep(c, b, t);",
        &expect!["none"],
    );
}

fn check_body(body: &str, expected: &Expect) {
    let text = format!("__global__ void k(int* s, int t, int n) {{\n{body}\n}}\n");
    check(Relation::Block, &text, expected);
}

#[test]
fn between_two_statements() {
    check_body(
        "t = threadIdx.x;\n«s[t]» = 1;\nn = «s[t + 1]»;",
        &expect!["__syncthreads() before line 4"],
    );
    // Through branches and loops, which end before.
    check_body(
        "t = threadIdx.x;\nif (t < 3) {\n«s[t]» = 1;\n}\nfor (int i = 0; i < n; ++i) {\nn += «s[i]»;\n}",
        &expect!["__syncthreads() before line 6"],
    );
}

#[test]
fn between_two_statements_of_one_line() {
    check_body(
        "t = threadIdx.x;\nif (t < 3) «s[t]» = 1; if (t > 3) «s[t - 3]» = 2;",
        &expect!["__syncthreads() between the two statements of line 3"],
    );
}

#[test]
fn at_the_barrier_of_a_tile_that_is_used_beside() {
    let with = |at_the_end: &str| {
        format!(
            "auto g = cg::tiled_partition<16>(cg::this_thread_block());\nfor (int i = 0; i < 4; ++i) {{\nn = «s[t + \
             1]»;\n«s[t]» = n;\n{at_the_end}}}"
        )
    };
    let check_tile = |body: &str, expected: &Expect| {
        let text = format!("__global__ void k(int* s, int t, int n) {{\n{body}\n}}\n");
        check(Relation::Warp, &text, expected);
    };
    check_tile(&with("g.sync();\n"), &expect!["g.sync() before line 5"]);
    check_tile(
        &with(""),
        &expect!["__syncthreads() before line 5, and at the end of the loop of line 3"],
    );
}

#[test]
fn not_where_some_threads_do_not_come() {
    check_body(
        "if (threadIdx.x < 3) {\n«s[t]» = 1;\nn = «s[t + 1]»;\n}",
        &expect!["__syncthreads() within the `if` of line 2"],
    );
    check_body(
        "if (threadIdx.x >= n) return;\n«s[t]» = 1;\nn = «s[t + 1]»;",
        &expect!["none"],
    );
    check_body(
        "for (int i = threadIdx.x; i < n; i += 32) {\n«s[i]» = 1;\nn = «s[i + 1]»;\n}",
        &expect![
            "__syncthreads() before line 4, or at the end of the loop of line 2, if all reach it"
        ],
    );
}

#[test]
fn in_a_loop_also_at_its_end() {
    check_body(
        "for (int i = 0; i < n; ++i) {\n«s[t]» = 1;\nn = «s[t + 1]»;\n}",
        &expect!["__syncthreads() before line 4, and at the end of the loop of line 2"],
    );
    // Between the two there is one.
    check_body(
        "for (int i = 0; i < n; ++i) {\n«s[t]» = 1;\n__syncthreads();\nn = «s[t + 1]»;\n}",
        &expect!["__syncthreads() at the end of the loop of line 2 only"],
    );
    // An iteration that is left early does not reach the end.
    check_body(
        "for (int i = 0; i < n; ++i) {\n«s[t]» = 1;\nif (i == 3) continue;\nn = «s[t + 1]»;\n}",
        &expect![
            "__syncthreads() before line 5, or at the end of the loop of line 2, if all reach it"
        ],
    );
    // The barrier is in a branch that not every iteration takes.
    check_body(
        "for (int i = 0; i < n; ++i) {\n«s[t]» = 1;\nif (i == 3) { __syncthreads(); }\nn = «s[t + 1]»;\n}",
        &expect!["__syncthreads() before line 5, and at the end of the loop of line 2"],
    );
}

#[test]
fn in_one_statement_of_a_loop() {
    check_body(
        "for (int i = n / 2; i > 0; i /= 2) {\nif (threadIdx.x < i) «s[t]» += «s[t + i]»;\n}",
        &expect!["__syncthreads() at the end of the loop of line 2 at least"],
    );
    check_body(
        "«s[t]» += «s[t + n]»;",
        &expect!["__syncthreads() within the statement"],
    );
}

#[test]
fn a_barrier_that_is_there_already() {
    // Nothing in the text shows why the two race.
    check_body(
        "«s[t]» = 1;\n__syncthreads();\nn = «s[t + 1]»;",
        &expect!["none"],
    );
}

#[test]
fn jumps() {
    check_body(
        "again:\n«s[t]» = 1;\nn = «s[t + 1]»;\nif (n) goto again;",
        &expect!["none"],
    );
    check_body(
        "switch (n) {\ncase 1:\n«s[t]» = 1;\ncase 2:\nn = «s[t + 1]»;\n}",
        &expect!["none"],
    );
}

#[test]
fn halves_of_a_double_buffer() {
    let body = |between: &str| {
        format!(
            "__shared__ int a[2][64];\nint now = 0;\nfor (int i = 1; i < n; i *= 2) {{\n\
             «a[1 - now][t]» = 1;\n{between}n += «a[now][t + 1]»;\nnow = 1 - now;\n}}"
        )
    };
    check_body(
        &body(""),
        &expect!["__syncthreads() at the end of the loop of line 4 only"],
    );
    // Which half it is changes between the two.
    check_body(
        &body("now = 1 - now;\n"),
        &expect!["__syncthreads() before line 7, and at the end of the loop of line 4"],
    );
}

#[test]
fn objects_of_cooperative_groups() {
    let check = |relation, parameters: &str, body: &str, expected: &Expect| {
        let text = format!(
            "__device__ void f({parameters}, int* s, int t) {{\n{body}\n}}\n\
             __global__ void k(int* s, int t, int n) {{\nf(n, s, t);\n}}\n"
        );
        check(relation, &text, expected);
    };
    let tile = "const cooperative_groups::thread_block_tile<32>& tile";
    let body = "«s[t]» = 1;\nt = «s[t + 1]»;";
    check(
        Relation::Warp,
        tile,
        body,
        &expect!["tile.sync() before line 3"],
    );
    let looping = "for (int d = tile.size() / 2; d > 0; d /= 2) {\n«s[t]» = 1;\nt = «s[t + 1]»;\n}";
    check(
        Relation::Warp,
        tile,
        looping,
        &expect!["tile.sync() before line 4, and at the end of the loop of line 2"],
    );
    check(
        Relation::Block,
        "cg::thread_block block",
        body,
        &expect!["block.sync() before line 3"],
    );
    check(
        Relation::Block,
        "int n",
        &format!("auto all = cg::this_thread_block();\n{body}"),
        &expect!["all.sync() before line 4"],
    );
    // The object of a part is none of the block.
    check(
        Relation::Block,
        "int n",
        &format!("auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n{body}"),
        &expect!["__syncthreads() before line 4"],
    );
    let of_reference = "auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n\
                        int& own = s[tile.meta_group_rank()];\n\
                        if (tile.thread_rank() == 0)\n«own» = 1;\nif (t)\nt = «own»;";
    check(
        Relation::Warp,
        "int n",
        of_reference,
        &expect!["tile.sync() before line 6"],
    );
}

/// In a loop that the whole block passes, a barrier of the warp orders only accesses that the text shows to be
/// those of one warp.
#[test]
fn in_a_loop_of_the_block_that_has_its_barriers() {
    let check = |place: &str, expected: &Expect| {
        let text = format!(
            "__global__ void k(int* s, int n) {{\nint t = threadIdx.x;\nfor (int i = 0; i < n; i++) {{\n\
             «{place}» = i;\n__syncthreads();\nn += «{place}»;\n}}\n}}\n"
        );
        check(Relation::Warp, &text, expected);
    };
    check(
        "s[t]",
        &expect!["__syncthreads() at the end of the loop of line 3 only"],
    );
    check(
        "s[t / 32]",
        &expect!["__syncwarp() at the end of the loop of line 3 only"],
    );
}

/// Functions with one access each, and a kernel with this body, which begins at line 4.
#[track_caller]
fn check_calls(body: &str, expected: &Expect) {
    let text = format!(
        "__device__ void put(int* s, int t) {{ «s[t]» = 1; }}\n\
         __device__ int get(int* s, int t) {{ return «s[t + 1]»; }}\n\
         __global__ void k(int* s, int t, int n) {{\n{body}\n}}\n\
         void start(int* s) {{ k<<<1, 64>>>(s, 0, 1); }}\n"
    );
    check(Relation::Block, &text, expected);
}

#[test]
fn between_two_calls() {
    check_calls(
        "put(s, t);\nn = get(s, t);",
        &expect!["__syncthreads() before line 5"],
    );
    check_calls(
        "for (int i = 0; i < n; ++i) {\nput(s, t);\nt += get(s, t);\n}",
        &expect!["__syncthreads() before line 6, and at the end of the loop of line 4"],
    );
    // Which of the calls made the access is not known.
    check_calls("put(s, t);\nn = get(s, t);\nput(s, n);", &expect!["none"]);
    check_calls(
        "if (threadIdx.x < 3) {\nput(s, t);\nn = get(s, t);\n}",
        &expect!["none"],
    );
}

#[test]
fn in_a_function() {
    let check = |calls: &str, expected: &Expect| {
        let text = format!(
            "__device__ int f(int* s, int t) {{\n«s[t]» = 1;\nreturn «s[t + 1]»;\n}}\n\
             __global__ void k(int* s, int t, int n) {{\n{calls}\n}}\n"
        );
        check(Relation::Block, &text, expected);
    };
    check("n = f(s, t);", &expect!["__syncthreads() before line 3"]);
    // The two accesses may be in different calls.
    check("n = f(s, t);\nn = f(s, n);", &expect!["none"]);
    check("while (n) n = f(s, threadIdx.x);", &expect!["none"]);
    check(
        "while (n) n = f(s, t);",
        &expect!["__syncthreads() at the end of the loop of line 6 at least"],
    );
}

#[test]
fn lanes_of_a_warp() {
    let check = |body: &str, expected: &Expect| {
        let text = format!("__global__ void k(int* s, int t, int n) {{\n{body}\n}}\n");
        check(Relation::Warp, &text, expected);
    };
    check(
        "if (threadIdx.x < 32) {\n«s[threadIdx.x]» = 1;\nn = «s[t]»;\n}",
        &expect!["__syncwarp() before line 4"],
    );
    // In another launch, the two threads may be in different warps.
    check(
        "«s[threadIdx.x]» = 1;\nn = «s[t]»;",
        &expect!["__syncthreads() before line 3"],
    );
}

#[test]
fn around_a_lambda() {
    check_body(
        "for (int i = 0; i < n; ++i) {\neach(n, [=](int a) {\nif (s[a] > 0) {\n«s[a]» = 1;\ns[a + 1] = «s[a + 2]»;\n}\n});\n}",
        &expect!["__syncthreads() at the end of the loop of line 2 at least"],
    );
}

#[test]
fn between_two_calls_of_a_function() {
    let text = "__device__ int sum(int* s, int t) {\n«s[t]» = 1;\n__syncthreads();\nreturn «s[0]»;\n}\n\
                __global__ void k(int* s, int* o) {\no[0] = sum(s, 1);\no[1] = sum(s, 2);\n}\n";
    check_called_at(
        Relation::Block,
        text,
        [&[8], &[7]],
        &expect!["__syncthreads() before line 8"],
    );
    // It is not known which of the calls they are: the beginning of the function is between the two.
    check(
        Relation::Block,
        text,
        &expect!["__syncthreads() before line 2, a call of sum"],
    );
}

/// Two calls in one statement are at one place.
#[test]
fn functions_that_are_called_twice_in_a_statement() {
    check_called_at(
        Relation::Block,
        "__device__ void put(float* s, int i) { «s[i]» = i; }\n\
         __device__ float get(float* s, int i) { return «s[i]»; }\n\
         __global__ void k(float* s, float* out, int n) {\n\
           for (int i = 0; i < n; ++i) {\n\
             put(s, threadIdx.x);\n\
             __syncthreads();\n\
             out[i] = get(s, 0) * get(s, 1);\n\
           }\n\
         }\n",
        [&[5], &[7]],
        &expect!["__syncthreads() at the end of the loop of line 4 only"],
    );
}

#[test]
fn a_function_that_is_called_twice() {
    let text = |calls: &str| {
        format!(
            "__device__ float sum(float* s, float v) {{\n\
               if (threadIdx.x % 32 == 0) «s[threadIdx.x / 32]» = v;\n\
               __syncthreads();\n\
               return «s[0]»;\n\
             }}\n\
             __global__ void k(float* s, float* out, int t) {{\n\
               float x = sum(s, 1);\n{calls}\n\
             }}\n"
        )
    };
    let each = expect!["__syncthreads() before line 8, a call of sum"];
    let twice = text("x += sum(s, x);");
    check_called_at(Relation::Block, &twice, [&[8], &[]], &each);
    let in_loop = text("for (int i = 0; i < 3; ++i) {\nx += sum(s, x);\n}");
    let each = expect!["__syncthreads() before line 9, a call of sum"];
    check_called_at(Relation::Block, &in_loop, [&[9], &[]], &each);
    // Which call the later one is, is not known: the beginning of the function is between any two.
    let first = expect!["__syncthreads() before line 2, a call of sum"];
    check_called_at(Relation::Block, &twice, [&[], &[8]], &first);
    // Not all threads reach it.
    let branch = text("if (threadIdx.x < 3) {\nx += sum(s, x);\n}");
    check_called_at(Relation::Block, &branch, [&[9], &[]], &expect!["none"]);
    // The two may belong to one call.
    let unordered = twice.replace("__syncthreads();\n", "");
    check_called_at(Relation::Block, &unordered, [&[7], &[]], &expect!["none"]);
}

/// The text does not show that all lanes run the function, which a kernel calls twice.
#[test]
fn a_loop_that_not_all_may_reach() {
    let text = |barrier: &str| {
        format!(
            "__device__ void sum(int* s, int lane) {{\n\
               for (int d = 16; d > 0; d /= 2) {{\n\
                 int other = 0;\n\
                 if (lane < d) other = «s[lane + d]»;\n{barrier}\n\
                 if (lane < d) «s[lane]» += other;\n\
               }}\n\
             }}\n\
             __global__ void k(int* s, int t) {{\n\
               if (t < 32) {{ sum(s, t); sum(s + 32, t); }}\n\
             }}\n"
        )
    };
    let unordered =
        expect!["__syncwarp() before line 6, or at the end of the loop of line 2, if all reach it"];
    check_called_at(Relation::Warp, &text(""), [&[10], &[10]], &unordered);
    let ordered = expect!["__syncwarp() at the end of the loop of line 2, if all reach it"];
    check_called_at(
        Relation::Warp,
        &text("__syncwarp();"),
        [&[10], &[10]],
        &ordered,
    );
}

/// What looks like the two halves of a double buffer are the elements of neighbours, and the warp has its barrier at
/// the end.
#[test]
fn elements_of_neighbours_in_a_loop_of_a_warp() {
    let text = "__global__ void k(int* s, int* out) {\n\
                  int t = threadIdx.x;\n\
                  for (int i = 0; i < 2; i++) {\n\
                    «s[t]» = t + i;\n\
                    out[t] = «s[t ^ 1]»;\n\
                    __syncwarp();\n\
                  }\n\
                }\n";
    check_called_at(
        Relation::Warp,
        text,
        [&[], &[]],
        &expect!["__syncwarp() before line 5"],
    );
}

/// The lines of two lambdas are not those at which they run.
#[test]
fn lambdas_that_are_called_later() {
    let text = "__global__ void k(int* s, int* out, int t) {\n\
                  auto write = [&] { «s[t]» = t; };\n\
                  auto read = [&] { out[t] = «s[t ^ 33]»; };\n\
                  write();\n\
                  read();\n\
                }\n";
    let between = expect!["__syncthreads() between the two"];
    check_called_at(Relation::Block, text, [&[], &[]], &between);
}
