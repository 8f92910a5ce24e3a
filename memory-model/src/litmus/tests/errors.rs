//! Mistakes in instructions and in conditions.

use super::{fails, fails_in_code, mistake};

#[test]
fn opcodes() {
    fails_in_code("«load» r0, x", "unknown instruction `load`");
    fails_in_code("ld«.strong» r0, x", "unknown modifier `.strong` of `ld`");
    fails_in_code("ld«.f32» r0, x", "the type `.f32` is not supported");
    fails_in_code("ld«.» r0, x", "expected a modifier after `.`");
    fails_in_code("atom«.weird».add r0, x, 1", "unknown modifier `.weird`");
    fails_in_code("add«.gpu» r0, r1, 1", "unknown modifier `.gpu` of `add`");
    fails_in_code("«.gpu» r0", "expected an instruction, found `.gpu`");
    fails_in_code("@r1 «|» ; st x, 1", "expected an instruction, found `|`");
    fails_in_code("@«1» ld r0, x", "expected the register of the guard");
    fails_in_code("bra«.wide» A", "unknown modifier `.wide`");
    fails_in_code("«atom» r0, x, 1", "`atom` needs an operation");
    fails_in_code("«setp» p, r0, 1", "`setp` needs a comparison");
    fails_in_code("setp.eq«.ne» p, r0, 1", "repeats or contradicts");
}

#[test]
fn orders_and_scopes() {
    fails_in_code("st«.acquire».gpu x, 1", "cannot acquire");
    fails_in_code("ld«.release».gpu r0, x", "cannot release");
    fails_in_code("ld.gpu«.acq_rel» r0, x", "cannot release");
    fails_in_code("st«.release» x, 1", "a strong access needs a scope");
    fails_in_code("ld.u32«.relaxed» r0, x", "a strong access needs a scope");
    fails_in_code("ld«.gpu» r0, x", "a weak access has no scope");
    fails_in_code("ld.weak«.cta» r0, x", "a weak access has no scope");
    fails_in_code("ld.volatile«.gpu» r0, x", "a volatile access has no scope");
    fails_in_code("ld.relaxed«.acquire».gpu r0, x", "repeats or contradicts");
    fails_in_code("ld.relaxed.gpu«.cta» r0, x", "repeats or contradicts");
    fails_in_code(
        "ld.relaxed.gpu«.cg» r0, x",
        "only a weak access has a cache operator",
    );
    fails_in_code("atom«.weak».add r0, x, 1", "an atomic operation is relaxed");
    fails_in_code("tld«.acquire».gpu r0, x", "`tld` is always weak");
    fails_in_code("tex«.relaxed».gpu r0, x", "`tex` is always weak");
    fails_in_code("ldc«.relaxed».gpu r0, x", "`ldc` is always weak");
    fails_in_code("ld«.volatile».const r0, x", "`ld.const` is always weak");
    fails_in_code("st«.const» x, 1", "unknown modifier `.const` of `st`");
    fails_in_code("suld«.const» r0, x", "unknown modifier `.const` of `suld`");
    fails_in_code("suatom.add«.shared» r0, x, 1", "unknown modifier `.shared`");
    fails_in_code("sured«.weak».add x, 1", "an atomic operation is relaxed");
    fails_in_code(
        "st.shared x, 1 | ; st«.global» x, 2",
        "both in shared and in global memory",
    );
}

#[test]
fn fences_and_barriers() {
    fails_in_code("«fence»", "a fence needs a scope");
    fails_in_code("«fence.sc»", "a fence needs a scope");
    fails_in_code("fence«.rel».gpu", "unknown modifier `.rel` of `fence`");
    fails_in_code("fence.sc.gpu«.sys»", "repeats or contradicts");
    fails_in_code("«fence.proxy»", "a proxy fence needs a kind");
    fails_in_code("fence.proxy«.async»", "unknown modifier `.async`");
    fails_in_code("fence.proxy.alias«.gpu»", "unknown modifier `.gpu`");
    fails_in_code("membar«.gpu»", "unknown modifier `.gpu` of `membar`");
    fails_in_code("«membar»", "`membar` needs a level");
    fails_in_code("fence.sc.gpu «x»", "`fence` takes 0 operands");
    fails_in_code("bar«.warp».sync 0", "unknown modifier `.warp` of `bar`");
    fails_in_code("«bar.cta» 0", "needs `.sync`, `.arrive` or `.red`");
    fails_in_code("«bar.sync»", "takes 1 operand (barrier), found 0");
    fails_in_code("«bar.arrive»", "takes 1 operand (barrier), found 0");
    fails_in_code(
        "bar.sync 0, 1, 2, «3»",
        "takes 3 operands (the instruction's own number, barrier, count of threads), found 4",
    );
    fails_in_code("bar.sync «r0», 1, 2", "own number must be a constant");
    fails_in_code("bar.arrive 0, «x», 2", "`x` is a location");
    fails_in_code("bar.sync «-1»", "cannot be negative");
    fails_in_code("bar.sync 0, «-1», 2", "cannot be negative");
    fails_in_code("bar.sync 0, «0»", "must be positive");
    fails_in_code("bar.arrive 0, 0, «0»", "must be positive");
    fails_in_code(
        "«bar.red.u32» r0, 0, r1",
        "a reduction with a result needs `.popc`, `.and` or `.or`",
    );
    fails_in_code(
        "bar.red.or r0, 0, 2, r1, «4»",
        "takes 4 operands (register, barrier, count of threads, predicate), found 5",
    );
    fails_in_code("bar.red.or «0», 0, r1", "expected a register");
}

#[test]
fn types() {
    fails_in_code("ld«.f32» r0, x", "the type `.f32` is not supported");
    fails_in_code(
        "atom.add«.f16x2» r0, x, 1",
        "the type `.f16x2` is not supported",
    );
    fails_in_code("add«.bf16» r0, r1, r2", "the type `.bf16` is not supported");
    fails_in_code("st«.v2».u32 x, 1", "the type `.v2` is not supported");
    fails_in_code("ld.u32«.s32» r0, x", "repeats or contradicts");
    fails_in_code("add.u32«.s64» r0, r1, r2", "repeats or contradicts");
    fails_in_code("mov«.u32» r0, x", "an address has 64 bits");
    let declared = |declaration: &str, code: &str, expected: &str| {
        let text = format!("PTX t\n{{ {declaration} }}\nP0 ;\n{code} ;\nexists (x == 0)");
        fails(&text, expected);
    };
    // All accesses to a location have one size.
    declared(
        "x = 0;",
        "ld.u32 r0, x ;\nst«.u8» x, 1",
        "`x` has 8 bits here, but its type is .u32",
    );
    declared("uint8_t x = 0;", "ld«.u16» r0, x", "its type is .u8");
    declared(
        "uint8_t x = «256»;",
        "ld r0, x",
        "256 is not a number of the type .u8",
    );
    declared(
        "x = «-129»;",
        "ld.s8 r0, x",
        "-129 is not a number of the type .s8",
    );
    declared(
        "«float» x = 0;",
        "ld r0, x",
        "the type `float` is not supported",
    );
    declared(
        "«.f64» x = 0;",
        "ld r0, x",
        "the type `.f64` is not supported",
    );
    declared(
        "x = 0; P0:.reg .u16 r1 = «65536»;",
        "ld r0, x",
        "not a number of the type .u16",
    );
}

#[test]
fn operands() {
    fails_in_code("«st x»", "`st` takes 2 operands (address, value), found 1");
    fails_in_code(
        "ld r0, x, «1»",
        "`ld` takes 2 operands (register, address), found 3",
    );
    fails_in_code("«atom.cas r0, x, 1»", "`atom` takes 4 operands");
    fails_in_code("ld r0, «|» ; st x, 1", "expected an operand");
    fails_in_code("ld r0, x «y»", "expected `,`, `|` or `;` after the operand");
    fails_in_code("ld «1», x", "expected a register for the result");
    fails_in_code("ld «y», x", "expected a register, but `y` is a location");
    fails_in_code("suld r0, «1»", "expected a location or `[register]`");
    fails_in_code("ld «x», 1", "expected a register, but `x` is a location");
    fails_in_code("ld«.relaxed».gpu r0, 1", "which is not in memory");
    fails_in_code("ld.weak«.gpu» r0, 1", "which is not in memory");
    fails_in_code("ld«.global».u32 r0, 1", "which is not in memory");
    fails_in_code("ld«.cg» r0, 1", "which is not in memory");
    fails_in_code("ld«.f32» r0, 1", "the type `.f32` is not supported");
    fails_in_code("ld r0, «[r1]»", "register `r1` never receives an address");
    fails_in_code(
        "mov r1, x | ; ld r0, «r1»",
        "expected a location, but `r1` is a register",
    );
    fails_in_code("ld r0, [x «|» ; st x, 1", "expected `]`, found `|`");
    fails_in_code("ld r0, [x «-4»]", "offsets of addresses are not supported");
    fails_in_code(
        "st x, «y»",
        "expected a register or a number, but `y` is a location",
    );
    fails_in_code(
        "st x, «[y]»",
        "expected a register or a number, found an address",
    );
    fails_in_code("st x, «foo»", "unknown register `foo`");
    fails_in_code("@«foo» st x, 1", "unknown register `foo`");
    fails_in_code("mov r0, «[x]»", "`mov` does not access memory");
    fails_in_code("st x, «99999999999999999999»", "is too large");
    fails_in_code("st x, «12ab»", "`12ab` is not a number");
    fails_in_code("ld r0, «s»", "`s` is a surface alias");
    fails_in_code("ld.const r0, «s»", "`s` is a surface alias");
    fails_in_code("tex r0, «s»", "`s` is a surface alias");
    fails_in_code("atom.add r0, «s», 1", "`s` is a surface alias");
}

#[test]
fn labels() {
    fails_in_code("bne r0, 1, «LC00»", "unknown label `LC00`");
    fails_in_code("goto «1»", "expected a label");
    fails_in_code(
        "A: | ; «A»: st x, 1",
        "label `A` is defined twice in this thread",
    );
    fails_in_code(
        "«1»: st x, 1",
        "expected a label, which starts with a letter",
    );
    let other = "PTX L\n{}\nP0 | P1 ;\nA: st x, 1 | goto «A» ;\nexists (x=1)";
    fails(other, "unknown label `A`");
    let text = other.replace(['«', '»'], "");
    assert_eq!(
        mistake(&text).help.as_deref(),
        Some("this thread has no labels")
    );
}

#[track_caller]
fn check_condition(marked: &str, expected: &str) {
    let code = "PTX C\n{ x = 0; }\nP0 | P1 ;\nld r0, x | st x, r5 ;";
    fails(&format!("{code}\n{marked}"), expected);
}

#[test]
fn conditions() {
    check_condition("exists («P2»:r0 == 1)", "no thread `P2`");
    check_condition("exists («7»:r0 == 1)", "no thread `7`");
    check_condition("exists (P1:«r0» == 1)", "thread `P1` has no register `r0`");
    check_condition("exists («q» == 1)", "no location `q`");
    check_condition(
        "exists (P0:r0 == 1 «&&» x == 1)",
        "`&&` is not an operator of conditions",
    );
    check_condition(
        "exists (x == 1) «||» (x == 2)",
        "`||` is not an operator of conditions",
    );
    check_condition("locations [x; «q»;] exists (x == 1)", "no location `q`");
    check_condition("locations [x «y»] exists (x == 1)", "expected `;`");
    check_condition("exists («r0» == 1)", "no location `r0`");
    check_condition(
        "exists («P0:r0 == x»)",
        "compares a register with an address",
    );
    check_condition("exists (P0:r0 «)»", "expected `==` or `!=`, found `)`");
    check_condition(
        "exists (P0:r0 == «)»",
        "expected a register such as `P0:r0`",
    );
    check_condition(
        "exists (P1:r5 == 1«»",
        "expected `)`, `/\\` or `\\/`, found the end",
    );
    check_condition(
        "exists (x == 1) «(»x == 2)",
        "expected `/\\`, `\\/` or the end of the test",
    );
    check_condition("~«forall» (x == 1)", "expected `exists`");
    check_condition("exists (x == 1) «exists» (x == 2)", "the end of the test");
    check_condition("filter (x == 1)«»", "expected the question");
    check_condition("filter (x == 1) «filter» (x == 2)", "a second filter");
    check_condition("exists (x == 1 «%» x == 2)", "unexpected character `%`");
    check_condition("exists (x == 1 «&» x == 2)", "expected `)`");
    let deep = format!("exists {}«(»x == 1", "(".repeat(100));
    check_condition(&deep, "nests deeper than 100 levels");
    let long = format!("exists {}«x» = 1", "x = 1 /\\ ".repeat(1000));
    check_condition(&long, "more than 1000 comparisons");
}
