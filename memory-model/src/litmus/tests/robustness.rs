//! Damaged tests: an error with a position in the text, and never a panic.

use hirace_model::error::Error;
use hirace_sample::random::Random;

use super::super::{Threads, parse, placed};
use super::{legacy, shapes};

const VALID: [&str; 9] = [
    shapes::MP,
    shapes::SB,
    shapes::LB,
    shapes::IRIW,
    shapes::CORR,
    shapes::BARRIER,
    shapes::PROXIES,
    legacy::SB,
    legacy::LOCK,
];

/// Whether the text is a test; checks the position of the error if not.
fn check(text: &str) -> bool {
    match parse("test.litmus", text) {
        Ok(test) => {
            for thread in &test.threads {
                assert!(
                    thread
                        .code
                        .iter()
                        .all(|line| text.get(line.span.clone()).is_some())
                );
            }
            assert!(placed(&test, Threads::OneBlock).is_some());
            true
        }
        Err(Error::Syntax(mistake)) => {
            let start = mistake.span.offset();
            let span = start..start + mistake.span.len();
            assert!(
                text.get(span.clone()).is_some(),
                "{span:?} in {text:?}: {}",
                mistake.message
            );
            assert!(!mistake.message.is_empty());
            false
        }
        Err(error) => panic!("no position: {error}"),
    }
}

#[test]
fn truncations() {
    for text in VALID {
        assert!(check(text));
        for end in 0..text.len() {
            check(&text[..end]);
            check(&text[end..]);
        }
    }
}

#[test]
fn byte_flips() {
    let mut random = Random::new(1);
    let (mut accepted, mut rejected) = (0, 0);
    for round in 0..6000 {
        let mut bytes = VALID[round % VALID.len()].as_bytes().to_vec();
        for _ in 0..=random.index(3) {
            let at = random.index(bytes.len());
            match random.index(4) {
                0 => bytes[at] ^= 1 << random.index(8),
                1 => bytes[at] = b"{}()[]|;:,@!~=\\/\".*0-rxP\n"[random.index(25)],
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[random.index(bytes.len())]),
            }
        }
        match check(&String::from_utf8_lossy(&bytes)) {
            true => accepted += 1,
            false => rejected += 1,
        }
    }
    assert!(
        accepted > 300 && rejected > 3000,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn shuffled_tokens() {
    let mut random = Random::new(2);
    for round in 0..3000 {
        let text = VALID[round % VALID.len()];
        let mut words: Vec<_> = text
            .split_inclusive([' ', ',', ';', '|', '\n', '(', ':'])
            .collect();
        for _ in 0..=random.index(4) {
            let (left, right) = (random.index(words.len()), random.index(words.len()));
            match random.index(3) {
                0 => words.swap(left, right),
                1 => words[left] = words[right],
                _ => drop(words.remove(left)),
            }
        }
        check(&words.concat());
    }
}

#[test]
fn deep_and_long_input() {
    check(&"(*".repeat(100_000));
    check(&format!(
        "PTX t\n{{}}\nP0 ;\nexists {}",
        "(".repeat(100_000)
    ));
    check(&format!(
        "PTX t\n{{}}\nP0 ;\nexists {}",
        "~".repeat(100_000)
    ));
    check(&format!(
        "PTX t\n{{}}\nP0 ;\nScopeTree {}",
        "(cta".repeat(100_000)
    ));
    assert!(check(&format!(
        "PTX t\n{{}}\nP0 ;\n{}exists x = 1",
        "st x, 1 ;\n".repeat(5000)
    )));
}
