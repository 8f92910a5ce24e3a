use super::*;
use crate::{ResultUse, SiteKind};

fn site(line: u32, text: &str) -> Site {
    Site {
        range: 0..text.len(),
        line,
        column: 1,
        text: text.to_owned(),
        variable: "x".to_owned(),
        function: "k".to_owned(),
        kind: SiteKind::Write,
        result: ResultUse::Used,
    }
}

fn table(path: &str, base: u32, key: u64, sites: &[Site]) -> Table {
    Table {
        path: path.to_owned(),
        base,
        key,
        sites: sites.to_vec(),
        notes: Notes::default(),
    }
}

fn lines(found: &SitesOf<'_>) -> Vec<String> {
    match found {
        SitesOf::Nothing => Vec::new(),
        SitesOf::One(path, site) => vec![format!("{path}:{}", site.line)],
        SitesOf::Several(all) => all
            .iter()
            .map(|(path, site)| format!("{path}:{}", site.line))
            .collect(),
    }
}

#[test]
fn a_number_in_two_tables_stands_for_neither() {
    let mut tables = Tables::default();
    tables.add(table("b.cu", 11, 2, &[site(7, "b"), site(8, "b")]));
    tables.add(table("a.cu", 10, 1, &[site(1, "a"), site(2, "a")]));
    assert_eq!(lines(&tables.find(10)), ["a.cu:1"]);
    assert_eq!(lines(&tables.find(11)), ["a.cu:2", "b.cu:7"]);
    assert_eq!(lines(&tables.find(12)), ["b.cu:8"]);
    assert_eq!(tables.find(13), SitesOf::Nothing);
    assert_eq!(tables.find(0), SitesOf::Nothing);
    assert_eq!(tables.site(11), None);
}

#[test]
fn a_long_table_is_found_behind_short_ones() {
    let mut tables = Tables::default();
    let many: Vec<_> = (1..=100).map(|line| site(line, "a")).collect();
    tables.add(table("a.cu", 1, 1, &many));
    for base in [200, 300] {
        tables.add(table("b.cu", base, 2, &[site(1, "b")]));
    }
    assert_eq!(lines(&tables.find(100)), ["a.cu:100"]);
    assert_eq!(lines(&tables.find(300)), ["b.cu:1"]);
}

#[test]
fn the_table_of_a_header_counts_once() {
    let mut tables = Tables::default();
    for _ in 0..2 {
        tables.add(table("a.h", 5, 1, &[site(1, "a")]));
    }
    assert_eq!(tables.iter().count(), 1);
    assert_eq!(lines(&tables.find(5)), ["a.h:1"]);
    // By chance another table has the same place under the same number.
    tables.add(table("a.h", 5, 2, &[site(1, "a"), site(2, "c")]));
    assert_eq!(lines(&tables.find(5)), ["a.h:1"]);
}

#[test]
fn bases_follow_from_the_text() {
    assert_eq!(by_content("a", 10), by_content("a", 10));
    assert_ne!(by_content("a", 10), by_content("b", 10));
    for text in ["", "x", "yz"] {
        let Numbering::Given { base, key } = by_content(text, 1 << 20) else {
            panic!("no numbers for {text:?}");
        };
        assert!(base >= 1 && base + (1 << 20) <= 1 << SITE_BITS);
        assert!(key < 1 << 44);
    }
}

#[test]
fn damaged_tables() {
    assert_eq!(carried::parse(b""), (Vec::new(), true));
    assert_eq!(carried::parse(b"HRTABLE1"), (Vec::new(), false));
    assert_eq!(
        carried::parse(b"HRTABLE1\x04\0\0\0\0\0\0\0"),
        (Vec::new(), false)
    );
    assert_eq!(
        carried::parse(b"HRTABLE1\xff\xff\xff\xff"),
        (Vec::new(), false)
    );
}

#[test]
fn places_in_a_file() {
    let source = "\u{feff}ä = 1;\nb = 22;\n";
    let mut sites = [site(1, "ä"), site(2, "22")];
    sites[1].column = 5;
    carried::locate(&mut sites, source);
    assert_eq!(&source[sites[0].range.clone()], "ä");
    assert_eq!(&source[sites[1].range.clone()], "22");
}

#[test]
fn functions_of_other_files_are_known() {
    let call = |name: &str| NotMonitored {
        file: "a.cu".to_owned(),
        line: 2,
        reason: outside_project(name),
        accesses: 1,
    };
    let mut caller = table("a.cu", 1, 1, &[]);
    caller.notes.not_monitored = vec![call("k"), call("unknown")];
    caller.notes.coverage.not_monitored = 2;
    let mut tables = Tables::default();
    tables.add(caller);
    tables.add(table("b.cu", 9, 2, &[site(1, "x")]));
    tables.link();
    let notes = &tables.iter().next().expect("a table").notes;
    assert_eq!(notes.not_monitored, [call("unknown")]);
    assert_eq!(notes.coverage.not_monitored, 1);
}
