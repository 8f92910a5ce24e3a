//! The tables for readers.

use hirace_fsm::emit;

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
