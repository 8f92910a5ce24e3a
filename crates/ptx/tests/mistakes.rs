//! What an assembler does not accept is an error with its line, and what it accepts is none.

use std::io::Write as _;

use hirace_ptx::loaded;

/// The messages about a file that has this in a kernel, without its name; empty if there are none.
fn messages(body: &str) -> String {
    of_file(&format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;\n\
         {body}\nret;\n}}\n"
    ))
}

fn of_file(text: &str) -> String {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("written");
    match loaded::translate(file.path(), None) {
        Ok(_) => String::new(),
        Err(error) => {
            let path = format!("{}:", file.path().display());
            error.to_string().replace(&path, "")
        }
    }
}

#[test]
fn operands_of_other_types() {
    for (body, expected) in [
        (
            "mov.u32 %r1, %rd1;",
            "7: `mov.u32`: the register `%rd1` has the type .b64",
        ),
        (
            "add.s32 %r1, %rd1, %r2;",
            "7: `add.s32`: the register `%rd1` has the type .b64",
        ),
        (
            "add.f32 %f1, %f2, %fd1;",
            "7: `add.f32`: the register `%fd1` has the type .f64",
        ),
        (
            "mul.wide.u32 %r1, %r2, %r3;",
            "7: `mul.wide.u32`: the register `%r1` has the type .b32",
        ),
        (
            "shl.b64 %rd1, %rd2, %rd3;",
            "7: `shl.b64`: the register `%rd3` has the type .b64",
        ),
        (
            "setp.eq.s32 %r1, %r2, %r3;",
            "7: `setp.eq.s32`: the register `%r1` has the type .b32",
        ),
        (
            "selp.b32 %r1, %r2, %r3, %r4;",
            "7: `selp.b32`: the register `%r4` has the type .b32",
        ),
        (
            "mov.b64 %rd1, {%r1, %h1};",
            "7: `mov.b64`: the register `%h1` has the type .b16",
        ),
        (
            "ld.global.u64 %r1, [%rd1];",
            "7: `ld.global.u64`: the register `%r1` has the type .b32",
        ),
        (
            "ld.global.u32 %r1, [%f1];",
            "7: `ld.global.u32`: the register `%f1` has the type .f32",
        ),
        (
            "@%r1 mov.u32 %r2, 1;",
            "7: `@%r1`: the guard of an instruction is a predicate, and this register has the type .b32",
        ),
        (
            "{ .reg .b64 %x; mov.u32 %x, 1; }",
            "7: `mov.u32`: the register `%x` has the type .b64",
        ),
    ] {
        assert_eq!(
            messages(body),
            format!("mistakes in the PTX:\n{expected}"),
            "{body}"
        );
    }
}

#[test]
fn operands_that_assemblers_accept() {
    for body in [
        "mov.b32 %f1, %r1; mov.f32 %f2, %f1; mov.u32 %r1, %tid.x; mov.b32 %r1, {%h1, %h2}; mov.b64 {%r1, %r2}, %rd1;",
        "ld.global.u8 %r1, [%rd1]; ld.global.b16 %h1, [%rd1+2]; ld.global.s32 %rd2, [%rd1]; st.global.u8 [%rd1], %r1;",
        "ld.global.v2.f32 {%f1, %f2}, [%rd1]; ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd1]; ld.shared.u32 %r1, [%r2];",
        "and.b32 %f1, %f2, %f3; shl.b32 %r1, %r2, 40; add.s32 %r1, %r2, -5; and.pred %p1, %p2, %p3;",
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3; selp.f32 %f1, 0f3F800000, %f2, %p1; slct.u32.f32 %r1, %r2, %r3, %f1;",
        "add.f16 %h1, %h2, %h3; fma.rn.f16x2 %r1, %r2, %r3, %r4; cvt.u64.u32 %rd1, %r1; cvt.f64.f32 %fd1, %f1;",
        "bar.sync 15; bar.sync %r1; bar.sync 1, 64; add.u64 %rd1, %rd2, 0xffffffffffffffff; mov.u64 %rd1, 0x10U;",
        "{ .reg .b32 %x; mov.u32 %x, 1; } { .reg .b64 %x; mov.u64 %x, 1; } { L: add.s32 %r1, %r1, 1; } L: ret;",
    ] {
        assert_eq!(messages(body), "", "{body}");
    }
}

#[test]
fn constants_and_counts() {
    for (body, expected) in [
        (
            "add.u64 %rd1, %rd2, 99999999999999999999;",
            "7: `add.u64`: 99999999999999999999 does not fit into 64 bits",
        ),
        (
            "bar.sync 16;",
            "7: `bar.sync`: the barriers of a block have the numbers 0 to 15, and not 16",
        ),
        (
            "cp.async.cg.shared.global [%r1], [%rd1], 8;",
            "7: `cp.async.cg.shared.global`: it copies 16 bytes, and not 8",
        ),
        (
            "ld.global.v4.u32 {%r1, %r2, %r3}, [%rd1];",
            "7: `ld.global.v4.u32` takes 4 registers in braces, and has 3",
        ),
        (
            "st.global.v2.u32 [%rd1], %r1;",
            "7: `st.global.v2.u32` takes 2 registers in braces, and has 1",
        ),
    ] {
        assert_eq!(
            messages(body),
            format!("mistakes in the PTX:\n{expected}"),
            "{body}"
        );
    }
}

#[test]
fn what_is_declared_twice() {
    for (body, expected) in [
        (".reg .b32 %r3;", "7: the register `%r3` is declared twice"),
        (
            "L: mov.u32 %r1, 1;\nL: mov.u32 %r1, 2;",
            "8: the label `L` is on line 7, too",
        ),
        (
            ".shared .b8 all[49153];",
            "7: `all` has 49153 bytes: static shared memory has at most 49152",
        ),
    ] {
        assert_eq!(
            messages(body),
            format!("mistakes in the PTX:\n{expected}"),
            "{body}"
        );
    }
    let kernel = ".visible .entry k()\n{\nret;\n}\n";
    let twice = of_file(&format!(".version 8.0\n.target sm_90\n{kernel}{kernel}"));
    assert_eq!(
        twice,
        "mistakes in the PTX:\n7: `k` is defined on line 3, too"
    );
    let versions = of_file(&format!(
        ".version 8.0\n.target sm_90\n{kernel}.version 8.0\n"
    ));
    assert_eq!(
        versions,
        "a second `.version`: a file has one, at its beginning"
    );
}

#[test]
fn why_an_instruction_is_refused() {
    for (body, expected) in [
        (
            "bogus.u32 %r1, %r2;",
            "7: `bogus.u32`: hirace knows no instruction `bogus`",
        ),
        (
            "cvt.f64.u32 %fd1, %r1;",
            "7: `cvt.f64.u32`: hirace knows no `cvt` with these modifiers",
        ),
        (
            "mul.wide.s32 %rd1, %r1;",
            "7: `mul.wide.s32` takes 3 operands, and has 2",
        ),
    ] {
        assert_eq!(
            messages(body),
            format!("PTX that hirace cannot translate:\n{expected}"),
            "{body}"
        );
    }
}
