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
