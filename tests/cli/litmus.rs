//! `hirace litmus`.

use crate::harness::{Outcome, Sandbox};

const STORE_BUFFERING: &str = "\
PTX SB
{ x = 0; y = 0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
 st.relaxed.gpu x, 1    | st.relaxed.gpu y, 1    ;
 ld.relaxed.gpu r0, y   | ld.relaxed.gpu r0, x   ;
~exists (P0:r0 == 0 /\\ P1:r0 == 0)
";

/// The same with a fence between the accesses of each thread.
fn fenced() -> String {
    let fence = "\n fence.sc.gpu           | fence.sc.gpu           ;\n ld";
    STORE_BUFFERING.replace("\n ld", fence)
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Outcome {
    sandbox.run(&[&["litmus"], arguments].concat())
}

#[test]
fn a_verdict_and_the_execution_that_decides_it() {
    let sandbox = Sandbox::new()
        .file("sb.litmus", STORE_BUFFERING)
        .file("fenced.litmus", fenced());
    let weak = run(&sandbox, &["sb.litmus"]);
    weak.ends_with(1);
    assert!(weak.stdout.contains("SB: ~exists"), "{}", weak.stdout);
    assert!(weak.stdout.contains("does not hold"), "{}", weak.stdout);
    assert!(
        weak.stdout.contains("R.relaxed.gpu y = 0"),
        "{}",
        weak.stdout
    );
    run(&sandbox, &["fenced.litmus"]).ends_with(0);
    // Sequential consistency allows neither.
    run(&sandbox, &["--model", "sc", "sb.litmus", "fenced.litmus"]).ends_with(0);
}

#[test]
fn an_object_for_each_test() {
    let sandbox = Sandbox::new()
        .file("tests/sb.litmus", STORE_BUFFERING)
        .file("tests/more/fenced.litmus", fenced());
    let both = run(&sandbox, &["--format", "json", "tests"]);
    both.ends_with(1);
    let objects: Vec<serde_json::Value> = both
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [fenced, weak] = &objects[..] else {
        panic!("{}", both.stdout);
    };
    assert_eq!(weak["schema"], "hirace-litmus/1");
    assert_eq!(weak["name"], "SB");
    assert_eq!(weak["file"], "tests/sb.litmus");
    assert_eq!(weak["condition"], "~exists (P0:r0 == 0 /\\ P1:r0 == 0)");
    assert_eq!(
        (&weak["holds"], &fenced["holds"]),
        (&false.into(), &true.into())
    );
    assert_eq!(
        (&weak["executions"], &weak["witnesses"]),
        (&4.into(), &1.into())
    );
    assert_eq!(
        (&weak["race"], &weak["may_hang"]),
        (&false.into(), &false.into())
    );
}

#[test]
fn pictures() {
    let sandbox = Sandbox::new().file("sb.litmus", STORE_BUFFERING);
    let dot = run(&sandbox, &["--format", "dot", "sb.litmus"]);
    assert!(dot.ends_with(1).stdout.starts_with("digraph \"SB\" {"));
    assert_eq!(dot.stdout.matches("label=\"fr\"").count(), 2);
    let svg = run(&sandbox, &["--format", "svg", "sb.litmus"]);
    assert!(svg.ends_with(1).stdout.starts_with("<svg "));
    assert!(
        svg.stdout.contains(">W.relaxed.gpu x = 1<"),
        "{}",
        svg.stdout
    );
}

#[test]
fn a_model_of_ones_own() {
    let sandbox = Sandbox::new()
        .file("sb.litmus", STORE_BUFFERING)
        .file("mine.cat", "include \"part.cat\"\nacyclic order as mine\n")
        .file("part.cat", "let order = po | rf | co | fr\n");
    run(&sandbox, &["--model", "mine.cat", "sb.litmus"]).ends_with(0);
    let sandbox = sandbox.file("mine.cat", "acyclic po | rg\n");
    run(&sandbox, &["--model", "mine.cat", "sb.litmus"])
        .ends_with(2)
        .says("mine.cat:1:14");
    run(&sandbox, &["--model", "tso", "sb.litmus"])
        .ends_with(2)
        .says("there is no model `tso`")
        .says("ptx, sc");
}

#[test]
fn mistakes_have_a_position_and_spare_the_other_tests() {
    let sandbox = Sandbox::new().file("good.litmus", fenced()).file(
        "bad.litmus",
        STORE_BUFFERING.replace("ld.relaxed", "ld.relxed"),
    );
    let outcome = run(&sandbox, &["bad.litmus", "good.litmus", "missing.litmus"]);
    outcome
        .ends_with(2)
        .says("bad.litmus:5:")
        .says("missing.litmus");
    assert!(outcome.stdout.contains("holds"), "{}", outcome.stdout);
}

#[test]
fn limits() {
    let sandbox = Sandbox::new().file("sb.litmus", STORE_BUFFERING);
    run(&sandbox, &["--limit", "5", "sb.litmus"])
        .ends_with(2)
        .says("more than 5 candidate executions")
        .says("--limit");
}

#[test]
fn threads_in_other_places() {
    let sandbox = Sandbox::new().file("sb.litmus", fenced().replace("sc.gpu", "sc.cta"));
    let both = run(
        &sandbox,
        &["--placement", "block", "--placement", "grid", "sb.litmus"],
    );
    both.ends_with(1);
    assert!(both.stdout.contains("SB@block: ~exists"), "{}", both.stdout);
    let verdicts: Vec<bool> = both
        .stdout
        .lines()
        .filter(|line| line.starts_with("SB"))
        .map(|line| line.ends_with(": holds"))
        .collect();
    assert_eq!(verdicts, [true, false]);
}

#[test]
fn tests_are_generated() {
    let sandbox = Sandbox::new();
    let one = run(
        &sandbox,
        &[
            "generate",
            "PodWW",
            "[release.gpu]",
            "Rfe",
            "[acquire.gpu]",
            "PodRR Fre",
        ],
    );
    one.ends_with(0);
    assert!(
        one.stdout.contains("PTX MP+po-release.gpu+acquire.gpu-po"),
        "{}",
        one.stdout
    );
    // What is forbidden stays forbidden, and what is allowed allowed.
    for outcome in ["forbidden", "allowed"] {
        let written = run(
            &sandbox,
            &["generate", "--outcome", outcome, "--output", outcome],
        );
        written.ends_with(0);
        run(&sandbox, &["--format", "json", outcome]).ends_with(0);
    }
    run(
        &sandbox,
        &["--format", "json", "--model", "sc", "forbidden"],
    )
    .ends_with(0);
    assert!(sandbox.path("forbidden/SB+fence.sc.gpus.litmus").exists());
    assert!(sandbox.path("allowed/SB+pos.litmus").exists());
    assert!(!sandbox.path("forbidden/SB+pos.litmus").exists());
    run(&sandbox, &["generate", "PodWW", "Rfx"])
        .ends_with(2)
        .says("there is no edge `Rfx`");
    run(&sandbox, &["generate", "--relaxations", "rfe,lwsync"])
        .ends_with(2)
        .says("there is no relaxation `lwsync`")
        .says("fence.sc.gpu");
    run(&sandbox, &["generate", "--most", "3", "--list"])
        .ends_with(0)
        .says("more than 3 cycles");
}

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
    let ran = run(&sandbox, &common);
    ran.ends_with(0);
    let seen = states(&ran.stdout);
    // Each order of the threads, and never both reads before both writes.
    let mut values: Vec<_> = seen.iter().map(|it| (it.0, it.1)).collect();
    values.sort_unstable();
    assert_eq!(values, [(0, 1), (1, 0), (1, 1)]);
    assert_eq!(seen.iter().map(|it| it.2).sum::<u64>(), 2000);
    assert_eq!(run(&sandbox, &common).stdout, ran.stdout, "the same seed");
    // A model without such states.
    let sandbox = sandbox.file("none.cat", "empty rf as nothing\n");
    let forbidden = run(&sandbox, &[&common[..], &["--model", "none.cat"]].concat());
    forbidden.ends_with(1);
    assert!(forbidden.stdout.contains("\"contradicts\":true"));
}

#[test]
fn an_interrupted_run_goes_on() {
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
        run(
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
    let sandbox = &sandbox;
    std::fs::write(sandbox.path("text"), "no database").expect("a file");
    with("1000", "text")
        .ends_with(2)
        .says("cannot keep results");
}

#[test]
fn programs_for_a_gpu() {
    let sandbox = Sandbox::new().file("mp.litmus", fenced());
    run(&sandbox, &["run", "--emit", "programs", "mp.litmus"]).ends_with(0);
    let program = std::fs::read_to_string(sandbox.path("programs/SB.cu")).expect("a program");
    for part in ["fence.sc.gpu;", "ld.relaxed.gpu.s32", "st.relaxed.gpu.b32"] {
        assert!(program.contains(part), "{part}\n{program}");
    }
    run(&sandbox, &["run", "--incantations", "stres", "mp.litmus"])
        .ends_with(2)
        .says("there is no incantation `stres`");
    let hangs = "PTX hangs\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n L: ;\n ld.relaxed.gpu r0, x ;\n \
                 bne r0, 1, L ;\nexists (P0:r0 == 1)\n";
    let sandbox = sandbox.file("hangs.litmus", hangs);
    run(&sandbox, &["run", "--backend", "cpu", "hangs.litmus"])
        .ends_with(2)
        .says("may wait forever");
}

/// The pictures of docs/memory-model.md are what the command draws of the examples.
#[test]
fn pictures_of_the_docs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (test, picture, status) in [
        ("sb", "litmus-sb.svg", 1),
        ("mp", "litmus-mp.svg", 1),
        ("lock_block_scope", "litmus-lock.svg", 1),
    ] {
        let example = root.join(format!("examples/litmus/{test}.litmus"));
        let text = std::fs::read_to_string(&example).expect("an example");
        let sandbox = Sandbox::new().file("a.litmus", text);
        let drawn = run(&sandbox, &["--format", "svg", "a.litmus"]);
        drawn.ends_with(status);
        expect_test::expect_file![root.join("docs/pictures").join(picture)]
            .assert_eq(&drawn.stdout);
    }
    for repaired in ["sb_fenced", "mp_fenced", "lock"] {
        let example = root.join(format!("examples/litmus/{repaired}.litmus"));
        let text = std::fs::read_to_string(&example).expect("an example");
        let sandbox = Sandbox::new().file("a.litmus", text);
        let judged = run(&sandbox, &["--format", "json", "a.litmus"]);
        judged.ends_with(0);
        assert!(
            judged.stdout.contains("\"race\":false"),
            "{}",
            judged.stdout
        );
    }
}

/// A ticket lock has many ways through its loops, most of which fit no other thread's.
#[test]
fn the_time_limit_holds_while_ways_are_put_together() {
    let thread = |label: &str| {
        [
            "atom.relaxed.gpu.add r0, next, 1",
            &format!("{label}: ld.acquire.gpu r1, serving"),
            &format!("bne r1, r0, {label}"),
            "ld.weak r2, count",
            "add r2, r2, 1",
            "st.weak count, r2",
            "add r1, r1, 1",
            "st.release.gpu serving, r1",
        ]
        .map(str::to_owned)
    };
    let rows: Vec<String> = thread("A")
        .iter()
        .zip(&thread("B"))
        .map(|(a, b)| format!("{a} | {b} ;"))
        .collect();
    let text = format!(
        "PTX ticket\n{{ next = 0; serving = 0; count = 0; }}\nP0@cta 0 | P1@cta 1 ;\n{}\n\
         forall ([count] == 2)\n",
        rows.join("\n")
    );
    let sandbox = Sandbox::new().file("ticket.litmus", text);
    run(&sandbox, &["ticket.litmus"]).ends_with(0);
    run(
        &sandbox,
        &["--unroll", "5", "--timeout", "0.2", "ticket.litmus"],
    )
    .ends_with(2)
    .says("no verdict within the time limit");
}
