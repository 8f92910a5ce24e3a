//! `cargo xtask` and `cargo test --workspace` enable the same features of what both compile.
//!
//! Cargo compiles a crate again for each set of features, and all crates that depend on it. These
//! two commands would do so for the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The features of each package, as cargo resolves them for `packages`: one set for programs, and
/// one for what runs at compile time.
fn features(packages: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--prefix", "none"])
        .args(["--format", "{p}|{f}"])
        .args(packages)
        .current_dir(xtask::root())
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        if let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') {
            let sets = found.entry(package.to_owned()).or_default();
            sets.insert(features.to_owned());
        }
    }
    found
}

#[test]
fn xtask_and_the_workspace_share_what_they_compile() {
    let xtask = features(&["--package", "xtask", "--edges", "normal,build"]);
    let workspace = features(&["--workspace", "--edges", "normal,build,dev"]);
    let differing: Vec<String> = xtask
        .iter()
        .filter(|(package, sets)| workspace.get(*package) != Some(*sets))
        .map(|(package, sets)| format!("{package}: {sets:?}, {:?}", workspace.get(package)))
        .collect();
    assert!(
        differing.is_empty(),
        "xtask/Cargo.toml must enable the features of the workspace:\n{}",
        differing.join("\n")
    );
}
