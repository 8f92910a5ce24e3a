//! The tables for readers.

use hirace_fsm::emit::dot::CASES;
use hirace_fsm::{State, Table, Transition, emit};

#[test]
fn csv_has_a_line_for_each_transition() {
    let csv = emit::table_csv();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("state,access,sync,relation,next"));
    assert_eq!(lines.next(), Some("INIT,R,U,S,READ"));
    assert_eq!(lines.next_back(), Some("RACE,GA,B,G,RACE"));
    assert_eq!(csv.lines().count(), 1201);
}

#[test]
fn markdown_has_a_line_for_each_state_and_access() {
    let markdown = emit::table_markdown();
    assert_eq!(markdown.lines().count(), 2 + 25 * 4);
    for line in markdown.lines() {
        assert_eq!(line.matches('|').count(), 15, "{line}");
    }
    assert!(markdown.starts_with("| state | access | U,S | W,S | B,S | U,W |"));
}

#[test]
fn json_lists_everything() {
    let json = emit::table_json();
    assert!(json.starts_with("{\n  \"schema\": \"hirace-fsm/1\","));
    assert!(json.contains("\"accesses\": [\"R\", \"W\", \"BA\", \"GA\"]"));
    let next = json
        .lines()
        .find_map(|line| line.strip_prefix("  \"next\": ["))
        .expect("a list of next states");
    assert_eq!(next.split(',').count(), 1200);
    assert!(json.ends_with("]\n}\n"));
}

/// The graph has every transition that is no race once: on an edge or in a box.
#[test]
fn graph_shows_every_transition() {
    let graph = emit::dot::graph(None);
    for (state, box_, edges) in State::ALL.map(|state| {
        let start = format!("    {} [label=", state.identifier());
        let arrow = format!("  {} -> ", state.identifier());
        let box_ = graph.lines().find(|line| line.starts_with(&start));
        let edges: Vec<_> = graph
            .lines()
            .filter(|line| line.starts_with(&arrow))
            .collect();
        (state, box_.expect("a box"), edges.concat())
    }) {
        if state == State::Init || state == State::Race {
            continue;
        }
        let drawn: usize = (box_.to_owned() + &edges)
            .split(['"', '\\'])
            .filter_map(|line| line.trim_start_matches('l').split_once("  "))
            .map(|(accesses, cases)| {
                let cases = cases.split(':').next().unwrap_or_default();
                let cases: usize = match cases {
                    "always" => 12,
                    some => some
                        .split(", ")
                        .map(|case| {
                            let named = CASES.iter().find(|(name, _)| *name == case);
                            named.map_or(0, |(_, comparisons)| comparisons.len())
                        })
                        .sum(),
                };
                accesses.split(' ').filter(|name| !name.is_empty()).count() * cases
            })
            .sum();
        let expected = Transition::all()
            .filter(|at| at.state == state && Table::EXACT.next(*at) != State::Race)
            .count();
        assert_eq!(drawn, expected, "{state}");
    }
}

#[test]
fn graph_of_a_state_has_its_neighbours() {
    let graph = emit::dot::graph(Some(State::GRead));
    assert!(graph.contains("gread [label=\"GREAD\\nkeeps nothing\\nR  always: stays\\l\"]"));
    assert!(!graph.contains("->"), "{graph}");
    let graph = emit::dot::graph(Some(State::WSync));
    assert!(graph.contains("wsync -> mr_wsync [label=\"R  other lane\\l\"]"));
    assert!(graph.contains("wsync -> bsync [label=\"R  after syncthreads\\l\"]"));
}
