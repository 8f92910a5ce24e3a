//! The machine compared with the table that the paper's authors published.

mod common {
    pub mod tell;
}

use std::path::Path;

use common::tell::tell;
use hirace_fsm::{
    Access, DEVIATIONS, Relation, State, Sync, Table, Transition, emit, published_next,
};

#[test]
fn deviations_are_where_the_tables_differ() {
    let differing: Vec<_> = Transition::all()
        .filter(|&transition| published_next(transition) != Table::EXACT.next(transition))
        .collect();
    assert_eq!(differing, DEVIATIONS.map(|deviation| deviation.transition));
    assert_eq!(differing.len(), 15);
    for deviation in DEVIATIONS {
        assert_eq!(Table::EXACT.next(deviation.transition), deviation.exact);
    }
}

/// The published tables, which are not part of the project.
fn published_file(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(name);
    if path.exists() {
        return Some(std::fs::read_to_string(path).expect("failed to read the published table"));
    }
    tell!("skipped: no published table at {}", path.display());
    None
}

fn transition(row: &[&str]) -> Transition {
    Transition {
        state: State::from_name(row[0]).expect("unknown state"),
        access: Access::from_name(row[1]).expect("unknown access"),
        sync: Sync::from_name(row[2]).expect("unknown sync"),
        relation: Relation::from_name(row[3]).expect("unknown relation"),
    }
}

#[test]
fn equals_published_table_but_for_the_deviations() {
    let Some(csv) = published_file("published_fsm.csv") else {
        return;
    };
    let rows: Vec<Vec<_>> = csv
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 1200);
    for (row, expected) in rows.iter().zip(Transition::all()) {
        assert_eq!(transition(row), expected);
        assert_eq!(published_next(expected).name(), row[4], "{expected}");
    }
    let exact = emit::table_csv();
    let differing = csv
        .lines()
        .zip(exact.lines())
        .filter(|(published, exact)| published != exact);
    assert_eq!(differing.count(), DEVIATIONS.len());
}

#[test]
fn deviations_equal_the_list_of_corrections() {
    let Some(csv) = published_file("published_fsm_corrections.csv") else {
        return;
    };
    let listed: Vec<_> = csv
        .lines()
        .skip(1)
        .map(|row| {
            let row: Vec<_> = row.split(',').collect();
            (transition(&row), row[4].to_owned(), row[5].to_owned())
        })
        .collect();
    let ours = DEVIATIONS.map(|deviation| {
        (
            deviation.transition,
            deviation.published.name().to_owned(),
            deviation.exact.name().to_owned(),
        )
    });
    assert_eq!(listed, ours);
}

/// The table that is compared above if a copy exists is pinned everywhere.
#[test]
fn published_table_is_pinned() {
    // FNV-1a, 64 bits, over the state numbers.
    let digest = Transition::all().fold(0xcbf2_9ce4_8422_2325_u64, |hash, transition| {
        let next = published_next(transition) as u64;
        (hash ^ next).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(format!("{digest:016x}"), "fb762825b7312895");
}
