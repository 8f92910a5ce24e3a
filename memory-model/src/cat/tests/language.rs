//! Each construct, on message passing: events 0 (`Wx`), 1 (`Wy`), 2 (`Ry`), 3 (`Rx`).

use super::*;

#[test]
fn sets() {
    assert_eq!(events("W"), [0, 1]);
    assert_eq!(events("_"), [0, 1, 2, 3]);
    assert_eq!(events("W | R"), [0, 1, 2, 3]);
    assert_eq!(events("~W"), [2, 3]);
    assert_eq!(events("_ \\ W"), [2, 3]);
    assert_eq!(events("W & R"), [0; 0]);
    assert_eq!(events("{} | R"), [2, 3]);
    assert_eq!(events("0 | R"), [2, 3]);
    assert_eq!(events("~0 \\ R"), [0, 1]);
    assert_eq!(events("domain(rf)"), [1]);
    assert_eq!(events("range(po)"), [1, 3]);
    assert_eq!(events("domain rf | range (rf)"), [1, 2]);
}

#[test]
fn relations() {
    assert_eq!(pairs("po"), [(0, 1), (2, 3)]);
    assert_eq!(pairs("rf"), [(1, 2)]);
    assert_eq!(pairs("fr"), [(3, 0)]);
    assert_eq!(pairs("0"), []);
    assert_eq!(pairs("id"), pairs("[_]"));
    assert_eq!(pairs("[W]"), [(0, 0), (1, 1)]);
    assert_eq!(pairs("toid(W)"), pairs("[W]"));
    assert_eq!(pairs("W * R"), [(0, 2), (0, 3), (1, 2), (1, 3)]);
    assert_eq!(pairs("po ; rf"), [(0, 2)]);
    assert_eq!(pairs("po;rf;po"), [(0, 3)]);
    assert_eq!(pairs("po^-1"), [(1, 0), (3, 2)]);
    assert_eq!(pairs("inverse(po)"), pairs("po^-1"));
    assert_eq!(pairs("rf?"), pairs("rf | id"));
    assert_eq!(pairs("rf^?"), pairs("rf | id"));
    assert_eq!(
        pairs("(po | rf)+"),
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    );
    assert_eq!(pairs("(po | rf)^+"), pairs("(po | rf)+"));
    assert_eq!(pairs("(po | rf)*"), pairs("(po | rf)+ | id"));
    assert_eq!(pairs("(po | rf)^*"), pairs("(po | rf)*"));
    assert_eq!(pairs("~(_ * R)"), pairs("_ * W"));
    assert_eq!(pairs("~0 & po"), pairs("po"));
    assert_eq!(pairs("~ ~ po"), pairs("po"));
    assert_eq!(pairs("rf+?*^-1"), pairs("(((rf+)?)*)^-1"));
    assert_eq!(pairs("fencerel(W)"), []);
    assert_eq!(
        match value(
            "fencerel(F)",
            &execution(&[&["Wx", "F", "Wy", "Ry"]], &[], &[])
        ) {
            Value::Relation(relation) => relation.pairs().collect::<Vec<_>>(),
            Value::Set(_) => Vec::new(),
        },
        [(0, 2), (0, 3)]
    );
}

#[test]
fn operators_by_precedence() {
    assert_eq!(pairs("fr | po ; rf"), pairs("fr | (po ; rf)"));
    assert_eq!(pairs("po ; rf \\ po"), pairs("po ; (rf \\ po)"));
    assert_eq!(pairs("ext \\ rf & po"), pairs("ext \\ (rf & po)"));
    assert_eq!(pairs("loc & W * R"), pairs("loc & (W * R)"));
    assert_eq!(pairs("~W * R"), pairs("(~W) * R"));
    assert_eq!(pairs("~rf^-1"), pairs("~(rf^-1)"));
    assert_eq!(pairs("ext \\ rf \\ fr"), pairs("(ext \\ rf) \\ fr"));
}

#[test]
fn a_star_before_an_operand_is_the_product() {
    assert_eq!(pairs("W*R"), pairs("(W) * (R)"));
    assert_eq!(pairs("po*;rf"), pairs("(po^*) ; rf"));
    assert_eq!(pairs("(po*)"), pairs("po^*"));
    assert_eq!(pairs("rf** | po*"), pairs("rf^* | po^*"));
    assert_eq!(pairs("W*_"), pairs("W * _"));
    assert_eq!(pairs("W * ~W"), pairs("W * R"));
}

#[test]
fn definitions() {
    let text = "
        let com = rf | co | fr
        let po-loc = po & loc and com.plus_1 = com+
        show po-loc, com.plus_1 as plus
        let com = 0
        show com";
    let shown = model(text).shown(&message_passing());
    let shown: Vec<_> = shown.iter().map(|s| (s.name.as_str(), &s.value)).collect();
    let relation = |text| Value::Relation(Relation::from_pairs(4, pairs(text)));
    assert_eq!(
        shown,
        [
            ("po-loc", &relation("0")),
            ("plus", &relation("rf | fr")),
            ("com", &relation("0")),
        ]
    );
}

#[test]
fn definitions_of_one_let_do_not_see_each_other() {
    assert_eq!(pairs("(let rf = po and po = rf in po)"), pairs("rf"));
}

#[test]
fn local_definitions() {
    assert_eq!(pairs("(let a = po in a ; rf) | fr"), pairs("po;rf | fr"));
    assert_eq!(
        pairs("let a = po in let b = rf in a;b | fr"),
        pairs("po;rf | fr")
    );
    assert_eq!(pairs("let f(x) = x;rf in f(po)"), pairs("po;rf"));
}

#[test]
fn functions() {
    let prelude = "let f(x, y) = x ; y let twice r = r ; r let nothing () = 0
        let same(x) = x | 0 let outer(x) = let inner(y) = x ; y in inner(rf) | inner(x)";
    let shown = |expression: &str| {
        let model = model(&format!("{prelude} show {expression} as value"));
        model.shown(&message_passing()).remove(0).value
    };
    let relation = |text| Value::Relation(Relation::from_pairs(4, pairs(text)));
    assert_eq!(shown("f(po, rf)"), relation("po ; rf"));
    assert_eq!(shown("f (po | rf, fr)^-1"), relation("((po | rf) ; fr)^-1"));
    assert_eq!(shown("twice(po | rf)"), relation("(po | rf) ; (po | rf)"));
    assert_eq!(shown("twice po"), relation("0"));
    assert_eq!(
        shown("twice(twice(po|rf|fr))"),
        relation("let c = po|rf|fr in c;c;c;c")
    );
    assert_eq!(shown("nothing () | po"), relation("po"));
    assert_eq!(shown("[same(W)] ; same(po)"), relation("[W] ; po"));
    assert_eq!(
        shown("outer(po) | outer(fr)"),
        relation("po;rf | po;po | fr;rf | fr;fr")
    );
}

#[test]
fn functions_see_the_names_at_their_definition() {
    let text = "let a = po let f(x) = a ; x let a = 0 show f(rf)";
    let shown = model(text).shown(&message_passing()).remove(0);
    assert_eq!(shown.name, "f(rf)");
    assert_eq!(
        shown.value,
        Value::Relation(Relation::from_pairs(4, [(0, 2)]))
    );
}

#[test]
fn models_can_hide_names_of_the_world_and_functions() {
    assert_eq!(pairs("(let po = rf in po)"), pairs("rf"));
    assert_eq!(
        pairs("(let domain(r) = r^-1 in domain(rf))"),
        pairs("rf^-1")
    );
    assert_eq!(
        pairs("(let f(po) = po ; po in f(rf | po))"),
        pairs("(rf|po);(rf|po)")
    );
}

#[test]
fn titles_and_comments() {
    let text = "PTX (* a (* nested *) comment, \" *)\n// let x =\nacyclic po // end";
    assert_eq!(model(text).title(), Some("PTX"));
    assert_eq!(model("\"a title\" let a = po").title(), Some("a title"));
    assert_eq!(model("acyclic po").title(), None);
    assert_eq!(model("").title(), None);
    assert_eq!(model(" (* only *) ").axioms(), []);
}

#[test]
fn axioms_and_their_places() {
    let text = "acyclic po | rf as no-thin-air\n~empty rf\nflag ~irreflexive po;rf as odd\n\
                undefined_unless empty (let x = co\n in x) as \"a b\"";
    let model = model(text);
    let axioms: Vec<_> = model
        .axioms()
        .iter()
        .map(|axiom| {
            let text = &text[axiom.span.clone()];
            assert_eq!(axiom.file, "model.cat");
            (axiom.title(), axiom.negated, axiom.flag, text)
        })
        .collect();
    assert_eq!(
        axioms,
        [
            (
                "no-thin-air",
                false,
                false,
                "acyclic po | rf as no-thin-air"
            ),
            ("rf", true, false, "~empty rf"),
            ("odd", true, true, "flag ~irreflexive po;rf as odd"),
            (
                "a b",
                true,
                true,
                text.lines().skip(3).collect::<Vec<_>>().join("\n").as_str()
            ),
        ]
    );
    assert_eq!(model.axioms()[0].kind, AxiomKind::Acyclic);
    assert_eq!(model.axioms()[0].expression, "po | rf");
    assert_eq!(model.axioms()[3].expression, "(let x = co in x)");
}

#[test]
fn includes() {
    let model = model("include \"com.cat\" include \"twice.cat\" acyclic po | com as sc");
    assert_eq!(model.title(), None);
    assert_eq!(model.check(&message_passing()).violated, Some(0));
}

#[test]
fn shown_relations_can_be_hidden() {
    let model = model("show po, rf, co as c unshow rf, c show fr show po show 0");
    let shown = model.shown(&message_passing());
    let names: Vec<_> = shown.iter().map(|shown| shown.name.as_str()).collect();
    assert_eq!(names, ["fr", "po", "0"]);
}
