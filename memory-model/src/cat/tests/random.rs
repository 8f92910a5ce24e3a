//! Random expressions against an evaluation by sets of pairs.

use std::collections::BTreeSet;

use hirace_sample::random::Random;

use super::*;

type Pairs = BTreeSet<(usize, usize)>;

const EVENTS: usize = 5;

/// The text of an expression, the precedence of its operator, and its value.
struct Case<T> {
    text: String,
    precedence: usize,
    value: T,
}

impl<T> Case<T> {
    /// The text as an operand of an operator with this precedence.
    fn operand(&self, precedence: usize) -> String {
        if self.precedence < precedence {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

const POSTFIX: usize = 6;
const ATOM: usize = 7;

fn all() -> Pairs {
    (0..EVENTS)
        .flat_map(|a| (0..EVENTS).map(move |b| (a, b)))
        .collect()
}

fn identity(set: &BTreeSet<usize>) -> Pairs {
    set.iter().map(|&e| (e, e)).collect()
}

fn compose(first: &Pairs, second: &Pairs) -> Pairs {
    let mut result = Pairs::new();
    for &(a, b) in first {
        let next = second.iter().filter(|&&(c, _)| b == c);
        result.extend(next.map(|&(_, d)| (a, d)));
    }
    result
}

fn closure(pairs: &Pairs) -> Pairs {
    let mut result = pairs.clone();
    for _ in 0..EVENTS {
        result = &result | &compose(&result, pairs);
    }
    result
}

struct Generator {
    random: Random,
    world: Sample,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut sets = Vec::new();
        let mut relations = Vec::new();
        for _ in 0..3 {
            sets.push((0..EVENTS).filter(|_| random.index(2) == 0).collect());
        }
        for _ in 0..6 {
            let pairs = all().into_iter().filter(|_| random.index(5) == 0);
            relations.push(Relation::from_pairs(EVENTS, pairs));
        }
        let world = Sample {
            events: EVENTS,
            sets,
            relations,
        };
        Self { random, world }
    }

    fn set(&mut self, depth: usize) -> Case<BTreeSet<usize>> {
        let universe: BTreeSet<usize> = (0..EVENTS).collect();
        let atom = |text: &str, value| Case {
            text: text.into(),
            precedence: ATOM,
            value,
        };
        let choices = if depth == 0 { 5 } else { 10 };
        match self.random.index(choices) {
            0 => atom("_", universe),
            1 => atom("{}", BTreeSet::new()),
            index @ 2..=4 => {
                let value = self.world.sets[index - 2].iter().collect();
                atom(BASES[index - 2].name, value)
            }
            5 => {
                let a = self.set(depth - 1);
                Case {
                    text: format!("~{}", a.operand(5)),
                    precedence: 5,
                    value: &universe - &a.value,
                }
            }
            6 => {
                let r = self.relation(depth - 1);
                let value = r.value.iter().map(|&(a, _)| a).collect();
                atom(&format!("domain({})", r.text), value)
            }
            7 => {
                let r = self.relation(depth - 1);
                let value = r.value.iter().map(|&(_, b)| b).collect();
                atom(&format!("range({})", r.text), value)
            }
            _ => {
                let (a, b) = (self.set(depth - 1), self.set(depth - 1));
                let (symbol, precedence, value) = match self.random.index(3) {
                    0 => ("|", 0, &a.value | &b.value),
                    1 => ("\\", 2, &a.value - &b.value),
                    _ => ("&", 3, &a.value & &b.value),
                };
                Case {
                    text: format!(
                        "{} {symbol} {}",
                        a.operand(precedence),
                        b.operand(precedence + 1)
                    ),
                    precedence,
                    value,
                }
            }
        }
    }

    fn relation(&mut self, depth: usize) -> Case<Pairs> {
        let choices = if depth == 0 { 8 } else { 24 };
        let atom = |text: &str, value| Case {
            text: text.into(),
            precedence: ATOM,
            value,
        };
        match self.random.index(choices) {
            0 => atom("0", Pairs::new()),
            1 => atom("id", identity(&(0..EVENTS).collect())),
            index @ 2..=7 => {
                let value = self.world.relations[index - 2].pairs().collect();
                atom(BASES[index + 1].name, value)
            }
            8 | 9 => {
                let set = self.set(depth - 1);
                atom(&format!("[{}]", set.text), identity(&set.value))
            }
            10 | 11 => {
                let (a, b) = (self.set(depth - 1), self.set(depth - 1));
                let pairs = a.value.iter();
                Case {
                    text: format!("{} * {}", a.operand(5), b.operand(5)),
                    precedence: 4,
                    value: pairs
                        .flat_map(|&x| b.value.iter().map(move |&y| (x, y)))
                        .collect(),
                }
            }
            12 => {
                let r = self.relation(depth - 1);
                Case {
                    text: format!("~{}", r.operand(5)),
                    precedence: 5,
                    value: &all() - &r.value,
                }
            }
            13..=16 => self.postfix(depth),
            _ => self.binary(depth),
        }
    }

    fn postfix(&mut self, depth: usize) -> Case<Pairs> {
        let r = self.relation(depth - 1);
        let events = identity(&(0..EVENTS).collect());
        let (symbol, value) = match self.random.index(4) {
            0 => ("^-1", r.value.iter().map(|&(a, b)| (b, a)).collect()),
            1 => ("?", &r.value | &events),
            2 => ("+", closure(&r.value)),
            _ => ("^*", &closure(&r.value) | &events),
        };
        // `++` would be another operator.
        let operand = r.operand(if r.text.ends_with('+') { ATOM } else { POSTFIX });
        Case {
            text: format!("{operand}{symbol}"),
            precedence: POSTFIX,
            value,
        }
    }

    fn binary(&mut self, depth: usize) -> Case<Pairs> {
        let (a, b) = (self.relation(depth - 1), self.relation(depth - 1));
        let (symbol, precedence, value) = match self.random.index(5) {
            0 => ("|", 0, &a.value | &b.value),
            1 | 2 => (";", 1, compose(&a.value, &b.value)),
            3 => ("\\", 2, &a.value - &b.value),
            _ => ("&", 3, &a.value & &b.value),
        };
        Case {
            text: format!(
                "{} {symbol} {}",
                a.operand(precedence),
                b.operand(precedence + 1)
            ),
            precedence,
            value,
        }
    }
}

#[test]
fn expressions_mean_what_they_say() {
    for seed in 1..2000 {
        let mut generator = Generator::new(seed * 0x9E37_79B9);
        let depth = 1 + generator.random.index(6);
        let case = generator.relation(depth);
        let Value::Relation(found) = value(&case.text, &generator.world) else {
            panic!("{} is a set", case.text);
        };
        assert_eq!(
            found.pairs().collect::<Pairs>(),
            case.value,
            "{}",
            case.text
        );
        let acyclic = closure(&case.value).iter().all(|(a, b)| a != b);
        let irreflexive = case.value.iter().all(|(a, b)| a != b);
        let empty = case.value.is_empty();
        for (axiom, holds) in [
            ("acyclic", acyclic),
            ("irreflexive", irreflexive),
            ("empty", empty),
        ] {
            let text = format!("{axiom} {} flag ~{axiom} {}", case.text, case.text);
            let model = model(&text);
            let outcome = model.check(&generator.world);
            assert_eq!(outcome.is_allowed(), holds, "{text}");
            let found = model.explain(&generator.world);
            assert_eq!(found.is_empty(), holds);
            for explanation in found {
                check_witness(&explanation.witness, &case, &generator.world);
            }
        }
    }
}

/// Cycles are closed and their steps true, and pairs are those of the relation.
fn check_witness(witness: &Witness, case: &Case<Pairs>, world: &Sample) {
    match witness {
        Witness::Cycle(steps) => {
            for (i, step) in steps.iter().enumerate() {
                assert_eq!(step.to, steps[(i + 1) % steps.len()].from, "{}", case.text);
                let Value::Relation(relation) = value(&step.relation, world) else {
                    panic!("{step:?} in {}", case.text);
                };
                assert!(
                    relation.get(step.from, step.to),
                    "{step:?} in {}",
                    case.text
                );
            }
            assert!(!steps.is_empty());
        }
        Witness::Pairs(pairs) => {
            assert_eq!(pairs.iter().copied().collect::<Pairs>(), case.value);
        }
        other => panic!("{}: {other:?}", case.text),
    }
}

#[test]
fn sets_mean_what_they_say() {
    for seed in 1..2000 {
        let mut generator = Generator::new(seed * 0xC2B2_AE3D);
        let depth = 1 + generator.random.index(5);
        let case = generator.set(depth);
        let Value::Set(found) = value(&case.text, &generator.world) else {
            panic!("{} is a relation", case.text);
        };
        assert_eq!(
            found.iter().collect::<BTreeSet<_>>(),
            case.value,
            "{}",
            case.text
        );
    }
}
