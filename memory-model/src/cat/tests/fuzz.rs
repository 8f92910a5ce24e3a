//! Broken models: an error with a position, or a model, but never a panic and never a hang.

use super::*;
use hirace_sample::random::Random;

const MODEL: &str = "\"A model\" (* with (* nested *) comments *)
include \"com.cat\" // and others
let po-loc = po & loc
let rec hb = po | (rf & ext)+ | hb;hb and eco = com | eco;com
let twice(r, s) = let t = r;[domain(s)] in t;t^-1
let f x = ~x \\ 0 let g () = {} | _
acyclic po-loc | com as coherence
~empty (W*R) & twice(po?, rf*) as written
irreflexive hb ; eco^? as causality
flag ~empty fencerel(F) \\ hb^+ as fences
undefined_unless acyclic f(po) & id as odd
show hb, eco as e, [g()] unshow eco
";

/// Parses the text, and evaluates the model if there is one.
fn try_model(text: &str) {
    match parse(text) {
        Ok(model) => {
            let world = message_passing();
            let _ = model.check(&world);
            let _ = model.explain(&world);
            let _ = model.shown(&world);
        }
        Err(Error::Syntax(mistake)) => {
            let source = mistake.source_code.inner();
            let end = mistake.span.offset() + mistake.span.len();
            assert!(source.get(mistake.span.offset()..end).is_some(), "{text:?}");
            assert!(!mistake.message.is_empty());
        }
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn truncated_models() {
    model(MODEL);
    for end in 0..MODEL.len() {
        try_model(&MODEL[..end]);
        try_model(&MODEL[end..]);
    }
}

#[test]
fn models_with_changed_bytes() {
    let mut random = Random::new(1);
    for _ in 0..6000 {
        let mut bytes = MODEL.as_bytes().to_vec();
        for _ in 0..=random.index(3) {
            let at = random.index(bytes.len());
            bytes[at] ^= 1 << random.index(8);
        }
        try_model(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn models_with_moved_words() {
    let words: Vec<&str> = MODEL.split_inclusive([' ', '(', ')', ';', '|']).collect();
    let mut random = Random::new(2);
    for _ in 0..4000 {
        let mut words = words.clone();
        for _ in 0..=random.index(4) {
            let (from, to) = (random.index(words.len()), random.index(words.len()));
            match random.index(3) {
                0 => words.swap(from, to),
                1 => words[to] = words[from],
                _ => {
                    words.remove(from);
                }
            }
        }
        try_model(&words.concat());
    }
}

#[test]
fn deep_expressions() {
    for (open, close) in [
        ("(", ")"),
        ("~", ""),
        ("[domain(", ")]"),
        ("let a = po in ", ""),
        ("let a = ", " in a"),
        ("let f(x) = x in f(", ")"),
        ("let rec a = a | ", " in a"),
        ("po ; (po | (", "))"),
        ("", "^-1"),
        ("", "+"),
    ] {
        for depth in [10, 30, 99, 100, 101, 5000] {
            let expression = format!("{}po{}", open.repeat(depth), close.repeat(depth));
            try_model(&format!("show {expression} acyclic {expression}"));
        }
    }
    let (message, _, _) = mistake(&format!("acyclic {}", "(".repeat(200)));
    assert_eq!(
        message,
        "this expression is nested too deeply; define its parts with `let`"
    );
}

#[test]
fn long_expressions() {
    for operator in [" | ", " ; ", " \\ ", " & ", " * "] {
        let operands = ["po", "(rf;co)", "(co & loc)", "ext^-1"].repeat(1000);
        let text = format!("acyclic {}", operands.join(operator));
        try_model(&text);
    }
    let mut chain = String::from("let a0 = po\n");
    for i in 1..5000 {
        chain += &format!("let a{i} = a{} ; rf | po\n", i - 1);
    }
    try_model(&format!("{chain} acyclic a4999"));
}

#[test]
fn functions_that_multiply() {
    let mut text = String::from("let f0(x) = (x ; po) | (x ; rf)\n");
    for i in 1..60 {
        let last = i - 1;
        text += &format!("let f{i}(x) = f{last}(x ; po) | f{last}(x ; rf)\n");
    }
    let (message, _, _) = mistake(&format!("{text} acyclic f59(co)"));
    assert_eq!(
        message,
        "the model is too large once its functions are expanded"
    );

    let mut text = String::from("let f0(x) = x ; po\n");
    for i in 1..2000 {
        text += &format!("let f{i}(x) = f{}(x)\n", i - 1);
    }
    let (message, _, _) = mistake(&format!("{text} acyclic f1999(co)"));
    assert_eq!(
        message,
        "the model is nested too deeply once its functions are expanded"
    );

    // Equal calls are expanded once.
    let mut text = String::from("let f0(x) = x ; po\n");
    for i in 1..60 {
        let last = i - 1;
        text += &format!("let f{i}(x) = f{last}(x) ; f{last}(x)\n");
    }
    model(&format!("{text} acyclic f59(co)"));
}

#[test]
fn includes_that_multiply() {
    let include = |name: &str| {
        let number: usize = name.parse().ok()?;
        let next = number + 1;
        Some(format!("include \"{next}\" include \"{next}\""))
    };
    let error = Model::parse("0.cat", "include \"1\"", &BASES, &include);
    let error = error.expect_err("endless includes").to_string();
    assert_eq!(error, "too many included files");
}
