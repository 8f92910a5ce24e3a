//! `hirace litmus`.

mod run;

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

fn litmus(sandbox: &Sandbox, arguments: &[&str]) -> Outcome {
    sandbox.run(&[&["litmus"], arguments].concat())
}

#[test]
fn a_verdict_and_the_execution_that_decides_it() {
    let sandbox = Sandbox::new()
        .file("sb.litmus", STORE_BUFFERING)
        .file("fenced.litmus", fenced());
    let weak = litmus(&sandbox, &["sb.litmus"]);
    weak.ends_with(1);
    assert!(weak.stdout.contains("SB: ~exists"), "{}", weak.stdout);
    assert!(weak.stdout.contains("does not hold"), "{}", weak.stdout);
    assert!(
        weak.stdout.contains("R.relaxed.gpu y = 0"),
        "{}",
        weak.stdout
    );
    litmus(&sandbox, &["fenced.litmus"]).ends_with(0);
    // Sequential consistency allows neither.
    litmus(&sandbox, &["--model", "sc", "sb.litmus", "fenced.litmus"]).ends_with(0);
}

#[test]
fn an_object_for_each_test() {
    let sandbox = Sandbox::new()
        .file("tests/sb.litmus", STORE_BUFFERING)
        .file("tests/more/fenced.litmus", fenced());
    let both = litmus(&sandbox, &["--format", "json", "tests"]);
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
    let dot = litmus(&sandbox, &["--format", "dot", "sb.litmus"]);
    assert!(dot.ends_with(1).stdout.starts_with("digraph \"SB\" {"));
    assert_eq!(dot.stdout.matches("label=\"fr\"").count(), 2);
    let svg = litmus(&sandbox, &["--format", "svg", "sb.litmus"]);
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
    litmus(&sandbox, &["--model", "mine.cat", "sb.litmus"]).ends_with(0);
    let sandbox = sandbox.file("mine.cat", "acyclic po | rg\n");
    litmus(&sandbox, &["--model", "mine.cat", "sb.litmus"])
        .ends_with(2)
        .says("mine.cat:1:14");
    let sandbox = sandbox.file("mine.cat", "let before = rf\nwith co from orders(before)\n");
    litmus(&sandbox, &["--model", "mine.cat", "sb.litmus"])
        .ends_with(2)
        .says("mine.cat:2:21")
        .says("this depends on `rf`, which is chosen itself");
    litmus(&sandbox, &["--model", "tso", "sb.litmus"])
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
    let outcome = litmus(&sandbox, &["bad.litmus", "good.litmus", "missing.litmus"]);
    outcome
        .ends_with(2)
        .says("bad.litmus:5:")
        .says("missing.litmus");
    let reasons = outcome.stderr.to_lowercase();
    assert_eq!(reasons.matches("no such file").count(), 1, "{reasons}");
    assert!(outcome.stdout.contains("holds"), "{}", outcome.stdout);
}

#[test]
fn limits() {
    let sandbox = Sandbox::new().file("sb.litmus", STORE_BUFFERING);
    litmus(&sandbox, &["--limit", "5", "sb.litmus"])
        .ends_with(2)
        .says("more than 5 candidate executions")
        .says("--limit");
}

#[test]
fn threads_in_other_places() {
    let sandbox = Sandbox::new().file("sb.litmus", fenced().replace("sc.gpu", "sc.cta"));
    let both = litmus(
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
    let one = litmus(
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
        let written = litmus(
            &sandbox,
            &["generate", "--outcome", outcome, "--output", outcome],
        );
        written.ends_with(0);
        litmus(&sandbox, &["--format", "json", outcome]).ends_with(0);
    }
    litmus(
        &sandbox,
        &["--format", "json", "--model", "sc", "forbidden"],
    )
    .ends_with(0);
    assert!(sandbox.path("forbidden/SB+fence.sc.gpus.litmus").exists());
    assert!(sandbox.path("allowed/SB+pos.litmus").exists());
    assert!(!sandbox.path("forbidden/SB+pos.litmus").exists());
    litmus(&sandbox, &["generate", "PodWW", "Rfx"])
        .ends_with(2)
        .says("there is no edge `Rfx`");
    litmus(&sandbox, &["generate", "--relaxations", "rfe,lwsync"])
        .ends_with(2)
        .says("there is no relaxation `lwsync`")
        .says("fence.sc.gpu");
    litmus(&sandbox, &["generate", "--most", "3", "--list"])
        .ends_with(0)
        .says("more than 3 cycles");
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
        let drawn = litmus(&sandbox, &["--format", "svg", "a.litmus"]);
        drawn.ends_with(status);
        expect_test::expect_file![root.join("docs/pictures").join(picture)]
            .assert_eq(&drawn.stdout);
    }
    for repaired in ["sb_fenced", "mp_fenced", "lock"] {
        let example = root.join(format!("examples/litmus/{repaired}.litmus"));
        let text = std::fs::read_to_string(&example).expect("an example");
        let sandbox = Sandbox::new().file("a.litmus", text);
        let judged = litmus(&sandbox, &["--format", "json", "a.litmus"]);
        judged.ends_with(0);
        assert!(
            judged.stdout.contains("\"race\":false"),
            "{}",
            judged.stdout
        );
    }
}

/// The test of a ticket lock.
fn ticket_lock() -> String {
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
    format!(
        "PTX ticket\n{{ next = 0; serving = 0; count = 0; }}\nP0@cta 0 | P1@cta 1 ;\n{}\n\
         forall ([count] == 2)\n",
        rows.join("\n")
    )
}

/// Most paths through the loops of a ticket lock fit no path of the other thread, and no execution
/// needs more rounds than there are.
#[test]
fn a_ticket_lock_is_judged_completely() {
    let sandbox = Sandbox::new().file("ticket.litmus", ticket_lock());
    for unroll in ["2", "6"] {
        let judged = litmus(
            &sandbox,
            &["--unroll", unroll, "--format", "json", "ticket.litmus"],
        );
        judged.ends_with(0);
        for part in ["\"cut\":false", "\"executions\":4,", "\"may_hang\":false"] {
            assert!(judged.stdout.contains(part), "{}", judged.stdout);
        }
    }
}

#[test]
fn the_time_limit_holds_while_ways_are_put_together() {
    // Each of twelve reads returns one of five values.
    let read = |number: u32| [0; 4].map(|_| format!("ld.weak r{number}, x")).join(" | ");
    let stores = [1, 2, 3, 4]
        .map(|it| format!("st.weak x, {it}"))
        .join(" | ");
    let text = format!(
        "PTX many\n{{ x = 0; }}\nP0@cta 0 | P1@cta 1 | P2@cta 2 | P3@cta 3 ;\n{} ;\n{} ;\n{} ;\n\
         {stores} ;\nforall (true)\n",
        read(0),
        read(1),
        read(2)
    );
    let sandbox = Sandbox::new().file("many.litmus", text);
    litmus(&sandbox, &["--timeout", "0.2", "many.litmus"])
        .ends_with(2)
        .says("no verdict within the time limit");
    litmus(&sandbox, &["--limit", "100", "many.litmus"])
        .ends_with(2)
        .says("more than 100 paths through thread P0")
        .says("--limit");
}
