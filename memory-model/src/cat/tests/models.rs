//! Whole models: verdicts, flags, explanations and dependencies.

use super::*;

const SC: &str = "SC\ninclude \"com.cat\"\nacyclic po | com as sc";

const COHERENCE: &str = "
    let com = rf | co | fr
    acyclic po & loc | com as coherence
    let rec hb = po | rf | hb;hb
    irreflexive hb ; fr as causality
    flag ~empty (W * W) & ext & loc as two-writers
    show hb";

/// One thread reads its own write from another thread's future.
fn incoherent() -> Sample {
    execution(&[&["Rx", "Wx"]], &[(1, 0)], &[])
}

#[test]
fn sequential_consistency() {
    let model = model(SC);
    assert_eq!(model.title(), Some("SC"));
    assert_eq!(model.check(&store_buffering()).violated, Some(0));
    assert_eq!(model.check(&message_passing()).violated, Some(0));
    let allowed = execution(&[&["Wx", "Wy"], &["Ry", "Rx"]], &[(1, 2), (0, 3)], &[]);
    let outcome = model.check(&allowed);
    assert!(outcome.is_allowed());
    assert_eq!(outcome.flags, [0; 0]);
    assert_eq!(model.explain(&allowed), []);
}

#[test]
fn the_first_violated_axiom_counts() {
    let model = model(COHERENCE);
    assert_eq!(model.check(&incoherent()).violated, Some(0));
    assert_eq!(model.check(&message_passing()).violated, Some(1));
    assert!(model.check(&store_buffering()).is_allowed());
}

#[test]
fn a_model_says_what_coherence_is_chosen_from() {
    let writers = execution(&[&["Wx", "Wx"], &["Wx", "Wy"]], &[], &[]);
    let orders = |text: &str| {
        let model = model(text);
        let orders = Checker::new(&model).coherence(&writers)?;
        let pairs = |relation: Relation| relation.pairs().collect::<Vec<_>>();
        Some((pairs(orders.related), orders.given.map(pairs)))
    };
    assert_eq!(orders("acyclic po"), None);
    let across = vec![(0, 2), (1, 2), (2, 0), (2, 1)];
    assert_eq!(
        orders("with co from orders(loc & ext)"),
        Some((across.clone(), None))
    );
    let both = Some((across, Some(vec![(0, 1)])));
    assert_eq!(
        orders("let a = loc & ext with co from orders(a, po & loc) acyclic co"),
        both
    );
}

#[test]
fn flags_are_raised_for_allowed_executions() {
    let model = model(COHERENCE);
    let writers = execution(&[&["Wx"], &["Wx"]], &[], &[(0, 1)]);
    let outcome = model.check(&writers);
    assert!(outcome.is_allowed());
    assert_eq!(outcome.flags, [2]);
    assert_eq!(
        model.explain(&writers),
        [Explanation {
            axiom: 2,
            witness: Witness::Pairs(vec![(0, 1), (1, 0)])
        }]
    );
    let model = self::model("undefined_unless empty co as ordered");
    assert_eq!(model.check(&writers).flags, [0]);
    assert!(model.check(&store_buffering()).flags.is_empty());
}

#[track_caller]
fn explained(text: &str, world: &Sample) -> String {
    let found = model(text).explain(world);
    assert_eq!(found.len(), 1, "{found:?}");
    match &found[0].witness {
        Witness::Cycle(steps) => {
            let steps = steps.iter();
            let steps = steps.map(|step| format!("{} {} {}", step.from, step.relation, step.to));
            steps.collect::<Vec<_>>().join(", ")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn cycles_are_explained_by_their_parts() {
    let world = message_passing();
    let steps = "0 po 1, 1 rf 2, 2 po 3, 3 fr 0";
    assert_eq!(explained("acyclic po | rf | fr", &world), steps);
    assert_eq!(explained("acyclic (po | rf)+ ; fr", &world), steps);
    assert_eq!(explained("irreflexive (po | rf | fr)+", &world), steps);
    assert_eq!(
        explained("irreflexive po? ; [W] ; rf ; po* ; fr?", &world),
        steps
    );
    assert_eq!(
        explained("let hb = (po | rf)+ irreflexive hb ; fr", &world),
        "0 hb 3, 3 fr 0"
    );
    assert_eq!(
        explained("let com = rf | fr acyclic po | com", &world),
        "0 po 1, 1 com 2, 2 po 3, 3 com 0"
    );
    assert_eq!(
        explained("let all = po | rf | fr acyclic all", &world),
        steps
    );
    assert_eq!(
        explained("acyclic (po & W * W) | rf | (po & R * R) | fr", &world),
        steps
    );
    assert_eq!(
        explained("acyclic (po \\ loc) | rf | fr", &world),
        "0 po \\ loc 1, 1 rf 2, 2 po \\ loc 3, 3 fr 0"
    );
}

#[test]
fn other_reasons() {
    let world = message_passing();
    assert_eq!(explained("empty rf", &world), "Pairs([(1, 2)])");
    assert_eq!(explained("empty W", &world), "Events([0, 1])");
    assert_eq!(explained("~empty co", &world), "Nothing");
    assert_eq!(explained("~acyclic po", &world), "Nothing");
    assert_eq!(explained("~irreflexive po+", &world), "Nothing");
    assert_eq!(
        explained("acyclic [domain(rf)]", &world),
        "1 [domain(rf)] 1"
    );
    assert_eq!(
        explained("irreflexive [R] & po?", &world).len(),
        "2 [R] & po? 2".len()
    );
}

#[test]
fn all_violated_axioms_are_explained() {
    let model = model("acyclic po as a empty rf as b acyclic po | rf | fr as c");
    let found = model.explain(&message_passing());
    let axioms: Vec<_> = found.iter().map(|found| found.axiom).collect();
    assert_eq!(axioms, [1, 2]);
}

#[test]
fn dependencies() {
    let model = model(COHERENCE);
    let names = |axiom| -> Vec<_> {
        let bases = model.depends_on(axiom).into_iter();
        bases.map(|base| BASES[base].name).collect()
    };
    assert_eq!(names(0), ["po", "rf", "co", "fr", "loc"]);
    assert_eq!(names(1), ["po", "rf", "fr"]);
    assert_eq!(names(2), ["W", "loc", "ext"]);
}

#[test]
fn checkers_keep_what_did_not_change() {
    let model = model(COHERENCE);
    let mut checker = Checker::new(&model);
    let mut world = message_passing();
    assert_eq!(checker.check(&world).violated, Some(1));
    // Now the second read sees the first write.
    world.relations[1].set(0, 3);
    world.relations[3].clear(4);
    assert_eq!(
        checker.check(&world).violated,
        Some(1),
        "nothing was forgotten"
    );
    checker.changed(&[4]);
    assert!(checker.holds(0, &world));
    checker.changed(&[4, 6]);
    assert!(checker.check(&world).is_allowed());
    // Another number of events.
    assert_eq!(checker.check(&incoherent()).violated, Some(0));
    checker.forget();
    assert!(checker.check(&store_buffering()).is_allowed());
}

#[test]
fn nothing_is_computed_without_need() {
    /// Panics if `co` is used.
    struct NoCo(Sample);
    impl World for NoCo {
        fn events(&self) -> usize {
            self.0.events()
        }
        fn set(&self, index: usize) -> EventSet {
            self.0.set(index)
        }
        fn relation(&self, index: usize) -> &Relation {
            assert_ne!(BASES[index].name, "co");
            self.0.relation(index)
        }
    }
    let model = model("let unused = co;co acyclic po | rf | fr as first empty co as second");
    assert_eq!(model.check(&NoCo(message_passing())).violated, Some(0));
}

#[test]
fn executions_without_events() {
    let world = execution(&[], &[], &[]);
    assert!(model(COHERENCE).check(&world).is_allowed());
    assert_eq!(model("~empty _").check(&world).violated, Some(0));
}

#[test]
fn threads_can_share_a_model() {
    let model = model(SC);
    std::thread::scope(|scope| {
        let check = || model.check(&store_buffering()).violated;
        let other = scope.spawn(check);
        assert_eq!(other.join().ok().flatten(), check());
    });
}
