//! ARCHITECTURE.md and the documentation for developers name what is there.

use crate::source::read;

/// Lines that a bird's-eye view may have.
const MAX_LINES: usize = 165;

#[test]
fn architecture_is_short() {
    let lines = read(&xtask::root().join("ARCHITECTURE.md")).lines().count();
    assert!(lines <= MAX_LINES, "{lines} lines");
}

/// Whether there is something at `path`, which may end in `*` or have one in a folder's place.
fn is_there(path: &str) -> bool {
    let root = xtask::root();
    let (folder, name) = path
        .trim_end_matches('/')
        .rsplit_once('/')
        .unwrap_or(("", path));
    if !name.contains('*') {
        return root.join(path).exists();
    }
    let (before, after) = name.split_once('*').expect("a star");
    let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten();
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with(before) && (name.ends_with(after) || entry.path().is_dir())
    })
}

#[test]
fn named_paths_exist() {
    let folders = [
        "src/",
        "crates/",
        "device/",
        "fsm/",
        "murphi/",
        "tests/",
        "xtask/",
        "docs/",
        "bench/",
        "examples/",
        "graphs/",
        "indigo-harness/",
        "fuzz/",
    ];
    for file in ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/ui/README.md"] {
        let text = read(&xtask::root().join(file));
        let names = text.split('`').skip(1).step_by(2);
        let paths: Vec<&str> = names
            .filter(|name| folders.iter().any(|it| name.starts_with(it)))
            .filter(|name| !name.contains([' ', '…']) && !name.contains("nnn"))
            .collect();
        assert!(!paths.is_empty(), "{file} names no path");
        for path in paths {
            assert!(is_there(path), "{file} names {path}, which is not there");
        }
    }
}
