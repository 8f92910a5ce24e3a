//! `hirace fsm`.

use expect_test::{Expect, expect};

use crate::harness::{Outcome, Sandbox};

fn run(arguments: &[&str]) -> Outcome {
    let mut all = vec!["fsm"];
    all.extend(arguments);
    Sandbox::new().run(&all)
}

#[test]
fn table() {
    let outcome = run(&["table"]);
    outcome.ends_with(0);
    assert_eq!(outcome.stdout.lines().count(), 1 + 25 * 48);
    let header = run(&["table", "--format", "header"]);
    let committed = include_str!("../../device/hirace/generated/fsm_table.h");
    assert_eq!(header.stdout, committed);
    run(&["table", "--format", "json"]).ends_with(0).json();
    run(&["table", "--format", "markdown"]).ends_with(0);
}

#[test]
fn dot() {
    let whole = run(&["dot"]);
    assert!(whole.ends_with(0).stdout.starts_with("// A transition"));
    let one = run(&["dot", "--state", "READ"]);
    let edges = one.ends_with(0).stdout.matches("->").count();
    assert_eq!(edges, one.stdout.matches("read ->").count());
    run(&["dot", "--state", "read"])
        .ends_with(2)
        .says("invalid value 'read'")
        .says("the states are INIT READ WRITE");
}

#[test]
fn murphi() {
    let plain = run(&["murphi"]);
    let model = &plain.ends_with(0).stdout;
    assert!(
        model.contains("BLOCKS: 2;") && model.contains("return BSYNC_ATOM;"),
        "{model}"
    );
    assert!(
        !model.contains("cover \""),
        "CMurphi knows no cover properties"
    );
    let cover = run(&["murphi", "--blocks", "1", "--threads", "3", "--cover"]);
    let model = &cover.ends_with(0).stdout;
    assert!(model.contains("BLOCKS: 1;") && model.contains("THREADS: 3;"));
    assert!(model.contains("cover \""));
    run(&["murphi", "--warps", "0"])
        .ends_with(2)
        .says("`--blocks 2 --warps 0 --threads 2`: a shape needs at least one block");
}

#[test]
fn verify() {
    let outcome = run(&["verify", "--shape", "1x1x2", "--shape", "2x1x1"]);
    outcome.ends_with(0);
    let lines: Vec<_> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{outcome:#?}");
    assert!(lines[0].starts_with("1x1x2, full words: exact: "));
    assert!(lines[3].starts_with("2x1x1, masked words: exact: "));
}

#[test]
fn verify_without_a_shape_is_for_every_grid() {
    let outcome = run(&["verify", "--words", "masked"]);
    let first = "any grid, masked words: exact: 745 situations, 27280 verdicts, 1152 of 1200";
    assert!(
        outcome.ends_with(0).stdout.starts_with(first),
        "{outcome:#?}"
    );
    assert_eq!(outcome.stdout.lines().count(), 7);
}

#[test]
fn verify_refutes_the_published_table() {
    let outcome = run(&[
        "verify",
        "--shape",
        "1x1x2",
        "--words",
        "full",
        "--table",
        "published",
    ]);
    expect![[r#"
        1x1x2, full words: false alarm on 1x1x2: t0:R [READ], syncwarp w0, t0:BA [WRITE], t1:BA [RACE] by WRITE,BA,U,W
    "#]]
    .assert_eq(&outcome.ends_with(1).stdout);
}

#[test]
fn verify_bad_input() {
    for (shape, message) in [
        ("0x2x2", "the number of blocks is 0"),
        ("2x2x0", "the number of threads in a warp is 0"),
        ("2x2", "expected three numbers"),
        ("2x2x2x2", "expected three numbers"),
        (
            "2xax2",
            "the number of warps in a block, `a`, is not a number",
        ),
        (
            "2x-1x2",
            "the number of warps in a block, `-1`, is not a number",
        ),
        ("4x3x3", "more than 32 threads"),
        ("99999999999999999999x1x1", "is not a number"),
    ] {
        run(&["verify", "--shape", shape])
            .ends_with(2)
            .says(&format!("invalid value '{shape}'"))
            .says(message);
    }
    run(&["verify", "--shape", "2x2x2", "--limit", "100"])
        .ends_with(2)
        .says("a 2x2x2 grid is too large to finish: 100 situations found");
}

#[track_caller]
fn check_trace(arguments: &[&str], status: i32, expected: Expect) {
    let mut all = vec!["trace"];
    all.extend(arguments);
    expected.assert_eq(&run(&all).ends_with(status).stdout);
}

#[test]
fn trace() {
    check_trace(
        &["t0:R, syncthreads b0, t0:GA, t2:GA"],
        0,
        expect![[r#"
        grid 2x2x2: threads t0 to t7, warps w0 to w3, blocks b0 to b1

                                                     | word, with the fields of its last access
          #  event           input  state         | value              lane warp block clocks | machine truth
          1  t0:R            -      READ          | 0x0808000000000000    0    0     0   0  0 | ok      ok
          2  syncthreads b0
          3  t0:GA           B,S    BSYNC_ATOM    | 0x8808000000008000    0    0     0   1  0 | ok      ok
          4  t2:GA           U,B    BSYNC_ATOM_B  | 0xa008000000008000    -    -     0   1  - | ok      ok

        no race: machine and truth agree on every access
    "#]],
    );
    check_trace(
        &["t0:W, syncwarp w0, t0:GA, t1:GA, t1:R"],
        0,
        expect![[r#"
        grid 2x2x2: threads t0 to t7, warps w0 to w3, blocks b0 to b1

                                                     | word, with the fields of its last access
          #  event           input  state         | value              lane warp block clocks | machine truth
          1  t0:W            -      WRITE         | 0x1008000000000000    0    0     0   0  0 | ok      ok
          2  syncwarp w0
          3  t0:GA           W,S    WSYNC_ATOM    | 0x6808000000000001    0    0     0   0  1 | ok      ok
          4  t1:GA           U,W    WSYNC_ATOM_M  | 0x7808000000000001    -    0     0   0  1 | ok      ok
          5  t1:R            U,W    RACE          | 0xc008000000000000    -    -     -   -  - | race    race with 3

        race: machine and truth agree on every access
    "#]],
    );
}

#[test]
fn trace_of_the_published_table() {
    check_trace(
        &[
            "--table",
            "published",
            "t0:R, syncthreads b0, t0:GA [WRITE], t2:GA",
        ],
        1,
        expect![[r#"
            grid 2x2x2: threads t0 to t7, warps w0 to w3, blocks b0 to b1

                                                         | word, with the fields of its last access
              #  event           input  state         | value              lane warp block clocks | machine truth
              1  t0:R            -      READ          | 0x0808000000000000    0    0     0   0  0 | ok      ok
              2  syncthreads b0
              3  t0:GA           B,S    WRITE         | 0x1008000000008000    0    0     0   1  0 | ok      ok
              4  t2:GA           U,B    RACE          | 0xc008000000000000    -    -     -   -  - | race    ok

            machine and truth disagree
        "#]],
    );
}

#[test]
fn trace_with_other_states_than_expected() {
    check_trace(
        &[
            "--shape",
            "1x1x2",
            "t0:R [READ], syncwarp w0 [READ], t1:W [READ]",
        ],
        1,
        expect![[r#"
            grid 1x1x2: threads t0 to t1, warp w0, block b0

                                                         | word, with the fields of its last access
              #  event           input  state         | value              lane warp block clocks | machine truth
              1  t0:R            -      READ          | 0x0808000000000000    0    0     0   0  0 | ok      ok
              2  syncwarp w0
              3  t1:W            W,W    WRITE         | 0x1008010000000001    1    0     0   0  1 | ok      ok  (expected READ)

            no race: machine and truth agree on every access
        "#]],
    );
}

#[track_caller]
fn check_bad_trace(history: &str, message: &str, place: &str) {
    let outcome = run(&["trace", history]);
    outcome.ends_with(2).says(message).says(place);
}

#[test]
fn bad_traces_are_shown_with_their_place() {
    check_bad_trace("t0:R, t9:W", "a 2x2x2 grid has t0 to t7", "[history:1:7]");
    check_bad_trace("t0:R, t0:X", "this is no access", "[history:1:10]");
    check_bad_trace("t0:R [READY]", "this is no state", "[history:1:6]");
    check_bad_trace("t0:R, fence", "this is no event", "[history:1:7]");
    check_bad_trace("", "a history needs at least one event", "[history:1:1]");
}
