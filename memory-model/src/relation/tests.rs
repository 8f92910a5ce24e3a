//! Every operation against sets of pairs.

use std::collections::BTreeSet;

use hirace_sample::random::Random;

use super::*;

type Pairs = BTreeSet<(usize, usize)>;

fn random_relation(random: &mut Random, events: usize) -> Relation {
    let pairs = random.index(2 * events + 1);
    let mut relation = Relation::empty(events);
    for _ in 0..pairs {
        relation.set(random.index(events), random.index(events));
    }
    relation
}

fn random_set(random: &mut Random, events: usize) -> EventSet {
    let size = random.index(events + 1);
    (0..size).map(|_| random.index(events)).collect()
}

/// The result of an operation that changes its relation.
fn edited(relation: &Relation, edit: impl FnOnce(&mut Relation)) -> Relation {
    let mut relation = relation.clone();
    edit(&mut relation);
    relation
}

fn pairs(relation: &Relation) -> Pairs {
    relation.pairs().collect()
}

fn all(events: usize) -> Pairs {
    (0..events)
        .flat_map(|a| (0..events).map(move |b| (a, b)))
        .collect()
}

fn compose(first: &Pairs, second: &Pairs) -> Pairs {
    let mut result = Pairs::new();
    for &(a, b) in first {
        result.extend(
            second
                .iter()
                .filter(|&&(c, _)| b == c)
                .map(|&(_, d)| (a, d)),
        );
    }
    result
}

fn closure(pairs: &Pairs) -> Pairs {
    let mut result = pairs.clone();
    loop {
        let longer = &result | &compose(&result, pairs);
        if longer == result {
            return result;
        }
        result = longer;
    }
}

/// Calls `test` for random numbers of events, small ones and those at the limit.
fn random(test: impl Fn(&mut Random, usize)) {
    let mut random = Random::new(1);
    for round in 0..400 {
        let events = match round % 40 {
            0 => 128,
            1 => 127,
            _ => 1 + random.index(9),
        };
        test(&mut random, events);
    }
}

#[test]
fn operations_on_relations_equal_those_on_sets_of_pairs() {
    random(|random, events| {
        let (r, s) = (
            random_relation(random, events),
            random_relation(random, events),
        );
        let (p, q) = (pairs(&r), pairs(&s));
        let identity: Pairs = (0..events).map(|e| (e, e)).collect();
        assert_eq!(pairs(&edited(&r, |it| it.union_with(&s))), &p | &q);
        assert_eq!(pairs(&edited(&r, |it| it.intersect_with(&s))), &p & &q);
        assert_eq!(pairs(&r.difference(&s)), &p - &q);
        assert_eq!(pairs(&edited(&r, Relation::flip)), &all(events) - &p);
        assert_eq!(pairs(&edited(&r, Relation::add_identity)), &p | &identity);
        assert_eq!(
            pairs(&r.inverse()),
            p.iter().map(|&(a, b)| (b, a)).collect()
        );
        assert_eq!(r.domain().iter().collect::<BTreeSet<_>>(), domain(&p));
        assert_eq!(r.range(), r.inverse().domain());
        assert_eq!(Relation::from_pairs(events, p.iter().copied()), r);
        if events < 100 {
            assert_eq!(pairs(&r.compose(&s)), compose(&p, &q));
            assert_eq!(pairs(&edited(&r, Relation::close)), closure(&p));
        }
    });
}

fn domain(pairs: &Pairs) -> BTreeSet<usize> {
    pairs.iter().map(|&(a, _)| a).collect()
}

#[test]
fn sets_make_relations() {
    random(|random, events| {
        let (a, b) = (random_set(random, events), random_set(random, events));
        let r = random_relation(random, events);
        let product = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        assert_eq!(
            pairs(&edited(&r, |it| it.assign_product(events, a, b))),
            product.collect::<Pairs>()
        );
        let identity = Relation::identity(events, a);
        assert_eq!(pairs(&identity), a.iter().map(|x| (x, x)).collect());
        let mut restricted = r.clone();
        restricted.restrict_domain(a);
        assert_eq!(restricted, identity.compose(&r));
        let mut restricted = r.clone();
        restricted.restrict_range(a);
        assert_eq!(restricted, r.compose(&identity));
    });
}

#[test]
fn cycles_are_real_and_shortest() {
    random(|random, events| {
        let r = random_relation(random, events);
        let closure = edited(&r, Relation::close);
        assert_eq!(r.is_acyclic(), closure.is_irreflexive());
        assert_eq!(
            r.is_irreflexive(),
            (0..events).all(|event| !r.get(event, event))
        );
        assert_eq!(r.is_empty(), r.pairs().next().is_none());
        let Some(cycle) = r.cycle() else {
            assert!(r.is_acyclic());
            return;
        };
        for (i, &event) in cycle.iter().enumerate() {
            assert!(
                r.get(event, cycle[(i + 1) % cycle.len()]),
                "{r:?}: {cycle:?}"
            );
        }
        let mut steps = r.clone();
        for _ in 1..cycle.len() {
            assert!(steps.is_irreflexive(), "{r:?}: {cycle:?} is not shortest");
            steps.assign(&steps.compose(&r));
        }
    });
}

#[test]
fn paths_connect_their_ends() {
    random(|random, events| {
        let r = random_relation(random, events);
        let (from, to) = (random.index(events), random.index(events));
        let path = r.path(from, to);
        assert_eq!(path.is_some(), edited(&r, Relation::close).get(from, to));
        if let Some(path) = path {
            assert!(path.len() >= 2);
            assert_eq!((path[0], path[path.len() - 1]), (from, to));
            assert!(path.windows(2).all(|step| r.get(step[0], step[1])));
        }
    });
}

#[test]
fn set_operations() {
    random(|random, events| {
        let (a, b) = (random_set(random, events), random_set(random, events));
        let [x, y] = [a, b].map(|set| set.iter().collect::<BTreeSet<_>>());
        assert_eq!((a | b).iter().collect::<BTreeSet<_>>(), &x | &y);
        assert_eq!((a & b).iter().collect::<BTreeSet<_>>(), &x & &y);
        assert_eq!((a - b).iter().collect::<BTreeSet<_>>(), &x - &y);
        assert_eq!(a.complement(events), EventSet::all(events) - a);
        assert_eq!(a.len(), x.len());
        assert_eq!(a.min(), x.first().copied());
        assert_eq!(a.is_empty(), x.is_empty());
    });
    assert_eq!(EventSet::all(128).len(), 128);
    assert_eq!(EventSet::all(0), EventSet::EMPTY);
}

#[test]
fn pairs_can_be_removed() {
    let mut relation = Relation::from_pairs(3, [(0, 1), (1, 2)]);
    relation.remove(0, 1);
    assert_eq!(pairs(&relation), [(1, 2)].into());
    assert!(!relation.get(7, 200));
    assert_eq!(format!("{relation:?}"), "{(1, 2)}");
}

#[test]
#[should_panic(expected = "no event 3")]
fn pairs_outside_the_universe_are_rejected() {
    Relation::empty(3).set(0, 3);
}
