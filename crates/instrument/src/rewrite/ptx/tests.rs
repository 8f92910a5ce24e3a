//! The parser, by example.

use expect_test::{Expect, expect};

use hirace_syntax::lexer::lex_inline;

use super::effect::{Effect, effect};
use super::syntax::{Operand, parse};
use super::template::{Known, Macros, template};

fn rendered(operand: &Operand) -> String {
    match operand {
        Operand::Argument(number) => format!("%{number}"),
        Operand::Register(name) => name.clone(),
        Operand::Special(name) => format!("%%{name}"),
        Operand::Number(number) => number.clone(),
        Operand::Address(base, None) => format!("[{}]", rendered(base)),
        Operand::Address(base, Some(offset)) => {
            format!("[{} + {}]", rendered(base), rendered(offset))
        }
        Operand::Tensor(map, first) => {
            let first: Vec<String> = first.iter().map(rendered).collect();
            format!("[{}, {{{}}}]", rendered(map), first.join(", "))
        }
        Operand::Vector(elements) => {
            let elements: Vec<String> = elements.iter().map(rendered).collect();
            format!("{{{}}}", elements.join(", "))
        }
        Operand::Not(inner) => format!("!{}", rendered(inner)),
        Operand::Pair(first, second) => format!("{}|{}", rendered(first), rendered(second)),
        Operand::Other => "?".to_owned(),
    }
}

fn text(code: &str) -> String {
    let known = Known {
        macros: &Macros::new(),
        parameters: &[],
    };
    template(code, &lex_inline(code).tokens, known)
}

/// The instructions in the string literals `code`, and what each does to memory.
#[track_caller]
fn check(code: &str, expect: Expect) {
    let names = [None, Some("address".to_owned())];
    let out = match parse(&text(code), &names) {
        Err(problem) => format!("{problem:?}"),
        Ok(assembly) => {
            let registers = assembly.registers.iter();
            let registers = registers.map(|(name, kind)| format!("{name}: {kind}"));
            let instructions = assembly.instructions.iter().map(|instruction| {
                let guard = instruction.guard.as_ref().map_or(String::new(), |it| {
                    format!("@{}{} ", if it.negated { "!" } else { "" }, it.register)
                });
                let operands: Vec<String> = instruction.operands.iter().map(rendered).collect();
                let does = match effect(instruction) {
                    Effect::Nothing => String::new(),
                    Effect::Private(_) => " -- private".to_owned(),
                    Effect::Unknown(reason) => format!(" -- {reason}"),
                    Effect::Access(access) => {
                        let strength = access.template_arguments();
                        let (hook, size, space) = (access.hook, access.size, access.space);
                        format!(" -- {hook}{strength} of {size}, {space:?}")
                    }
                };
                format!("{guard}{} {}{does}", instruction.name(), operands.join(" "))
            });
            registers.chain(instructions).collect::<Vec<_>>().join("\n")
        }
    };
    expect.assert_eq(&out);
}

#[test]
fn literals() {
    check(
        r#""{\n\t" ".reg .pred p, q<2>; // a comment; of two\n" R"(setp.ne.b32 p, %0, 0;)" "@!p ld.global.u32 %1, [%[address]+-4]; }""#,
        expect![[r#"
            p: pred
            q0: pred
            q1: pred
            setp.ne.b32 p %0 0
            @!p ld.global.u32 %1 [%1 + -4] -- read of 4, Generic"#]],
    );
    check(r#""mov.u32 %0, %%laneid;""#, expect!["mov.u32 %0 %%laneid"]);
    check(
        r#""ld.v2.b32{%0, %1}," "[%2];""#,
        expect!["ld.v2.b32 {%0, %1} [%2] -- read of 8, Generic"],
    );
    check(
        r#""mov.u64 {%0, %%r}, %1; /* [ */ .reg .b32 %r;""#,
        expect![[r#"
        r: b32
        mov.u64 {%0, r} %1"#]],
    );
}

#[test]
fn accesses() {
    check(
        r#""ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4]; ld.param.u32 %0, [%1]; ld.acquire.gpu.b64 %0, [%1];"
           "st.release.cta.global.u8 [%0], %1; atom.global.cta.add.f16x2 _, [%0 + 8], %1; red.add.u64 [%0], %1;"
           "ld.global.nc.L1::no_allocate.L2::128B.v2.u16 {%0, %1}, [%2];""#,
        expect![[r#"
            ld.volatile.shared.v4.f32 {%0, %1, %2, %3} [%4] -- volatile_read of 16, Shared
            ld.param.u32 %0 [%1] -- private
            ld.acquire.gpu.b64 %0 [%1] -- strong_read<::hirace::Order::acquire, ::hirace::Scope::device> of 8, Generic
            st.release.cta.global.u8 [%0] %1 -- strong_write<::hirace::Order::release, ::hirace::Scope::block> of 1, Generic
            atom.global.cta.add.f16x2 _ [%0 + 8] %1 -- atomic<::hirace::Order::relaxed, ::hirace::Scope::block> of 4, Generic
            red.add.u64 [%0] %1 -- reduction<::hirace::Order::relaxed, ::hirace::Scope::device> of 8, Generic
            ld.global.nc.L1::no_allocate.L2::128B.v2.u16 {%0, %1} [%2] -- read of 4, Generic"#]],
    );
    check(
        r#""ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2]; prefetch.global.L2 [%0]; st.huge [%0], %1;"
           "ld.shared::cluster.u32 %0, [%1]; multimem.red.global.add.u32 [%0], %1;""#,
        expect![[r#"
            ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1} [%2] -- read_rows of 16, Shared
            prefetch.global.L2 [%0]
            st.huge [%0] %1 -- its modifiers are unknown
            ld.shared::cluster.u32 %0 [%1] -- read of 4, Cluster
            multimem.red.global.add.u32 [%0] %1 -- it accesses memory of several devices"#]],
    );
}

#[test]
fn what_is_not_understood() {
    check(r#""ld." #order ".u32 %0, [%1];""#, expect!["Macro"]);
    check(
        r#""@p call.uni (%0), f, (%1);""#,
        expect!["@p call.uni {%0} f {%1}"],
    );
    check(r#""ld%2.u32 %0, [%1];""#, expect!["Syntax"]);
    check(
        r#""ld.u32 %0, [%1 + %2 + 1]; st.u32 [a[1]], (;""#,
        expect![[r#"
        ld.u32 %0 ? -- its address cannot be parsed
        st.u32 ? ? -- its address cannot be parsed"#]],
    );
    for odd in [
        "\"",
        "\"\\",
        "R\"(",
        "",
        "\"@p\"",
        "\"[\"",
        "\".reg\"",
        "\".reg .b32 a<9999>;\"",
    ] {
        let _ = parse(&text(odd), &[]);
    }
}

/// An instruction of the table with the registers of its operands.
fn assembly_of(example: &str) -> super::Assembly {
    let mut assembly = parse(example, &[]).unwrap_or_else(|_| panic!("{example}"));
    let mut names = Vec::new();
    fn registers(operand: &Operand, names: &mut Vec<String>) {
        match operand {
            Operand::Register(name) => names.push(name.clone()),
            Operand::Address(base, offset) => {
                registers(base, names);
                offset.iter().for_each(|it| registers(it, names));
            }
            Operand::Tensor(map, first) => {
                registers(map, names);
                first.iter().for_each(|it| registers(it, names));
            }
            Operand::Vector(all) => all.iter().for_each(|it| registers(it, names)),
            Operand::Not(inner) => registers(inner, names),
            Operand::Pair(first, second) => {
                registers(first, names);
                registers(second, names);
            }
            _ => {}
        }
    }
    for instruction in &assembly.instructions {
        instruction
            .operands
            .iter()
            .for_each(|it| registers(it, &mut names));
    }
    names.retain(|it| it != "_");
    for name in names {
        let kind = if name.starts_with(['p', 'q']) {
            "pred"
        } else {
            "b64"
        };
        let register = (name, kind.to_owned());
        if !assembly.registers.contains(&register) {
            assembly.registers.push(register);
        }
    }
    assembly
}

#[test]
fn each_form_of_the_table_has_a_translation() {
    let examples = super::table::examples();
    assert!(examples.len() > 1000, "{}", examples.len());
    let without: Vec<&String> = examples
        .iter()
        .filter(|example| {
            let assembly = assembly_of(example);
            let plan = super::plan(&assembly.instructions[0], &assembly);
            plan.is_none()
        })
        .collect();
    assert!(without.is_empty(), "{without:#?}");
}
