//! A Python program that loads the library with ctypes.

use std::process::Command;

use crate::build::{library, root, run};

#[test]
fn python_loads_the_library() {
    let starts = Command::new("python3").arg("--version").output();
    if !starts.is_ok_and(|it| it.status.success()) {
        println!("skipped: no python3");
        return;
    }
    let text = run(Command::new("python3")
        .arg(root().join("crates/capi/tests/library/check.py"))
        .arg(library())
        .arg("tests/ptx")
        .current_dir(root()));
    assert_eq!(text, "checked\n");
}
