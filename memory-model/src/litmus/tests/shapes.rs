//! The shapes that every collection of litmus tests has.

use super::super::ast::{
    Address, Condition, Instruction, Operand, Order, Placement, Proxy, Quantifier, Scope, Term,
};
use super::super::{Threads, placed};
use super::{code, read};

/// Message passing with a loop, comments of all kinds and every form of declaration.
pub(super) const MP: &str = r#"PTX MP
"message passing"
"with a (* loop *) // here"
(* a comment (* in a comment *) *)
{ x = 0; flag = 0; P1:r0=0; 1:r1=7; // one more
  y @ generic aliases x; s @ surface aliases x; [z]=1; int w = 2; P0:r3=&x; }
 P0@cta 0,gpu 0          | P1 @ warp 1, cta 1, gpu 0 ;
 st.weak x, 1            | LC00:                     ;
 fence.sc.gpu            | ld.acquire.gpu r0, flag   ;
 st.release.gpu flag, 1  | bne r0, 1, LC00           ;
                         | ld.weak r1, x             ;
~exists (P1:r0 == 1 /\
         P1:r1 != 1)
"#;

/// Store buffering.
pub(super) const SB: &str = "PTX SB+fences
{}
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;
fence.sc.cta | fence.sc.cta ;
ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;
exists (P0:r0 == 0 /\\ P1:r0 == 0)
";

/// Load buffering with a data dependency and an address dependency.
pub(super) const LB: &str = "PTX LB
{ x = 0; y = 0; P1:r3 = x; }
P0 | P1 ;
ld.relaxed.sys r0, x | ld.relaxed.sys r0, y ;
st.relaxed.sys y, r0 | xor r1, r0, r0 ;
                     | add.u64 r4, r3, r1 ;
                     | st.relaxed.sys [r4], 1 ;
filter (P0:r0 == 1 \\/ true)
forall (~(P0:r0 = 1 /\\ 1:r0 = 1) \\/ not x != 1)
";

/// Independent reads of independent writes on three GPUs.
pub(super) const IRIW: &str = "PTX IRIW
{ x = 0; y = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 1 | P2@cta 0,gpu 2 | P3@cta 1,gpu 2 ;
st.relaxed.sys x, 1 | ld.acquire.sys r0, x | st.relaxed.sys y, 1 | ld.acquire.sys r0, y ;
 | fence.sc.sys | | fence.sc.sys ;
 | ld.acquire.sys r1, y | | ld.acquire.sys r1, x ;
~exists (P1:r0 == 1 /\\ P1:r1 == 0 /\\ P3:r0 == 1 /\\ P3:r1 == 0)
";

/// Coherence of reads.
pub(super) const CORR: &str = "PTX CoRR
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
st.weak x, 1 | ld.volatile r0, x ;
             | ld.volatile r1, x ;
exists (P1:r0 == 1 /\\ P1:r1 == 0)
";

/// Message passing through a barrier.
pub(super) const BARRIER: &str = "PTX barrier
{ x = 0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
st.weak x, 1 | bar.cta.sync 1, 2 ;
bar.cta.arrive 1, 2 | ld.weak r0, x ;
~exists (P1:r0 == 0)
";

/// A surface write, a texture read and a read through the constant bank.
pub(super) const PROXIES: &str = "PTX proxies
{ x = 0; s @ surface aliases x; t @ texture aliases s; c @ constant aliases x; }
P0@cta 0,gpu 0 ;
sust s, 1 ;
fence.proxy.surface ;
ld.weak r0, x ;
fence.proxy.texture ;
tld r1, t ;
fence.proxy.constant ;
cold r2, c ;
fence.proxy.alias ;
suld.relaxed.gpu r3, s ;
exists (P0:r0 == 1 /\\ [s] == P0:r3)
";

#[test]
fn message_passing() {
    let test = read(MP);
    assert_eq!(test.name, "MP");
    assert_eq!(
        test.comments,
        ["message passing", "with a (* loop *) // here"]
    );
    let initial = |location: &str| {
        let found = test.locations.iter().find(|found| found.name == location);
        found.map(|found| (found.initial, found.alias.map(|it| (it.proxy, it.memory))))
    };
    assert_eq!(initial("z"), Some((1, None)));
    assert_eq!(initial("w"), Some((2, None)));
    assert_eq!(initial("y"), Some((0, Some((Proxy::Generic, 0)))));
    assert_eq!(initial("s"), Some((0, Some((Proxy::Surface, 0)))));
    assert_eq!(test.registers, [(1, "r1".to_owned(), 7)]);
    let place = |gpu, cta, warp| Placement {
        gpu,
        cluster: None,
        cta,
        warp,
    };
    assert_eq!(test.threads[0].placement, place(0, 0, None));
    assert_eq!(test.threads[1].placement, place(0, 1, Some(1)));
    let first = code(&test, 0);
    assert!(matches!(&first[0], Instruction::AddressOf { target, location: 0 } if target == "r3"));
    assert_eq!(
        first[2],
        Instruction::Fence {
            sc: true,
            scope: Scope::Gpu
        }
    );
    let second = code(&test, 1);
    let load = second[0].memory_operation().expect("a load");
    assert_eq!(load.order, Order::Acquire);
    assert!(matches!(second[1], Instruction::Branch { to: 0, .. }));
    assert_eq!(test.question.quantifier, Quantifier::NotExists);
    assert_eq!(test.question.text, "~exists (P1:r0 == 1 /\\ P1:r1 != 1)");
    let span = test.threads[0].code[3].span.clone();
    assert_eq!(&MP[span], "st.release.gpu flag, 1");
}

#[test]
fn store_buffering_declares_nothing() {
    let test = read(SB);
    assert_eq!(test.name, "SB+fences");
    let names: Vec<_> = test
        .locations
        .iter()
        .map(|location| &location.name)
        .collect();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(test.threads[0].placement, test.threads[1].placement);
}

#[test]
fn load_buffering_has_own_blocks_and_a_filter() {
    let test = read(LB);
    let ctas: Vec<_> = test
        .threads
        .iter()
        .map(|thread| thread.placement.cta)
        .collect();
    assert_eq!(ctas, [0, 1]);
    let zero = |thread| Condition::Equal(Term::Register(thread, "r0".into()), Term::Value(1));
    let filter = Condition::Or(Box::new(zero(0)), Box::new(Condition::True));
    assert_eq!(test.filter, Some(filter));
    let both = Condition::And(Box::new(zero(0)), Box::new(zero(1)));
    let differ = Condition::Differ(Term::Location(0), Term::Value(1));
    let not = |condition| Box::new(Condition::Not(Box::new(condition)));
    assert_eq!(
        test.question.condition,
        Condition::Or(not(both), not(differ))
    );
    assert_eq!(test.question.quantifier, Quantifier::ForAll);
    let last = code(&test, 1).pop();
    let register = Address::Register("r4".into());
    let Some(Instruction::Store { operation, .. }) = last else {
        panic!("{last:?}");
    };
    assert_eq!(operation.address, register);
}

#[test]
fn independent_reads() {
    let test = read(IRIW);
    assert_eq!(test.threads.len(), 4);
    assert_eq!(test.threads[1].code.len(), 3);
    assert_eq!(test.threads[2].code.len(), 1);
    assert_eq!(
        test.threads[3].placement,
        Placement {
            gpu: 2,
            cluster: None,
            cta: 1,
            warp: None
        }
    );
}

#[test]
fn coherence_with_volatile_reads() {
    let load = &code(&read(CORR), 1)[0];
    let Instruction::Load { operation, .. } = load else {
        panic!("{load:?}");
    };
    let strength = (operation.order, operation.scope);
    assert_eq!(strength, (Order::Volatile, Some(Scope::Sys)));
}

#[test]
fn barriers() {
    let test = read(BARRIER);
    let [Instruction::Barrier { number, count, .. }, _] = &code(&test, 1)[..] else {
        panic!("no barrier");
    };
    assert_eq!(
        (number, count),
        (&Operand::Constant(1), &Some(Operand::Constant(2)))
    );
}

#[test]
fn proxies() {
    let test = read(PROXIES);
    let texture = test.locations[2].alias.map(|it| (it.proxy, it.memory));
    assert_eq!(texture, Some((Proxy::Texture, 0)));
    let proxies: Vec<_> = code(&test, 0)
        .into_iter()
        .map(|instruction| match instruction {
            Instruction::Load { operation, .. } | Instruction::Store { operation, .. } => {
                Some(operation.proxy)
            }
            Instruction::ProxyFence { proxy } => proxy,
            other => panic!("{other:?}"),
        })
        .collect();
    let (surface, texture) = (Some(Proxy::Surface), Some(Proxy::Texture));
    let (constant, generic) = (Some(Proxy::Constant), Some(Proxy::Generic));
    let expected = [
        surface, surface, generic, texture, texture, constant, constant, None, surface,
    ];
    assert_eq!(proxies, expected);
}

#[test]
fn placing_keeps_the_test_and_moves_its_threads() {
    let test = read(SB);
    let places = |threads| {
        let placed = placed(&test, threads).expect("no shared memory");
        assert_eq!(placed.threads[0].code.len(), test.threads[0].code.len());
        let place = |it: Placement| (it.gpu, it.cta, it.warp);
        let all = placed.threads.iter().map(|it| place(it.placement));
        all.collect::<Vec<_>>()
    };
    assert_eq!(places(Threads::OneWarp), [(0, 0, Some(0)), (0, 0, Some(0))]);
    assert_eq!(
        places(Threads::OneBlock),
        [(0, 0, Some(0)), (0, 0, Some(1))]
    );
    assert_eq!(places(Threads::OneGrid), [(0, 0, Some(0)), (0, 1, Some(0))]);
    assert_eq!(
        places(Threads::OneSystem),
        [(0, 0, Some(0)), (1, 0, Some(0))]
    );
}

#[test]
fn shared_memory_stays_in_its_block() {
    let text = "PTX shared\n{}\nP0@cta 0 | P1@cta 0 ;\nst.shared x, 1 | ld r0, x ;\nexists (x = 1)";
    let test = read(text);
    assert!(test.locations[0].shared);
    assert!(placed(&test, Threads::OneBlock).is_some());
    assert!(placed(&test, Threads::OneGrid).is_none());
}
