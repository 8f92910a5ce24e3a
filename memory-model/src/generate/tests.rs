//! What generated tests are called, and that their conditions close the cycles.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::{Access, Cycle, Edge, Generated, Vocabulary, cycles, test};
use crate::cat::Model;
use crate::litmus::Threads;
use crate::verdict::{Settings, judge};
use crate::{litmus, models};
use hirace_model::error::Error;

fn of(cycle: &str) -> Generated {
    let words: Vec<_> = cycle.split(' ').collect();
    let cycle = Cycle::parse(&words).expect("a cycle");
    test(&cycle, Threads::OneGrid, "exists")
}

fn holds(text: &str, model: &Model) -> bool {
    let test = litmus::parse("generated", text).unwrap_or_else(|it| panic!("{it}\n{text}"));
    let verdict = judge(&test, "generated", text, model, &Settings::default());
    verdict.expect("a verdict").holds
}

fn vocabulary(relaxations: &[&str], accesses: &[&str], threads: usize, size: usize) -> Vocabulary {
    let edges = relaxations.iter().map(|it| Edge::of_relaxation(it));
    let accesses = accesses.iter().map(|it| Access::parse(it));
    Vocabulary {
        edges: edges
            .collect::<Result<Vec<_>, _>>()
            .expect("edges")
            .concat(),
        accesses: accesses.collect::<Result<_, _>>().expect("accesses"),
        threads,
        size,
    }
}

fn all(vocabulary: &Vocabulary) -> Vec<Generated> {
    let mut all = Vec::new();
    cycles(vocabulary, &mut |cycle| {
        all.push(test(&cycle, Threads::OneGrid, "exists"));
        ControlFlow::Continue(())
    })
    .expect("cycles");
    all
}

#[test]
fn customary_names() {
    for (cycle, name) in [
        ("PodWW Rfe PodRR Fre", "MP+pos"),
        ("PodRR Fre PodWW Rfe", "MP+pos"),
        ("Fence.sc.gpu.dWR Fre PodWR Fre", "SB+fence.sc.gpu+po"),
        ("PodWR Fre Fence.sc.gpu.dWR Fre", "SB+fence.sc.gpu+po"),
        ("DpDatadW Rfe DpCtrldW Rfe", "LB+ctrl+data"),
        ("PodWW Coe PodWR Fre", "R+pos"),
        ("PodWW Rfe PodRW Coe", "S+pos"),
        ("PodWW Coe PodWW Coe", "2+2W+pos"),
        ("Rfe DpAddrdW Rfe DpAddrdR Fre", "WRC+addrs"),
        ("PodWW Rfe PodRW Rfe PodRR Fre", "ISA2+pos"),
        ("Rfe PodRR Fre Rfe DpAddrdR Fre", "IRIW+addr+po"),
        ("Rfe PosRR Fre", "CoRR"),
        ("PosWW Coi", "CoWW"),
        ("PosRW Rfi", "CoRW1"),
        ("Rfe PosRW Coe", "CoRW2"),
        ("PosWR Fre Coe", "CoWR"),
        (
            "PodWW [release.gpu] Rfe [acquire.gpu] PodRR Fre",
            "MP+po-release.gpu+acquire.gpu-po",
        ),
        ("PodWW Rfe Rmw Rfe PodRR Fre", "ISA2+po+rmw+po"),
        ("Rfi PodRR Fre Rfi PodRR Fre", "SB+rfi-pos"),
        (
            "PodWR [weak] Fre [weak] PodWR [weak] Fre [weak]",
            "SB+pos.weak",
        ),
    ] {
        assert_eq!(of(cycle).name, name, "{cycle}");
    }
}

#[test]
fn a_text_with_dependencies() {
    let made = of("Fence.acq_rel.gpu.dWW Rfe DpAddrdR Fre");
    assert_eq!(
        made.text,
        "\
PTX MP+fence.acq_rel.gpu+addr
\"Fence.acq_rel.gpu.dWW Rfe DpAddrdR Fre\"
{ x = 0; y = 0; P1:r2 = x; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0        ;
 st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y  ;
 fence.acq_rel.gpu   | xor r1, r0, r0        ;
 st.relaxed.gpu y, 1 | add r3, r2, r1        ;
                     | ld.relaxed.gpu r4, [r3] ;
exists (P1:r0 == 1 /\\ P1:r4 == 0)
"
        .replace("P1@cta 1,gpu 0        ;", "P1@cta 1,gpu 0          ;")
        .replace("r0, y  ;", "r0, y    ;")
        .replace("r0, r0        ;", "r0, r0          ;")
        .replace("r2, r1        ;", "r2, r1          ;")
    );
}

#[test]
fn what_makes_no_test() {
    let why = |cycle: &str| {
        let words: Vec<_> = cycle.split(' ').collect();
        Cycle::parse(&words).expect_err(cycle).to_string()
    };
    assert!(why("PodWW Rfe").contains("cannot follow"));
    assert!(why("PodWW Rfe PosRR Fre").contains("location"));
    assert!(why("PodWW Rfi PodRR Fre").contains("thread"));
    assert!(why("PodWW Rfx").contains("no edge `Rfx`"));
    assert!(why("[weak] PodWW Rfe").contains("follow an edge"));
    assert!(why("PodWW Rfe [release.gpu] PodRR Fre").contains("a read cannot be"));
    assert!(why("PodWW Rfe [aquire.gpu] PodRR Fre").contains("no access"));
    assert!(why("Rfe [weak] Rmw Rfe PodRR Fre PodWW").contains("`Rmw`"));
}

/// Sequential consistency forbids each cycle, and a model without rules allows each that
/// atomicity and coherence do not exclude.
#[test]
fn conditions_close_the_cycles() {
    let sc = models::shipped("sc").expect("a model");
    // No ordering at all, but values must come from somewhere.
    let none = models::parse("none.cat", "\"none\"\n", None).expect("a model");
    let all = all(&vocabulary(
        &[
            "rfe", "fre", "coe", "rfi", "po", "po-loc", "addr", "data", "ctrl", "rmw",
        ],
        &["relaxed.gpu"],
        3,
        6,
    ));
    assert!(all.len() > 1_000, "{}", all.len());
    let step = all.len() / 1_000;
    for made in all.iter().step_by(step.max(1)) {
        assert!(!holds(&made.text, &sc), "{}\n{}", made.cycle, made.text);
        assert!(holds(&made.text, &none), "{}\n{}", made.cycle, made.text);
    }
}

#[test]
fn no_test_twice() {
    let all = all(&vocabulary(
        &[
            "rfe",
            "fre",
            "coe",
            "fri",
            "coi",
            "po",
            "fence.sc.gpu",
            "addr",
            "rmw",
        ],
        &["relaxed.gpu", "weak", "acquire.gpu"],
        2,
        5,
    ));
    let mut names = HashMap::new();
    for made in &all {
        let before = names.insert(&made.name, &made.cycle);
        assert_eq!(before, None, "{}: {}", made.name, made.cycle);
    }
    assert!(all.len() > 500, "{}", all.len());
    assert!(names.contains_key(&"MP+fence.sc.gpu+addr".to_owned()));
}

/// The tests that everyone knows, and what PTX says of them.
#[test]
fn what_the_model_says() {
    let ptx = models::shipped("ptx").expect("a model");
    for (cycle, allowed) in [
        ("PodWR Fre PodWR Fre", true),
        ("Fence.sc.gpu.dWR Fre Fence.sc.gpu.dWR Fre", false),
        ("Fence.acq_rel.gpu.dWR Fre Fence.acq_rel.gpu.dWR Fre", true),
        ("Fence.sc.cta.dWR Fre Fence.sc.cta.dWR Fre", true),
        ("PodWW [release.gpu] Rfe [acquire.gpu] PodRR Fre", false),
        ("PodWW [release.cta] Rfe [acquire.cta] PodRR Fre", true),
        (
            "PodWW [release.gpu] Rfe [acquire.gpu] Rmw [release.gpu] Rfe [acquire.gpu] PodRR Fre",
            false,
        ),
        (
            "PodWW [release.gpu] Rfe Rmw Rfe [acquire.gpu] PodRR Fre",
            false,
        ),
        ("DpDatadW Rfe DpDatadW Rfe", false),
        ("PodRW Rfe PodRW Rfe", true),
        ("Rfe PosRR Fre", false),
    ] {
        assert_eq!(holds(&of(cycle).text, &ptx), allowed, "{cycle}");
    }
}

#[test]
fn mistakes_in_cycles() {
    let check = |cycle: &str, message: &str, about_edges: bool| {
        let words: Vec<_> = cycle.split(' ').collect();
        match Cycle::parse(&words) {
            Err(Error::Input {
                message: found,
                help,
            }) => {
                assert!(found.contains(message), "{found}");
                let help = help.unwrap_or_default();
                assert_eq!(help.contains("PodWR"), about_edges, "{cycle}: {help}");
            }
            other => panic!("{other:?}"),
        }
    };
    let ends = "Coe ends in a write, Rmw starts with a read";
    check("Rmw Coe Rmw Coe", ends, false);
    check("PodWW PodWW Rfe Fre", "one edge of a shorter cycle", false);
    check(
        "PodWW [acquire.gpu] Rfe PodRR Fre",
        "a write cannot be",
        false,
    );
    check("[weak] Rfe PodRR Fre PodWW", "follow an edge", false);
    check("PodWW [relesse.gpu] Rfe", "there is no access", false);
    check("PodWW Rfx", "there is no edge", true);
}
