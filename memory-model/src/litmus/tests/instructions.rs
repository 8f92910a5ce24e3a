//! The spellings of instructions.

use super::super::ast::{
    Address, AtomicOp, BarrierKind, Comparator, Comparison, Instruction, MemoryOperation, Operand,
    Order, Proxy, Scope, Type, TypeKind,
};
use super::super::instructions;
use super::{code, one, read};

fn register(name: &str) -> Operand {
    Operand::Register(name.to_owned())
}

/// The type in an instruction's text.
fn suffix(text: &str) -> Option<Type> {
    let opcode = text.rsplit_once(' ').map_or(text, |it| it.0);
    let counts = opcode.contains("inc") || opcode.contains("dec");
    let written = opcode.split([' ', '.']).find_map(Type::parse);
    written.or(counts.then_some(Type::U32))
}

/// An access to the first location.
fn operation(order: Order, scope: Option<Scope>, value_type: Option<Type>) -> MemoryOperation {
    MemoryOperation {
        order,
        scope,
        proxy: Proxy::Generic,
        value_type,
        address: Address::Location(0),
    }
}

#[track_caller]
fn check_load(text: &str, order: Order, scope: Option<Scope>) {
    let expected = Instruction::Load {
        operation: operation(order, scope, suffix(text)),
        target: "r0".to_owned(),
    };
    assert_eq!(one(text), expected, "{text}");
}

#[track_caller]
fn check_atomic(text: &str, order: Order, scope: Scope, op: &str, operands: &[Operand]) {
    let expected = Instruction::Atomic {
        operation: operation(order, Some(scope), suffix(text)),
        op: AtomicOp::named(op).expect("an operation"),
        target: text.contains("atom").then(|| "r0".to_owned()),
        operands: operands.to_vec(),
    };
    assert_eq!(one(text), expected, "{text}");
}

#[test]
fn loads() {
    for weak in [
        "ld r0, x",
        "ld.weak r0,[x]",
        "ld.u32 r0, x",
        "ld.cg.s32 r0, [ x ]",
        "LD.CA r0,x",
    ] {
        check_load(weak, Order::Weak, None);
    }
    check_load("ld.relaxed.cta r0, x", Order::Relaxed, Some(Scope::Cta));
    check_load(
        "ld.cluster.relaxed r0, x",
        Order::Relaxed,
        Some(Scope::Cluster),
    );
    check_load(
        "ld.gpu.acquire.global.b64 r0, x",
        Order::Acquire,
        Some(Scope::Gpu),
    );
    check_load(
        "ld .acquire .sys .generic r0, x",
        Order::Acquire,
        Some(Scope::Sys),
    );
    check_load("ld.volatile.s32 r0, [x]", Order::Volatile, Some(Scope::Sys));
}

#[test]
fn other_proxies() {
    let proxy = |text: &str| match one(text) {
        Instruction::Load { operation, .. }
        | Instruction::Store { operation, .. }
        | Instruction::Atomic { operation, .. } => operation.proxy,
        other => panic!("{text}: {other:?}"),
    };
    for (text, expected) in [
        ("suld.acquire.gpu r0, x", Proxy::Surface),
        ("sust.b32 x, 1", Proxy::Surface),
        ("suatom.relaxed.gpu.add r0, x, 1", Proxy::Surface),
        ("sured.add.u32 x, 1", Proxy::Surface),
        ("tld r0, x", Proxy::Texture),
        ("tex.u32 r0, [x]", Proxy::Texture),
        ("cold.weak r0, x", Proxy::Constant),
        ("ldc r0, x", Proxy::Constant),
        ("ld.const r0, x", Proxy::Constant),
        ("ld.weak.const.u32 r0, [x]", Proxy::Constant),
    ] {
        assert_eq!(proxy(text), expected, "{text}");
    }
}

#[test]
fn stores() {
    let store = |order, scope, value| Instruction::Store {
        operation: operation(order, scope, None),
        value,
    };
    let one_ = Operand::Constant(1);
    assert_eq!(one("st x, 1"), store(Order::Weak, None, one_.clone()));
    assert_eq!(
        one("st.weak [x], 0x10"),
        store(Order::Weak, None, Operand::Constant(16))
    );
    assert_eq!(
        one("st.volatile x, r7"),
        store(Order::Volatile, Some(Scope::Sys), register("r7"))
    );
    assert_eq!(
        one("st.release.sys x, 1"),
        store(Order::Release, Some(Scope::Sys), one_)
    );
    let negative = Operand::Constant(-3);
    assert_eq!(
        one("st.gpu.relaxed x, -3"),
        store(Order::Relaxed, Some(Scope::Gpu), negative)
    );
}

#[test]
fn atomics() {
    let (relaxed, gpu, one) = (Order::Relaxed, Scope::Gpu, [Operand::Constant(1)]);
    for add in [
        "atom.add r0, x, 1",
        "atom.plus r0, [x], 1",
        "atom.relaxed.gpu.add r0, x, 1",
        "atom.add.relaxed.gpu r0, x, 1",
        "atom.gpu.global.relaxed.add.u32 r0, [x], 1",
        "red.relaxed.gpu.add x, 1",
        "red.add [x], 1",
    ] {
        check_atomic(add, relaxed, gpu, "add", &one);
    }
    check_atomic(
        "atom.acq_rel.sys.exch r0, x, 1",
        Order::AcqRel,
        Scope::Sys,
        "exch",
        &one,
    );
    check_atomic(
        "red.release.cta.max x, r1",
        Order::Release,
        Scope::Cta,
        "max",
        &[register("r1")],
    );
    let pair = [Operand::Constant(0), Operand::Constant(1)];
    check_atomic("atom.cas r0, x, 0, 1", relaxed, gpu, "cas", &pair);
    check_atomic(
        "atom.cas.b32.acquire.cta r0,[x],0,1",
        Order::Acquire,
        Scope::Cta,
        "cas",
        &pair,
    );
    for name in ["sub", "inc", "dec", "and", "or", "xor", "min"] {
        check_atomic(&format!("atom.{name} r0, x, 1"), relaxed, gpu, name, &one);
    }
}

#[test]
fn fences() {
    let fence = |sc, scope| Instruction::Fence { sc, scope };
    assert_eq!(one("fence.sc.cluster"), fence(true, Scope::Cluster));
    assert_eq!(one("fence.sys.sc"), fence(true, Scope::Sys));
    assert_eq!(one("fence.acq_rel.cta"), fence(false, Scope::Cta));
    assert_eq!(one("fence.gpu"), fence(false, Scope::Gpu));
    assert_eq!(one("membar.cta"), fence(true, Scope::Cta));
    assert_eq!(one("membar.gl"), fence(true, Scope::Gpu));
    assert_eq!(one("membar.sys"), fence(true, Scope::Sys));
    assert_eq!(
        one("fence.proxy.alias"),
        Instruction::ProxyFence { proxy: None }
    );
}

#[test]
fn barriers() {
    let barrier = |kind, number, count| Instruction::Barrier {
        kind,
        number,
        count,
        reduction: None,
    };
    let (zero, two) = (Operand::Constant(0), Some(Operand::Constant(2)));
    for sync in [
        "bar.cta.sync 0",
        "barrier.cta.sync.aligned 0",
        "barrier.sync 0",
        "bar.sync 0",
    ] {
        assert_eq!(
            one(sync),
            barrier(BarrierKind::Sync, zero.clone(), None),
            "{sync}"
        );
    }
    assert_eq!(
        one("bar.arrive 0, 2"),
        barrier(BarrierKind::Arrive, zero.clone(), two.clone())
    );
    assert_eq!(
        one("bar.cta.arrive 0"),
        barrier(BarrierKind::Arrive, zero.clone(), None)
    );
    // The first number is that of the instruction.
    assert_eq!(
        one("bar.cta.sync 7, 0, 2"),
        barrier(BarrierKind::Sync, zero.clone(), two.clone())
    );
    assert_eq!(
        one("bar.cta.arrive 7, r1, 2"),
        barrier(BarrierKind::Arrive, register("r1"), two.clone())
    );
    assert_eq!(
        one("bar.cta.red.popc.u32 0, 2"),
        barrier(BarrierKind::Red, zero, two)
    );
    let expected = barrier(BarrierKind::Sync, register("r1"), Some(register("r2")));
    assert_eq!(one("bar.cta.sync r1, r2"), expected);
}

#[test]
fn arithmetic() {
    #[track_caller]
    fn check(text: &str, value_type: Type, target: &str, expected: &[Operand]) {
        let Instruction::Arithmetic {
            op,
            value_type: found,
            target: to,
            operands,
        } = one(text)
        else {
            panic!("{text}");
        };
        assert!(text.starts_with(op.name), "{text}");
        let found = (found, to.as_str(), operands.as_slice());
        assert_eq!(found, (value_type, target, expected), "{text}");
    }

    let (two, r1) = (Operand::Constant(2), register("r1"));
    let s32 = Type::signed(32);
    for text in ["ld r0, 2", "ld.weak r0, 2"] {
        assert_eq!(one(text), one("mov r0, 2"), "{text}");
    }
    assert_eq!(one("ld.u32 r0, 2"), one("mov.u32 r0, 2"));
    check("mov r0, 2", Type::S64, "r0", std::slice::from_ref(&two));
    check("mov.s32 r0, r1", s32, "r0", std::slice::from_ref(&r1));
    let address = Instruction::AddressOf {
        target: "tmp".to_owned(),
        location: 1,
    };
    assert_eq!(one("mov.u64 tmp, y"), address);
    let both = [r1.clone(), two.clone()];
    check("mul.lo.s32 r0, r1, 2", s32, "r0", &both);
    let b32 = Type {
        kind: TypeKind::Bits,
        bits: 32,
    };
    check("and.b32 r0, 2, r1", b32, "r0", &[two, r1]);
    let comparison = Instruction::Compare {
        comparison: Comparison {
            comparator: Comparator::named("ne").expect("a comparison"),
            value_type: s32,
            operands: both,
        },
        target: "p".to_owned(),
    };
    assert_eq!(one("setp.ne.s32 p, r1, 2"), comparison);
}

#[test]
fn the_help_lists_the_instructions() {
    let help = instructions::help();
    for opcode in instructions::opcodes() {
        let mut words = help.split_whitespace();
        assert!(words.any(|it| it == opcode.name), "{}", opcode.name);
    }
    assert!(help.lines().all(|it| it.len() <= 100), "{help}");
}

#[test]
fn guards_branches_and_labels() {
    let test = read(
        "PTX jumps\n{ x = 0; }\nP0 ;
        A: B: ld r0, x ;
        setp.eq.s32 done, r0, 1 ;
        @done bra END ;
        @!done st x, 1 ;
        blt r0, 2, A ;
        bge 0, r0, B ;
        goto C ;
        C: ;
        bra.uni END ;
        END: ;
        exists (P0:done == 1)",
    );
    let guards: Vec<_> = test.threads[0]
        .code
        .iter()
        .map(|line| line.guard.clone())
        .collect();
    assert_eq!(guards[2], Some(("done".to_owned(), false)));
    assert_eq!(guards[3], Some(("done".to_owned(), true)));
    let code = code(&test, 0);
    assert_eq!(code.len(), 8);
    assert_eq!(code[2], Instruction::Jump { to: 8 });
    let branch = Instruction::Branch {
        comparison: Comparison {
            comparator: Comparator::named("lt").expect("a comparison"),
            value_type: Type::S64,
            operands: [register("r0"), Operand::Constant(2)],
        },
        to: 0,
    };
    assert_eq!(code[4], branch);
    let Instruction::Branch { comparison, to: 0 } = &code[5] else {
        panic!("{:?}", code[5]);
    };
    assert_eq!(comparison.comparator.name, "ge");
    assert_eq!(code[6], Instruction::Jump { to: 7 });
}

#[test]
fn a_name_can_be_a_register_in_one_thread_and_a_location_in_another() {
    for heads in [
        "P0 | P1 ;\nld a, x | st a, 1 ;",
        "P0 | P1 ;\nst a, 1 | ld a, x ;",
    ] {
        let test = read(&format!(
            "PTX names\n{{ x = 0; }}\n{heads}\nexists (a == 1)"
        ));
        let names: Vec<_> = test
            .locations
            .iter()
            .map(|location| &location.name)
            .collect();
        assert_eq!(names, ["x", "a"]);
    }
}
