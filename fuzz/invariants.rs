//! Invariants for every input, whether it is CUDA or not.
//!
//! The fuzz targets check them, and so do the tests of the instrumenter: with their own random
//! programs, and with every input that once broke it (`fuzz/regressions`).

use hirace::model::Backend;
use hirace::rewrite::Defines;
use hirace::rewrite::{
    DeviceLinkage, Facts, Instrumented, MonitorAll, Options, Skip, Source, instrument,
    is_instrumented,
};
use hirace::table::Numbering;

/// Instruments `text` for both backends and checks the invariants.
pub fn check(text: &str) {
    for backend in [Backend::Cpu, Backend::Gpu] {
        let defines = Defines::new();
        let source = Source {
            path: "fuzz.cu",
            text,
        };
        let facts = Facts::collect([&source], &defines);
        let options = Options {
            backend,
            numbering: Numbering::Given { base: 7, key: 7 },
            whole_program: true,
            linkage: DeviceLinkage::Unknown,
            location: None,
            selection: &MonitorAll,
            defines: &defines,
            skip: Skip::default(),
            prelude: &[],
            describe: false,
        };
        let result = instrument(&source, &facts, &options);
        untouched_text_stays(text, &result);
        let again = instrument(&source, &facts, &options);
        assert_eq!(result.text, again.text, "two runs differ");
        if result.text != text && result.errors.is_empty() {
            assert!(is_instrumented(&result.text), "would be instrumented again");
        }
    }
}

/// Removes the edits from the result: the original text must remain.
fn untouched_text_stays(text: &str, result: &Instrumented) {
    // A byte order mark stays in front of what is added.
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut rest = result.text.as_str();
    for edit in &result.edits {
        assert!(edit.range.start >= at, "edits overlap");
        let kept = &text[at..edit.range.start];
        let found = rest.find(kept).unwrap_or_else(|| {
            panic!(
                "text before {edit:?} is missing in\n{}\nfrom\n{text}",
                result.text
            )
        });
        rest = &rest[found + kept.len()..];
        let found = rest
            .find(&edit.text)
            .expect("the edit's text is in the result");
        rest = &rest[found + edit.text.len()..];
        let lines = text[edit.range.clone()].matches('\n').count();
        assert_eq!(
            lines,
            edit.text.matches('\n').count(),
            "an edit changes line breaks"
        );
        at = edit.range.end;
    }
    assert!(rest.contains(&text[at..]));
}
