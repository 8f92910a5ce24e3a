//! Compilers' output with random changes: no panic, and mistakes have a place.

use hirace_sample::Sample;
use hirace_sample::random::Random;

#[path = "../../../fuzz/ptx_invariants.rs"]
mod invariants;

const SOURCES: [&str; 3] = [
    include_str!("../../../tests/ptx/tile.ptx"),
    include_str!("../../../tests/ptx/matrix.ptx"),
    include_str!("../../../tests/ptx/halves.ptx"),
];

/// What a change may insert.
const WORDS: [&str; 24] = [
    ";",
    ",",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "@",
    "!",
    "|",
    ":",
    "<",
    "+",
    "-4",
    "0f",
    "\"",
    "/*",
    ".reg",
    ".param .b64 x",
    "%r1",
    "ld.global.v4.u32",
    "call",
    "é",
];

/// Where words begin and end.
fn places(text: &str) -> Vec<usize> {
    let is_word = |it: char| it.is_alphanumeric() || "._%$".contains(it);
    let mut last = ' ';
    let mut places = vec![0];
    for (at, character) in text.char_indices() {
        if !is_word(character) || is_word(character) != is_word(last) {
            places.push(at);
        }
        last = character;
    }
    places.push(text.len());
    places
}

fn change(text: &mut String, random: &mut Random) {
    let places = places(text);
    let start = *random.pick(&places);
    let later: Vec<usize> = places
        .into_iter()
        .filter(|it| *it > start)
        .take(3)
        .collect();
    let end = if later.is_empty() {
        start
    } else {
        *random.pick(&later)
    };
    match random.below(4) {
        0 => text.replace_range(start..end, ""),
        1 => {
            let part = text[start..end].to_owned();
            text.insert_str(start, &part);
        }
        2 => text.replace_range(start..end, random.pick::<&str>(&WORDS)),
        _ => {
            let other = random.pick(&SOURCES);
            let at = self::places(other);
            let from = random.index(at.len() - 1);
            text.replace_range(start..end, &other[at[from]..at[from + 1]]);
        }
    }
}

#[test]
fn changed_files_do_no_harm() {
    for source in SOURCES {
        assert!(invariants::check(source), "the original is translated");
    }
    let mut translated = 0;
    for seed in Sample::current().seeds(500, 20_000) {
        let mut random = Random::new(seed);
        let mut text = (*random.pick(&SOURCES)).to_owned();
        for _ in 0..=random.below(3) {
            change(&mut text, &mut random);
        }
        translated += u32::from(invariants::check(&text));
    }
    // Changes of numbers, comments and blanks; otherwise the test would try little.
    assert!(translated > 10, "{translated}");
}

#[test]
fn cut_files_do_no_harm() {
    for source in SOURCES {
        for end in (0..source.len()).step_by(7) {
            invariants::check(&source[..end]);
        }
    }
}
