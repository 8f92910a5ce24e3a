//! The Murphi model as text; `cargo xtask test --only rumur` checks it.

use std::path::Path;

use hirace_fsm::check::Shape;
use hirace_fsm::emit::murphi::Model;
use hirace_fsm::{Masks, State, Table, Transition};

fn frame(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../murphi")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn model(cover: Option<&str>) -> String {
    let masks = Masks::of(&Table::EXACT);
    Model {
        driver: &frame("driver.m"),
        cover,
        table: &Table::EXACT,
        masks: &masks,
        shape: Shape::new(3, 1, 2).expect("a valid shape"),
        masked: false,
        forgetful: true,
    }
    .text()
}

/// The lines without comments.
fn code(model: &str) -> impl Iterator<Item = &str> {
    model
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
}

#[test]
fn constants_are_set() {
    let model = model(None);
    for constant in [
        "BLOCKS: 3;",
        "WARPS: 1;",
        "THREADS: 2;",
        "MASKED: 0;",
        "FORGETFUL: 1;",
    ] {
        assert!(code(&model).any(|line| line == constant), "{constant}");
    }
}

#[test]
fn the_driver_is_as_it_is_checked() {
    let masks = Masks::of(&Table::EXACT);
    let driver = frame("driver.m");
    let text = Model {
        driver: &driver,
        cover: None,
        table: &Table::EXACT,
        masks: &masks,
        shape: Shape::new(2, 2, 2).expect("a valid shape"),
        masked: true,
        forgetful: true,
    }
    .text();
    for line in driver.lines().filter(|line| !line.starts_with("--include")) {
        assert!(text.contains(line), "{line}");
    }
}

/// CMurphi needs declarations, then functions, then rules, and has neither `cover` nor rumur's other
/// additions.
#[test]
fn without_cover_it_is_plain() {
    let model = model(None);
    assert!(model.is_ascii());
    let rank = |line: &str| match line.split([' ', ';']).next() {
        Some("const" | "type" | "var") => Some(0),
        Some("function" | "procedure") => Some(1),
        Some("startstate" | "ruleset" | "rule" | "invariant") => Some(2),
        _ => None,
    };
    let ranks: Vec<_> = code(&model).filter_map(rank).collect();
    assert!(ranks.is_sorted());
    assert_eq!(ranks.last(), Some(&2));
    for addition in ["cover", "assume", "liveness", "==", "&&", "||"] {
        let found = code(&model).find(|line| line.replace("==>", "").contains(addition));
        assert_eq!(found, None, "{addition}");
    }
}

#[test]
fn each_state_has_a_cover_property() {
    let model = model(Some(&frame("cover.m")));
    for state in State::ALL {
        let property = format!("cover \"{state}\" word.state = {state};");
        assert!(code(&model).any(|line| line == property), "{property}");
    }
}

/// Reads the nested switches of `next_state` back.
fn next(model: &str, transition: Transition) -> String {
    let values = [
        ("state", transition.state.name().to_owned()),
        (
            "access",
            format!("access_{}", transition.access.identifier()),
        ),
        (
            "relation",
            format!("relation_{}", transition.relation.identifier()),
        ),
        ("sync", format!("sync_{}", transition.sync.identifier())),
    ];
    let text = code(model).collect::<Vec<_>>().join(" ");
    let body = text
        .split("function next_state")
        .nth(1)
        .expect("a function");
    let mut words = body
        .split_whitespace()
        .skip_while(|&word| word != "begin")
        .skip(1);
    // Whether the cases of each enclosing switch are skipped, and its value.
    let mut switches: Vec<(String, bool)> = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "switch" => {
                let subject = words.next().expect("a subject");
                let (_, value) = values
                    .iter()
                    .find(|(name, _)| *name == subject)
                    .expect("a parameter");
                switches.push((value.clone(), false));
            }
            "endswitch;" => drop(switches.pop()),
            "case" => {
                let mut applies = false;
                for label in words.by_ref() {
                    let (value, _) = switches.last().expect("a switch");
                    applies |= label.trim_end_matches([',', ':']) == value;
                    if label.ends_with(':') {
                        break;
                    }
                }
                switches.last_mut().expect("a switch").1 = applies;
            }
            "return" => {
                let result = words.next().expect("a value");
                if switches.iter().all(|(_, applies)| *applies) {
                    return result.trim_end_matches(';').to_owned();
                }
            }
            other => panic!("{other}"),
        }
    }
    panic!("no result for {transition}")
}

#[test]
fn next_state_is_the_table() {
    let model = model(None);
    for transition in Transition::all() {
        assert_eq!(
            next(&model, transition),
            Table::EXACT.next(transition).name(),
            "{transition}"
        );
    }
}
