//! Mistakes: the message with its help, and the marked text.

use super::*;

#[track_caller]
fn check(text: &str, message: &str, marked: &str) {
    let found = mistake(text);
    assert_eq!((found.0.as_str(), found.1.as_str()), (message, marked));
    assert_eq!(found.2, "model.cat");
}

#[test]
fn unknown_names() {
    check(
        "let a = po ; rff",
        "unknown name `rff`; did you mean `rf`?",
        "rff",
    );
    check(
        "let po-loc = po & loc\nacyclic po-lok | rf",
        "unknown name `po-lok`; did you mean `po-loc`?",
        "po-lok",
    );
    check("let a = foo", "unknown name `foo`", "foo");
    check(
        "let a = Domain(po)",
        "unknown name `Domain`; did you mean `domain`?",
        "Domain",
    );
    check("let a = a", "unknown name `a`", "a");
    check("let f(x) = y", "unknown name `y`", "y");
    check("let a = (let b = po in b) | b", "unknown name `b`", "b");
    check("let f(xx) = xx let a = xx", "unknown name `xx`", "xx");
}

#[test]
fn types() {
    let identity = "`[S]` relates each event of the set `S` to itself";
    check(
        "let a = po ; W",
        &format!("`W` is a set, but `;` needs a relation; {identity}"),
        "W",
    );
    check(
        "acyclic (W | R)",
        &format!("this is a set, but `acyclic` needs a relation; {identity}"),
        "(W | R)",
    );
    check(
        "irreflexive W",
        &format!("`W` is a set, but `irreflexive` needs a relation; {identity}"),
        "W",
    );
    check(
        "empty po | rf | W",
        &format!("`W` is a set, but the operand of `|` before it is a relation; {identity}"),
        "W",
    );
    check(
        "empty W \\ po",
        &format!("`po` is a relation, but the operand of `\\` before it is a set; {identity}"),
        "po",
    );
    check(
        "let a = W^-1",
        &format!("`W` is a set, but `^-1` needs a relation; {identity}"),
        "W",
    );
    check(
        "let a = domain(W)",
        &format!("`W` is a set, but `domain` needs a relation; {identity}"),
        "W",
    );
    let sets = "`domain(r)` and `range(r)` are sets";
    check(
        "let a = [po]",
        &format!("`po` is a relation, but `[…]` needs a set; {sets}"),
        "po",
    );
    check(
        "let a = fencerel(po)",
        &format!("`po` is a relation, but `fencerel` needs a set; {sets}"),
        "po",
    );
    check(
        "let a = po* [W]",
        "`po` is a relation, but `*` needs a set; before an operand, `*` is the product of sets; \
         write `^*` for the closure",
        "po",
    );
    check(
        "let a = W * R * W",
        "this is a relation, but the next `*` needs a set",
        "W * R",
    );
}

#[test]
fn types_of_functions() {
    check(
        "let f(x, y) = x ; [y] let a = f(W, R)",
        "`W` is a set, but parameter `x` of `f` is a relation",
        "W",
    );
    check(
        "let f(x, y) = x | y let a = f(W, po)",
        "`po` is a relation, but parameter `y` of `f` is a set",
        "po",
    );
    check(
        "let f(x) = x let a = po ; f(W)",
        "`f(…)` is a set, but `;` needs a relation; \
         `[S]` relates each event of the set `S` to itself",
        "f(W)",
    );
    // Functions that are never called, too.
    check(
        "let f(x) = (x ; po) | [x]",
        "`x` is a relation, but `[…]` needs a set; `domain(r)` and `range(r)` are sets",
        "x",
    );
}

#[test]
fn calls() {
    check(
        "let f(x, y) = x ; y let a = f(po)",
        "`f` has 2 parameters, but this call has 1 argument",
        "f(po)",
    );
    check(
        "let a = domain()",
        "`domain` has 1 parameter, but this call has 0 arguments",
        "domain()",
    );
    check(
        "let f(x) = x let a = po | f",
        "`f` is a function; call it, as in `f(…)`",
        "f",
    );
    check(
        "let a = po rf",
        "`po` is a relation, not a function; perhaps an operator such as `;` is missing after it",
        "po",
    );
    check(
        "let a = W (po)",
        "`W` is a set, not a function; perhaps an operator such as `;` is missing after it",
        "W",
    );
    check("let f(x, x) = x", "`x` is defined twice", "x");
    check("let a = po and a = rf", "`a` is defined twice", "a");
}

#[test]
fn operands_and_brackets() {
    check(
        "let a = po |\nlet b = rf",
        "missing operand after `|`, before `let`",
        "|",
    );
    check(
        "let a = po ; | rf",
        "missing operand after `;`, before `|`",
        ";",
    );
    check(
        "acyclic po &",
        "missing operand after `&`, before the end of the file",
        "&",
    );
    check(
        "let a =",
        "missing operand after `=`, before the end of the file",
        "=",
    );
    check(
        "let a = ~",
        "missing operand after `~`, before the end of the file",
        "~",
    );
    check("let a = ()", "missing operand after `(`, before `)`", "(");
    check("acyclic as x", "expected an expression, found `as`", "as");
    check(
        "let a = (po | rf\nlet b = po",
        "expected an operator or `)`, found `let`",
        "let",
    );
    check(
        "let a = [W",
        "expected an operator or `]`, found the end of the file",
        "",
    );
    check(
        "let a = po)",
        "expected an operator or a statement, found `)`",
        ")",
    );
    check(
        "let a = (po, rf)",
        "expected `)`, found `,`; only calls of functions have lists of expressions",
        ",",
    );
    check(
        "let a = {W}",
        "expected `}`, found `W`; sets of listed elements are not supported, only `{}`",
        "W",
    );
}

#[test]
fn statements() {
    check(
        "let a = po\nacylic a",
        "expected a statement, found `acylic`; did you mean `acyclic`?",
        "acylic",
    );
    check("title po", "expected a statement, found `po`", "po");
    check(
        "~po",
        "expected `acyclic`, `irreflexive` or `empty`, found `po`",
        "po",
    );
    check(
        "flag po",
        "expected `acyclic`, `irreflexive` or `empty`, found `po`",
        "po",
    );
    check(
        "let acyclic = po",
        "expected the name to define, found `acyclic`; \
         `acyclic` is a word of the language and cannot be a name",
        "acyclic",
    );
    check("let a po", "expected `=`, found the end of the file", "");
    check(
        "let a = let b = po",
        "expected `in`, found the end of the file",
        "",
    );
    check(
        "include com",
        "expected a name in quotes, found `com`",
        "com",
    );
    check("rec a = po", "expected a statement, found `rec`", "rec");
}

#[test]
fn choices_of_coherence() {
    let help = "`with co from orders(r)` has each order of the writes to a location that `r` \
                relates, and `orders(r, s)` each that agrees with `s`";
    let chosen = "what coherence is chosen from can depend only on what the program does: on its \
                  accesses, on their scopes and locations, on `po`";
    check(
        "with rf from orders(loc)",
        &format!("`rf` cannot be chosen: only `co` can; {help}"),
        "rf",
    );
    check(
        "with co from generate_cos(loc)",
        &format!("unknown choice `generate_cos`; {help}"),
        "generate_cos",
    );
    check(
        "with co from orders(loc)\nlet a = po\nwith co from orders(po)",
        "this model has chosen coherence before",
        "with co from orders(po)",
    );
    check(
        "with co from orders(loc, po, rf)",
        &format!("`orders` has one argument or two, and this is a third one; {help}"),
        "rf",
    );
    check(
        "with co from orders(loc, W)",
        "`W` is a set, but `orders` needs a relation; `[S]` relates each event of the set `S` to \
         itself",
        "W",
    );
    check(
        "let a = po & loc let b = a | rf with co from orders(a, a ; b)",
        &format!("this depends on `rf`, which is chosen itself; {chosen}"),
        "a ; b",
    );
    check(
        "with co from orders(co)",
        &format!("this depends on `co`, which is chosen itself; {chosen}"),
        "co",
    );
    check("with co from orders(ms)", "unknown name `ms`", "ms");
    check(
        "with co orders(loc)",
        "expected `from`, found `orders`",
        "orders",
    );
    check(
        "with co from orders loc",
        "expected `(`, found `loc`",
        "loc",
    );
    check(
        "with co from orders()",
        "missing operand after `(`, before `)`",
        "(",
    );
    check(
        "with co from orders(loc",
        "expected `)`, found the end of the file",
        "",
    );
    check(
        "let from = po",
        "expected the name to define, found `from`; `from` is a word of the language and cannot be \
         a name",
        "from",
    );
}

#[test]
fn unsupported_constructs() {
    let help = "models consist of definitions, axioms, flags, `with`, `show` and `include`";
    for (text, word) in [
        ("if \"x\" then po else rf", "if"),
        ("let a = match x with", "match"),
        ("let a = po | try rf with 0", "try"),
        ("let a = fun x", "fun"),
        ("procedure p() = end", "procedure"),
    ] {
        check(text, &format!("`{word}` is not supported; {help}"), word);
    }
    check(
        "let a = po ++ rf",
        "`++` is not supported; the union of sets or relations is `|`",
        "++",
    );
    check(
        "let a = 'tag",
        "unexpected character `\\'`; tags are not supported",
        "'",
    );
}

#[test]
fn tokens() {
    check(
        "let a = po (* one (* two *)",
        "this comment has no end; comments end with `*)`, and those inside them too",
        "(*",
    );
    check(
        "include \"com.cat\nlet",
        "this string has no closing `\"`",
        "\"com.cat",
    );
    check(
        "let a = po ^ 1",
        "unexpected character `^`; expected `^-1`, `^+`, `^*` or `^?`",
        "^",
    );
    check("let a = é", "unexpected character `\\u{e9}`", "é");
    check(
        "let a = 12",
        "`12` is not an operand; the only number is `0`, the empty set or relation",
        "12",
    );
}

#[test]
fn included_files() {
    check(
        "include \"none.cat\"",
        "cannot find `none.cat`",
        "\"none.cat\"",
    );
    let found = mistake("include \"bad.cat\"");
    assert_eq!(
        found,
        (
            "unknown name `cq`; did you mean `co`?".into(),
            "cq".into(),
            "bad.cat".into()
        )
    );
    let (message, marked, file) = mistake("include \"loop.cat\"");
    assert_eq!(message, "`loop.cat` includes itself through `pool.cat`");
    assert_eq!(
        (marked.as_str(), file.as_str()),
        ("\"loop.cat\"", "pool.cat")
    );
    check(
        "include \"model.cat\"",
        "`model.cat` includes itself",
        "\"model.cat\"",
    );
}
