//! The dialect of "GPU Concurrency".

use super::super::ast::{Instruction, Order, Placement, Scope};
use super::{code, fails, read};

/// Store buffering with registers that hold addresses.
pub(super) const SB: &str = "GPU_PTX SB
{ 0:.reg .s32 r0; 0:.reg .s32 r2; 0:.reg .b64 r1 = x; 0:.reg .b64 r3 = y;
  1:.reg .s32 r0; 1:.reg .s32 r2; 1:.reg .b64 r1 = y; 1:.reg .b64 r3 = x; x=0; }
 T0                 | T1                 ;
 mov.s32 r0, 1      | mov.s32 r0, 1      ;
 st.cg.s32 [r1], r0 | st.cg.s32 [r1], r0 ;
 membar.gl          | membar.cta         ;
 ld.cg.s32 r2, [r3] | ld.ca.s32 r2, [r3] ;
ScopeTree(grid (cta (warp T0) (warp T1)))
x: shared, y: global
exists (0:r2=0 /\\ 1:r2=0)
";

/// A spin lock.
pub(super) const LOCK: &str = "GPU_PTX cas-lock
{ 0:.reg .s32 r0, r2; 0:.reg .pred p; 0:.reg .b64 r1 = m; 1:.reg .b64 r1 = m; }
T0 | T1 ;
atom.cas.b32 r0, [r1], 0, 1 | atom.exch.b32 r0,[r1],1 ;
setp.eq.s32 p, r0, 0 | st.volatile.s32 [x], 1 ;
@p ld.volatile.s32 r2, [x] | ;
ScopeTree (device (grid(cta(warp T0))(cta(warp T1))))
exists (0:r0=0 /\\ 0:r2=1)
";

#[test]
fn store_buffering() {
    let test = read(SB);
    let place = |warp| Placement {
        gpu: 0,
        cluster: None,
        cta: 0,
        warp: Some(warp),
    };
    assert_eq!(test.threads[0].placement, place(0));
    assert_eq!(test.threads[1].placement, place(1));
    assert_eq!(test.threads[1].name, "T1");
    let shared: Vec<_> = test
        .locations
        .iter()
        .map(|location| location.shared)
        .collect();
    assert_eq!(shared, [true, false]);
    let code = code(&test, 1);
    assert!(matches!(&code[0], Instruction::AddressOf { target, location: 1 } if target == "r1"));
    let store = code[3].memory_operation().expect("a store");
    assert_eq!(store.order, Order::Weak);
    assert_eq!(
        code[4],
        Instruction::Fence {
            sc: true,
            scope: Scope::Cta
        }
    );
    assert_eq!(test.question.text, "exists (0:r2=0 /\\ 1:r2=0)");
}

#[test]
fn other_blocks() {
    let test = read(LOCK);
    let place = |cta| Placement {
        gpu: 0,
        cluster: None,
        cta,
        warp: Some(0),
    };
    assert_eq!(test.threads[0].placement, place(0));
    assert_eq!(test.threads[1].placement, place(1));
    assert_eq!(test.threads[0].code[3].guard, Some(("p".to_owned(), false)));
}

#[test]
fn several_gpus() {
    let tree = "ScopeTree(system (gpu (cta T0)) (gpu (cta (warp T1))))";
    let test = read(&format!(
        "PTX s\n{{}}\nT0 | T1 ;\nst x, 1 | st x, 2 ;\n{tree}\nexists (x=1)"
    ));
    assert_eq!(
        test.threads[0].placement,
        Placement {
            gpu: 0,
            cluster: None,
            cta: 0,
            warp: None
        }
    );
    assert_eq!(
        test.threads[1].placement,
        Placement {
            gpu: 1,
            cluster: None,
            cta: 1,
            warp: Some(0)
        }
    );
}

#[track_caller]
fn check_tree(marked: &str, expected: &str) {
    let code = "GPU_PTX S\n{ x = 0; }\nT0 | T1 ;\nst x, 1 | ld r0, x ;";
    fails(&format!("{code}\n{marked}\nexists (x=1)"), expected);
}

#[test]
fn mistakes_in_scope_trees() {
    let good = "ScopeTree(grid(cta(warp T0) (warp T1)))";
    check_tree(
        "«ScopeTree»(grid (cta (warp T0)))",
        "does not place thread `T1`",
    );
    check_tree("ScopeTree(grid (cta T0 «T0»))", "contains `T0` twice");
    check_tree("ScopeTree(grid (cta T0 «T2»))", "no thread `T2`");
    check_tree("ScopeTree(grid «T0»)", "must be inside a `cta`");
    check_tree(
        "ScopeTree(grid («warp» T0))",
        "a warp must be inside a `cta`",
    );
    check_tree("ScopeTree(«cluster» (cta T0))", "unknown level `cluster`");
    check_tree(
        "ScopeTree(cta («grid» T0))",
        "a `grid` cannot be inside this group",
    );
    check_tree(
        "ScopeTree(grid (cta T0 «,»",
        "expected a group in parentheses, a thread or `)`",
    );
    check_tree("ScopeTree «grid»", "expected `(`");
    check_tree(&format!("{good} «ScopeTree»(cta)"), "a second scope tree");
    check_tree(
        &format!("{good}\nx: «local»"),
        "expected `shared` or `global`",
    );
    check_tree(&format!("{good}\n«q»: shared"), "no location `q`");
    check_tree(
        &format!("{good}\nx: shared «x: global»"),
        "both in shared and in global memory",
    );
    let other = "ScopeTree(grid(cta T0) (cta T1))";
    check_tree(
        &format!("{other}\n«x: shared»"),
        "threads of different blocks use it",
    );
}

#[test]
fn placement_is_required_once() {
    fails(
        "GPU_PTX S\n{}\n«P0» ;\nst x, 1 ;\nexists (x=1)",
        "thread `P0` has no placement",
    );
    fails(
        "PTX S\n{}\n«T0» ;\nst x, 1 ;\nexists (x=1)",
        "thread `T0` has no placement",
    );
    let both = "PTX S\n{}\nP0@cta 0 ;\nst x, 1 ;\n«ScopeTree»(cta P0)\nexists (x=1)";
    fails(both, "the head of `P0` and this tree both place it");
}
