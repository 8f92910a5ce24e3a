//! `let rec`.

use super::*;

#[test]
fn least_fixpoints() {
    assert_eq!(
        pairs("(let rec a = po | rf | a;a in a)"),
        pairs("(po | rf)+")
    );
    assert_eq!(pairs("(let rec a = a in a)"), []);
    assert_eq!(pairs("(let rec a = b and b = a in a | b)"), []);
    assert_eq!(pairs("(let rec a = po in a)"), pairs("po"));
    assert_eq!(pairs("(let rec a = 0 in a)"), []);
    assert_eq!(events("(let rec s = W | range([s] ; rf) in s)"), [0, 1, 2]);
}

#[test]
fn mutual_recursion() {
    assert_eq!(
        pairs("(let rec odd = step | even;step and even = odd;step and step = po | rf in even)"),
        pairs("(let s = po | rf in s;s;(s;s)*)")
    );
}

#[test]
fn nested_recursion() {
    assert_eq!(
        pairs("(let rec a = po | rf | (let rec b = a | b;a in b) in a)"),
        pairs("(po | rf)+")
    );
    assert_eq!(
        pairs("(let rec a = rf | (let rec b = po | b;fr in b) in a)"),
        pairs("rf | po ; fr^*")
    );
    assert_eq!(
        pairs("(let close(r) = let rec c = r | c;r in c in let rec a = po | close(a | rf) in a)"),
        pairs("(po | rf)+")
    );
}

#[test]
fn negation_of_other_relations_is_allowed() {
    assert_eq!(
        pairs("(let rec a = (po | a;rf) \\ id in a & ~rf)"),
        pairs("((po;rf^*) \\ id) & ~rf")
    );
    assert_eq!(pairs("(let rec a = po | ~(~(a;rf)) in a)"), pairs("po;rf*"));
    assert_eq!(
        pairs("(let rec a = po | ~(~rf \\ a) in a)"),
        pairs("po | rf")
    );
}

#[test]
fn definitions_that_negate_themselves_are_errors() {
    let check = |text: &str, marked: &str| {
        let (message, found, _) = mistake(text);
        assert!(message.starts_with("the recursive definition of `a` negates itself"));
        assert_eq!(found, marked, "{text}");
    };
    check("let rec a = po | ~a", "~a");
    check("let rec a = po \\ (rf ; a)", "po \\ (rf ; a)");
    check("let rec a = b and b = rf | (po & ~a)", "po & ~a");
    check("let not(x) = ~x let rec a = not(a)", "~x");
    check("let rec a = po | (let rec b = rf | ~a ; b in b)", "~a");
    check("let rec a = ~(po \\ a) | ~(po | ~(~a))", "~(po | ~(~a))");
}

#[test]
fn recursive_sets_and_relations_have_one_type() {
    let (message, marked, _) = mistake("let rec a = po | a and b = a | [b]");
    assert_eq!(message, "this is a relation, but `b` is used as a set");
    assert_eq!(marked, "a | [b]");
    let (message, marked, _) = mistake("let rec f(x) = f(x)");
    assert_eq!(
        (message.as_str(), marked.as_str()),
        (
            "`f` is a recursive function; only sets and relations can be recursive",
            "f"
        )
    );
}
