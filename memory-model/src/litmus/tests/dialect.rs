//! White space, order and mistakes outside instructions.

use super::super::ast::{Placement, Quantifier};
use super::{fails, mistake, read};

#[test]
fn liberal_layout() {
    let text = "\u{feff}// first\r\nptx my test{y=1;;x=2}P0@GPU 1,CTA 2|p1 ;ST.WEAK x,1|;\
                NOT EXISTS x=1/\\y!=-0x1";
    let test = read(text);
    assert_eq!(test.name, "my test");
    assert_eq!(
        test.threads[0].placement,
        Placement {
            gpu: 1,
            cluster: None,
            cta: 2,
            warp: None
        }
    );
    assert_eq!(test.threads[1].name, "P1");
    assert_eq!(
        test.threads[1].placement,
        Placement {
            gpu: 0,
            cluster: None,
            cta: 0,
            warp: None
        }
    );
    assert_eq!(test.question.quantifier, Quantifier::NotExists);
}

#[test]
fn plain_threads_take_free_blocks() {
    let text = "PTX t\n{}\nP0 | P1@cta 0 | P2 | P3@cta 1, gpu 3 ;\nst x,1 | | | ;\nexists (x=1)";
    let ctas: Vec<_> = read(text)
        .threads
        .iter()
        .map(|thread| thread.placement.cta)
        .collect();
    assert_eq!(ctas, [1, 0, 2, 1]);
}

#[test]
fn one_cell_can_span_lines() {
    let test = read("PTX t\n{}\nP0 ;\nst.weak\n x,\n 1\n;\nexists (x=1)");
    assert_eq!(test.threads[0].code.len(), 1);
}

#[test]
fn aliases_refer_to_the_end_of_the_chain() {
    let text = "PTX t\n{ z aliases y; y @ generic aliases x; x = 4; s @ surface aliases y;
        t @ texture aliases s; u @ surface aliases x; }\nP0 ;\nst z,1;\nexists (z=1)";
    let test = read(text);
    let id = |name: &str| {
        let mut locations = test.locations.iter();
        locations.position(|it| it.name == name).expect("a name")
    };
    for (name, address) in [
        ("x", "x"),
        ("y", "y"),
        ("z", "z"),
        // A surface or texture is at the address that it aliases.
        ("s", "y"),
        ("t", "y"),
        ("u", "x"),
    ] {
        assert_eq!(test.locations[id(name)].initial, 4);
        assert_eq!(test.memory(id(name)), id("x"), "{name}");
        assert_eq!(test.address(id(name)), id(address), "{name}");
    }
}

#[test]
fn files_that_are_no_tests() {
    fails("«»", "the test is empty");
    fails("«\n»  \n", "the test is empty");
    fails("PTX x\n«\0»", "binary data: byte 0x00");
    fails("«\u{7f}»ELF", "binary data: byte 0x7f");
    fails("«C» MP\n{}", "expected `PTX` or `GPU_PTX`");
    fails("«é»\n{}", "expected `PTX` or `GPU_PTX`");
    fails("«PTX»\n{}", "expected the name of the test");
    fails(
        "PTX t\n{ x = 0; } P0 ; st «é», 1;",
        "unexpected character `é`",
    );
    fails("PTX t\n«(*» not closed", "no closing `*)`");
    fails("PTX t\n«\"»not closed", "no closing quote");
    assert!(mistake("").help.is_some_and(|help| help.contains("PTX MP")));
}

#[test]
fn truncated_tests() {
    fails("PTX t«»\n", "expected the declarations");
    fails("PTX t\n{ x = 0;«»", "expected a declaration");
    fails("PTX t\n{}«»", "expected the threads");
    fails("PTX t\n{}\nP«0»", "missing `;`");
    fails("PTX t\n{}\nP0 ;«»", "expected the question");
    fails("PTX t\n{}\nP0 ;\nst x, «1»\n", "missing `;`");
}

#[track_caller]
fn check_declaration(marked: &str, expected: &str) {
    fails(
        &format!("PTX t\n{{ {marked}; }}\nP0 ;\nst x, 1 ;\nexists (x=1)"),
        expected,
    );
}

#[test]
fn declarations() {
    check_declaration("x = 0 «y» = 1", "expected `;` or `}` after the declaration");
    check_declaration("x = 0; «x» = 1", "`x` is declared twice");
    check_declaration("x = «y»", "the initial value of a location is a number");
    check_declaration("x = «;»", "expected a number");
    check_declaration("«3» = x", "expected a declaration");
    check_declaration("y @ «local» aliases x", "expected a proxy");
    check_declaration("y @ generic «x»", "expected `aliases`");
    check_declaration(
        "y aliases x «=» 1",
        "an alias has no initial value of its own",
    );
    check_declaration("«y» aliases z; z aliases y", "`y` is an alias of itself");
    check_declaration("«P1»:r0 = 0", "no thread `P1`");
    check_declaration("P0:r0 = 0; 0:«r0 = 1»", "`r0` is declared twice");
    check_declaration("x = 0; P0:«x = 1»", "`x` is both a location and a register");
    check_declaration("0:.reg «.f32» r0", "expected an integer type");
    check_declaration("0:.reg .s32 «;»", "expected a register");
}

#[track_caller]
fn check_head(marked: &str, expected: &str) {
    fails(
        &format!("PTX t\n{{}}\n{marked} ;\nst x, 1 ;\nexists (x=1)"),
        expected,
    );
}

#[test]
fn heads() {
    check_head("«st» x, 1", "expected a thread such as `P0`, found `st`");
    check_head("«P01»", "expected a thread such as `P0`, found `P01`");
    check_head("P0 | «;»", "expected a thread such as `P0`, found `;`");
    check_head("P0 | «P0»", "two threads `P0`");
    check_head("P0@«;»", "expected a placement");
    check_head("P0@«rack» 0, cta 0", "unknown level `rack`");
    check_head("P0@cta «;»", "expected the number of the level");
    check_head("P0@cta «-1»", "expected a number from 0 to 4294967295");
    check_head("P0@cta 0, «cta» 1", "`cta` is given twice");
    check_head("«P0»@gpu 0", "the placement of `P0` has no `cta`");
    check_head("P0 «x»", "expected `@`, `,`, `|` or `;`");
    check_head("P0@cta 0 «gpu» 0", "expected `@`, `,`, `|` or `;`");
}

#[test]
fn rows() {
    let two = |rows: &str| format!("PTX t\n{{}}\nP0 | P1 ;\n{rows}\nexists (x=1)");
    fails(
        &two("st x, 1 | «|» ;"),
        "this row has 3 columns, but there are 2 threads",
    );
    fails(
        &two("st x, 1 «;»"),
        "this row has 1 column, but there are 2 threads",
    );
    fails(&two("st x, 1 | st x, «2»\nst x, 1 | ;"), "missing `;`");
    fails(&two("st x, 1 | st x, «2»"), "missing `;`");
    fails(
        "PTX t\n{}\nP0 | P«1»\nst x, 1 | ;\nexists (x=1)",
        "missing `;`",
    );
    fails("PTX t\n{}\nP«0»\nst x, 1 ;\nexists (x=1)", "missing `;`");
    fails(
        "PTX t\n{}\nP0 ;\nst x, «1»\nst x, 2 ;\nexists (x=1)",
        "missing `;`",
    );
    fails(
        "PTX t\n{}\nP0 ;\nst x, 1 «|» ;\nexists (x=1)",
        "2 columns, but there is 1 thread",
    );
}

#[test]
fn shared_memory_of_other_blocks() {
    let text = "PTX t\n{}\nP0 | P1 ;\nst«.shared» x, 1 | ld r0, x ;\nexists (x=1)";
    fails(
        text,
        "`x` is in shared memory, but threads of different blocks use it",
    );
}

#[test]
fn clusters() {
    let read = |heads: &str| {
        let test = read(&format!("PTX t\n{{}}\n{heads} ;\nst x,1 | ;\nexists (x=1)"));
        (test.threads[0].placement, test.threads[1].placement)
    };
    let (one, two) = read("P0@cta 0,cluster 1,gpu 0 | P1@gpu 0,cluster 1,warp 0,cta 1");
    assert_eq!((one.cluster, two.cluster), (Some(1), Some(1)));
    assert!(one.same_cluster(&two) && !one.same_block(&two));
    assert_eq!(two.to_string(), "block 1, cluster 1, GPU 0");
    let (one, two) = read("P0@cta 0,cluster 1,gpu 0 | P1@cta 0,cluster 1,gpu 1");
    assert!(!one.same_cluster(&two));
    let (one, two) = read("P0@cta 0,cluster 0 | P1@cta 1");
    assert!(!one.same_cluster(&two));
    let (one, two) = read("P0@cta 1 | P1@cta 1");
    assert!(one.same_cluster(&two));
}

#[test]
fn a_block_is_in_one_cluster() {
    let rest = ";\nst x,1 | ;\nexists (x=1)";
    let message = "`P1` is in the block of `P0`, but not in its cluster";
    let check = |heads: &str| fails(&format!("PTX t\n{{}}\n{heads} {rest}"), message);
    check("P0@cta 0,cluster 0 | «P1@cta 0,cluster 1»");
    check("P0@cta 0,cluster 0 | «P1@cta 0»");
    let twice = "P0@cta 0,cluster 0,«cluster» 1 | P1";
    fails(&format!("PTX t\n{{}}\n{twice} {rest}"), "given twice");
}

#[test]
fn misspelt_questions() {
    let check = |question: &str, help: &str| {
        let text = format!("PTX t\n{{ x = 0; }}\nP0 | P1 ;\nst x, 1 | st x, 2 ;\n{question}");
        fails(&text, "is neither an instruction nor a question");
        let found = mistake(&text.replace(['«', '»'], "")).help;
        assert!(
            found.as_deref().is_some_and(|it| it.contains(help)),
            "{found:?}"
        );
    };
    check("«exits» (x == 1)", "did you mean `exists`?");
    check("«exits» (x == 1) ;", "did you mean `exists`?");
    check("«exits» x == 1", "did you mean `exists`?");
    check("«EXIST» (x == 1)", "did you mean `exists`?");
    check("«foral» (x == 1)", "did you mean `forall`?");
    check(
        "«fitler» (x == 1)\nexists (x == 1)",
        "did you mean `filter`?",
    );
    check(
        "«scopetre» (grid (cta P0 P1))\nexists (x == 1)",
        "did you mean `ScopeTree`?",
    );
    check("«always» (x == 1)", "followed by `exists`");
}
