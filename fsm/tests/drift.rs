//! The committed header is the one that the specification emits.

use std::path::Path;

use hirace_fsm::emit::cuda::header;

#[test]
fn committed_header_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../device/hirace/generated/fsm_table.h");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == header(),
        "{} differs from the specification; run `cargo xtask codegen`",
        path.display()
    );
}
