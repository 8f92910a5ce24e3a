//! A file that is read is printed with the same tokens; what cannot be read is an error at its place.

use hirace_ptx::parser::parse;

/// The words of PTX without comments; punctuation is a word of its own.
fn words(text: &str) -> String {
    let lines = text.lines().map(|it| it.split("//").next().unwrap_or(""));
    let mut out: String = lines.collect::<Vec<_>>().join("\n");
    out.retain(|it| !it.is_whitespace());
    out
}

#[test]
fn files_are_printed_with_the_same_tokens() {
    let more = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[16])\n\
        .maxntid 128, 1, 1\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nts: .branchtargets A, B;\n\
        A: @!%p1 bra.uni A;\nB: shfl.sync.up.b32 %r1|%p1, %r2, -1, 0x0, -1;\n\
        setp.lt.and.f32 %p0|%p1, 0f00000000, 0f3F800000, !%p1;\n\
        ld.global.v2.u32 {%r1, _}, [%r2+-8];\nbrx.idx %r1, ts;\n\
        cp.async.bulk.tensor.2d.shared::cluster.global.tile [%r1], [%r2, {%r1, %r2}], [%r3];\n\
        call.uni (p0), f, (p1, p2);\nret;\n}\n";
    for text in [include_str!("../../../tests/ptx/tile.ptx"), more] {
        let module = parse("a.ptx", text).expect("it is PTX");
        assert_eq!(module.tokens().concat(), words(text));
    }
}

#[test]
fn mistakes_have_a_place() {
    for (text, says) in [
        ("", "there is nothing in this file"),
        (".target sm_80", "a PTX file begins with `.version`"),
        (".version 8.0\n.entry k(", "expected a parameter"),
        (
            ".version 8.0\n.entry k() { add.u32 %r1, %r2",
            "expected `,`, but the file ends",
        ),
        (
            ".version 8.0\n.entry k() { ret; ",
            "expected `}`, but the file ends",
        ),
        (".version 8.0\n/* ", "a comment without an end"),
        (".version 8.0\n.global .u32 x[a];", "expected a size"),
        (".version 8.0\nhello", "`hello` is not a directive"),
    ] {
        let error = parse("a.ptx", text).expect_err("it is not PTX");
        assert_eq!(error.to_string(), says, "{text}");
    }
}
