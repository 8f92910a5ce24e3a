use super::*;
use crate::finding::Place;
use crate::model::{Position, Severity};

#[track_caller]
fn rejected(text: &str, message: &str, at: &str) {
    let Err(Error::Suppression(mistake)) = syntax::parse("s", text) else {
        panic!("`{text}` was accepted");
    };
    let (found, span) = (mistake.message, mistake.span);
    assert!(found.contains(message), "{found}");
    let bytes = span.offset()..span.offset() + span.len();
    assert_eq!(&text[bytes], at, "{found}");
}

#[test]
fn mistakes_and_where_they_are() {
    rejected("# fine\nkernal:x\n", "`kernal` is not a type", "kernal");
    rejected("code:HR006 reduce", "not of the form", "reduce");
    rejected("code:HR0O6", "no code `HR0O6`", "HR0O6");
    rejected("kernel:", "the pattern is empty", "");
    rejected("kernel:a[", "bad pattern", "a[");
    rejected("file:\"a b", "unterminated quote", "\"a b");
    rejected("fingerprint:12:1", "not a fingerprint", "12:1");
    rejected("kernel:a kernel:b", "twice", "kernel:b");
}

/// Whether a line of suppressions matches a finding in a kernel `scan` of `src/deep/scan.cu`.
fn hides(line: &str) -> bool {
    let position = Position {
        file: Some("src/deep/scan.cu".to_owned()),
        variable: Some("s_data".to_owned()),
        ..Position::default()
    };
    let rules = syntax::parse("s", line).expect("no mistake");
    let suppressions = Suppressions { rules };
    let finding = Finding {
        code: "HR001",
        title: "",
        severity: Severity::Error,
        headline: String::new(),
        places: vec![Place {
            number: 1,
            label: String::new(),
            position: &position,
        }],
        main: Some(0),
        remarks: Vec::new(),
        help: "",
        kernel: Some("scan"),
        variable: None,
        object: Some("s_tile"),
        threads: [None; 2],
        launch: None,
        process: None,
        fingerprint: "0123456789abcdef:2",
        occurrences: 1,
        ended: false,
        race: None,
        allocation: None,
    };
    let found = suppressions.find(&finding).is_some();
    assert_eq!(found, suppressions.unused().next().is_none());
    found
}

#[test]
fn what_a_line_hides() {
    for line in [
        "code:HR001",
        "code:HR*",
        "kernel:scan",
        "kernel:s?an  # why",
        "file:scan.cu",
        "file:deep/scan.cu",
        "file:src/*",
        "file:\"src/deep/scan.cu\"",
        "variable:s_*",
        "fingerprint:0123456789abcdef:2",
        "variable:s_tile",
        "  code:HR001 kernel:scan file:*.cu variable:{s_data,other}\r\n",
    ] {
        assert!(hides(line), "{line}");
    }
    for line in [
        "code:HR002",
        "kernel:sca",
        "file:can.cu",
        "file:src",
        "variable:data",
        "fingerprint:0123456789abcdef:1",
        "code:HR001 kernel:other",
    ] {
        assert!(!hides(line), "{line}");
    }
}
