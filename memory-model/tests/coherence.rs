//! A model declares what coherence is chosen from: `with co from orders(…)`.

use hirace_memory_model::verdict::{Settings, Verdict, judge};
use hirace_memory_model::{litmus, models};

/// Two racing writes and two reads of a third thread.
const RACING_WRITES: &str = "PTX t
{ x = 0; }
P0@cta 0 | P1@cta 1 | P2@cta 2 ;
st x, 1 | st x, 2 | ld r0, x ;
 | | ld r1, x ;
exists (P2:r0 == 1 /\\ P2:r1 == 2)";

/// The verdict on `test` under a model that is `text`.
fn verdict(text: &str, test: &str) -> Verdict {
    let model = models::parse("mine.cat", text, None).unwrap_or_else(|it| panic!("{it}"));
    let parsed = litmus::parse("t", test).unwrap_or_else(|it| panic!("{it}"));
    let settings = Settings::default();
    judge(&parsed, "t", test, &model, &settings).unwrap_or_else(|it| panic!("{it}"))
}

/// How many executions a model without axioms has.
fn executions(text: &str, test: &str) -> u64 {
    verdict(text, test).executions
}

#[test]
fn the_title_of_a_model_has_no_meaning() {
    let ptx = models::text("ptx").expect("the model");
    let renamed = ptx.replacen("PTX", "mine", 1);
    let declared = "with co from orders(ms, po)";
    assert!(ptx.contains(declared));
    let total = ptx.replace(declared, "");
    let count = |text: &str| executions(text, RACING_WRITES);
    assert_eq!(count(&renamed), count(ptx));
    assert_ne!(count(&total), count(ptx));
    assert_eq!(
        count(&total),
        count(&ptx.replace(declared, "with co from orders(loc)"))
    );
}

#[test]
fn orders_relate_the_writes_to_a_location() {
    // Nine ways to read: each read has three writes.
    let count = |declaration: &str| executions(declaration, RACING_WRITES) / 9;
    assert_eq!(count(""), 2);
    assert_eq!(count("with co from orders(loc)"), 2);
    assert_eq!(count("with co from orders(0)"), 1);
    assert_eq!(count("with co from orders(loc & int)"), 1);
    let three = "PTX t\n{ x = 0; }\nP0@cta 0 | P1@cta 1 ;\nst x, 1 | st x, 3 ;\nst x, 2 | ;\n\
                 exists (true)";
    let count = |declaration: &str| executions(declaration, three);
    assert_eq!(count("with co from orders(loc)"), 6);
    assert_eq!(count("with co from orders(loc, po)"), 3);
    // The pairs of one thread, and those of two threads.
    assert_eq!(count("with co from orders(loc & int)"), 2);
    assert_eq!(count("with co from orders(po)"), 2);
    assert_eq!(count("with co from orders(loc & ext)"), 4);
    // Only related writes must not contradict the second relation.
    assert_eq!(count("with co from orders(loc & ext, po)"), 4);
    assert_eq!(count("with co from orders(loc, po^-1)"), 3);
}

#[test]
fn orders_that_a_part_of_an_execution_does_not_know() {
    // The first relation depends on events that are not accesses to `x`.
    let test = "PTX t\n{ x = 0; }\nP0@cta 0 | P1@cta 1 ;\nst x, 1 | ld r0, x ;\nfence.sc.gpu | \
                ld r1, x ;\nst x, 2 | ;\nexists (P1:r0 == 2 /\\ P1:r1 == 1)";
    for (declaration, holds) in [
        (
            "let f = po ; [F] ; po with co from orders(loc \\ (f | f^-1))",
            true,
        ),
        ("with co from orders(loc, po)", false),
        ("with co from orders(loc & (po ; [F] ; po), po)", false),
    ] {
        let model = format!("{declaration}\nacyclic po & loc | rf | fr | co as coherence");
        assert_eq!(verdict(&model, test).holds, holds, "{declaration}");
    }
}
