//! The committed device table is the one that the specification emits.

use std::path::Path;

use hirace_fsm::emit::cuda;

#[track_caller]
fn check(file: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == expected,
        "{} differs from the specification; run `cargo xtask codegen`",
        path.display()
    );
}

#[test]
fn committed_header_is_current() {
    check("device/hirace/generated/fsm_table.h", &cuda::header());
}
