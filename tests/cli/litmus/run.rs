//! `hirace litmus run`.

use super::{STORE_BUFFERING, fenced, litmus};
use crate::harness::{Sandbox, in_sample};

/// The states of the test SB that runs ended in, with their counts.
fn states(stdout: &str) -> Vec<(i64, i64, u64)> {
    let json: serde_json::Value = serde_json::from_str(stdout).expect("JSON");
    assert_eq!(json["schema"], "hirace-litmus-run/1");
    assert_eq!(json["backend"], "cpu");
    let states = json["states"].as_array().expect("states").iter();
    let number = |it: &serde_json::Value, name: &str| it["state"][name].as_i64().expect(name);
    states
        .map(|it| {
            assert_eq!(it["allowed"], true);
            let count = it["count"].as_u64().expect("a count");
            (number(it, "P0:r0"), number(it, "P1:r0"), count)
        })
        .collect()
}

#[test]
fn tests_run_on_the_executor() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::new().file("sb.litmus", STORE_BUFFERING);
    let common = [
        "run",
        "--backend",
        "cpu",
        "--format",
        "json",
        "-n",
        "2000",
        "sb.litmus",
    ];
    let ran = litmus(&sandbox, &common);
    ran.ends_with(0);
    let seen = states(&ran.stdout);
    // Each order of the threads, and never both reads before both writes.
    let mut values: Vec<_> = seen.iter().map(|it| (it.0, it.1)).collect();
    values.sort_unstable();
    assert_eq!(values, [(0, 1), (1, 0), (1, 1)]);
    assert_eq!(seen.iter().map(|it| it.2).sum::<u64>(), 2000);
    assert_eq!(
        litmus(&sandbox, &common).stdout,
        ran.stdout,
        "the same seed"
    );
    // A model without such states.
    let sandbox = sandbox.file("none.cat", "empty rf as nothing\n");
    let forbidden = litmus(&sandbox, &[&common[..], &["--model", "none.cat"]].concat());
    forbidden.ends_with(1);
    assert!(forbidden.stdout.contains("\"contradicts\":true"));
}

#[test]
fn an_interrupted_run_goes_on() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::new().file("sb.litmus", STORE_BUFFERING);
    let with = |iterations: &str, database: &str| {
        let arguments = [
            "run",
            "--backend",
            "cpu",
            "--format",
            "json",
            "-n",
            iterations,
        ];
        litmus(
            &sandbox,
            &[&arguments[..], &["--database", database, "sb.litmus"]].concat(),
        )
    };
    let whole = with("1000", "whole.sqlite");
    whole.ends_with(0);
    // As if nine of ten parts had been lost.
    let database = rusqlite::Connection::open(sandbox.path("whole.sqlite")).expect("a database");
    let runs: i64 = database
        .query_row("SELECT sum(count) FROM states", [], |row| row.get(0))
        .expect("states");
    assert_eq!(runs, 1000);
    database
        .execute_batch("UPDATE states SET count = 0; UPDATE runs SET parts_done = 9")
        .expect("SQL");
    let rest = with("1000", "whole.sqlite");
    rest.ends_with(0);
    let counted: u64 = states(&rest.stdout).iter().map(|it| it.2).sum();
    assert_eq!(counted, 100, "only the last part ran again");
    // Nothing is left to do.
    assert_eq!(with("1000", "whole.sqlite").stdout, rest.stdout);
    // A test is known by the program that is made of it, not by its text.
    let sandbox = &sandbox;
    let commented = STORE_BUFFERING.replace("PTX SB\n", "PTX SB\n\"a comment\"\n");
    std::fs::write(sandbox.path("sb.litmus"), commented).expect("a file");
    assert_eq!(with("1000", "whole.sqlite").stdout, rest.stdout);
    let other = STORE_BUFFERING.replace("x, 1", "x, 2");
    std::fs::write(sandbox.path("sb.litmus"), other).expect("a file");
    assert_ne!(with("1000", "whole.sqlite").stdout, rest.stdout);
    std::fs::write(sandbox.path("text"), "no database").expect("a file");
    with("1000", "text")
        .ends_with(2)
        .says("cannot keep results");
}

#[test]
fn programs_for_a_gpu() {
    let sandbox = Sandbox::new().file("mp.litmus", fenced());
    litmus(&sandbox, &["run", "--emit", "programs", "mp.litmus"]).ends_with(0);
    let program = std::fs::read_to_string(sandbox.path("programs/SB.cu")).expect("a program");
    for part in ["fence.sc.gpu;", "ld.relaxed.gpu.s64", "st.relaxed.gpu.b64"] {
        assert!(program.contains(part), "{part}\n{program}");
    }
    litmus(&sandbox, &["run", "--incantations", "stres", "mp.litmus"])
        .ends_with(2)
        .says("there is no incantation `stres`");
    let hangs = "PTX hangs\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n L: ;\n ld.relaxed.gpu r0, x ;\n \
                 bne r0, 1, L ;\nexists (P0:r0 == 1)\n";
    let sandbox = sandbox.file("hangs.litmus", hangs);
    litmus(&sandbox, &["run", "--backend", "cpu", "hangs.litmus"])
        .ends_with(2)
        .says("may wait forever");
}

#[test]
fn what_final_states_show() {
    let text = STORE_BUFFERING.replace(
        "~exists",
        " add r1, r0, 7 | ;\nlocations [y; P0:r1;]\n~exists",
    );
    let sandbox = Sandbox::new().file("sb.litmus", text);
    let ran = litmus(
        &sandbox,
        &["run", "--backend", "cpu", "-n", "100", "sb.litmus"],
    );
    ran.ends_with(0);
    assert!(ran.stdout.contains("P0:r1 = 8"), "{}", ran.stdout);
}

/// Types and reductions, on a machine that has them.
#[test]
fn programs_have_the_types_of_the_test() {
    if !in_sample() {
        return;
    }
    let text = "PTX types\n{ uint32_t x = 0xffffffff; int8_t y = 0; z = 0; }\n\
                P0@cta 0 | P1@cta 0 ;\n\
                atom.relaxed.gpu.add.u32 r0, x, 2 | st.weak y, 200 ;\n\
                atom.relaxed.gpu.min.s32 r1, x, -1 | ld.weak r0, y ;\n\
                add.u32 r2, r0, 1 | ld.weak.u8 r1, y ;\n\
                bar.cta.red.popc r3, 0, r2 | bar.cta.red.popc r3, 0, r0 ;\n\
                bar.cta.red.and r4, 0, r2 | bar.cta.red.and r4, 0, 1 ;\n\
                bar.cta.red.or r5, 0, r2 | bar.cta.red.or r5, 0, 1 ;\n\
                atom.relaxed.gpu.max.u64 r6, z, -1 | ;\n\
                forall (P0:r0 == 4294967295 /\\ P0:r1 == 1 /\\ P0:r2 == 0 /\\ P0:r3 == 1 /\\ \
                P0:r4 == 0 /\\ P1:r4 == 0 /\\ P1:r5 == 1 /\\ P1:r0 == -56 /\\ P1:r1 == 200 /\\ \
                [x] == -1 /\\ [y] == 200 /\\ [z] == -1)\n";
    let sandbox = Sandbox::new().file("types.litmus", text);
    litmus(&sandbox, &["types.litmus"]).ends_with(0);
    let ran = litmus(
        &sandbox,
        &[
            "run",
            "--backend",
            "cpu",
            "-n",
            "100",
            "--format",
            "json",
            "types.litmus",
        ],
    );
    ran.ends_with(0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(json["satisfying"], 100, "{}", ran.stdout);
    litmus(&sandbox, &["run", "--emit", "programs", "types.litmus"]).ends_with(0);
    let program = std::fs::read_to_string(sandbox.path("programs/types.cu")).expect("a program");
    for part in [
        "atom.relaxed.gpu.add.u32 ",
        "atom.relaxed.gpu.min.s32 ",
        "atom.relaxed.gpu.max.u64 ",
        "st.weak.b8 ",
        "ld.weak.s8 ",
        "ld.weak.u8 ",
        "barrier.cta.red.popc.u32 ",
        "barrier.cta.red.and.pred ",
    ] {
        assert!(program.contains(part), "{part}\n{program}");
    }
}
