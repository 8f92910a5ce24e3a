//! `docs/fsm.md` agrees with the specification.

use std::path::Path;

use hirace_fsm::check::{Shape, verify};
use hirace_fsm::{DEVIATIONS, Masks, State, Table, emit};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn states_are_those_of_the_specification() {
    let docs = read("fsm.md");
    for line in emit::states_markdown().lines() {
        assert!(docs.contains(line), "docs/fsm.md lacks the line\n{line}");
    }
}

#[test]
fn deviations_have_their_histories() {
    let docs = read("fsm.md");
    for (number, deviation) in DEVIATIONS.iter().enumerate() {
        let table = Table::EXACT.with(deviation.transition, deviation.published);
        let shape = Shape::new(2, 2, 2).expect("a valid shape");
        let wrong = verify(&table, &Masks::FULL, shape).expect_err("each breaks exactness");
        let line = format!(
            "| {} | `{}` | `{}` | `{}` | {} | `{}` |",
            number + 1,
            deviation.transition,
            deviation.published,
            deviation.exact,
            wrong.fault,
            wrong.history(),
        );
        assert!(docs.contains(&line), "docs/fsm.md lacks the line\n{line}");
    }
}

/// `hirace fsm dot | dot -Tsvg -o docs/fsm.svg` redraws it.
#[test]
fn picture_shows_the_graph() {
    let picture = read("fsm.svg")
        .replace("&#45;", "-")
        .replace("&gt;", ">")
        .replace("&#160;", " ");
    let graph = emit::dot::graph(None);
    let edges = graph.lines().filter_map(|line| line.split_once(" [label="));
    let mut count = 0;
    for (name, label) in edges {
        let name = name.trim().replace(" -> ", "->");
        assert!(
            picture.contains(&format!("<title>{name}</title>")),
            "{name}"
        );
        let text = label.trim_matches(['"', ']', ';']);
        for line in text.split("\\l").flat_map(|line| line.split("\\n")) {
            let line = line.trim_end_matches(['"', ']', ';']);
            assert!(picture.contains(line), "no `{line}` at {name}");
        }
        count += 1;
    }
    assert_eq!(picture.matches("class=\"node\"").count(), State::ALL.len());
    let edges = picture.matches("class=\"edge\"").count();
    assert_eq!(edges + State::ALL.len(), count);
}
