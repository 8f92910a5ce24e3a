//! Dependencies point downwards, and what only one crate may do, only that one does.

use crate::source::{Source, crates, read, sources};

/// The crates of ARCHITECTURE.md's table of folders, from the top down.
fn layers() -> Vec<String> {
    let text = read(&xtask::root().join("ARCHITECTURE.md"));
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let names = rows.flat_map(|row| {
        let folder = row.split('|').nth(1).unwrap_or_default();
        folder.split('`').skip(1).step_by(2)
    });
    names
        .filter_map(|name| name.strip_prefix("crates/"))
        .filter(|name| !name.contains('/'))
        .map(str::to_owned)
        .collect()
}

/// The names of a crate's dependencies, but for those of its tests.
fn dependencies(manifest: &str) -> Vec<String> {
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let table = manifest.get("dependencies").and_then(|it| it.as_table());
    table.map_or_else(Vec::new, |it| it.keys().cloned().collect())
}

#[test]
fn dependencies_point_downwards() {
    let layers = layers();
    for folder in crates() {
        let name = folder.file_name().expect("a name").to_string_lossy();
        let level = layers.iter().position(|it| *it == name);
        let level =
            level.unwrap_or_else(|| panic!("{name} is not in the table of ARCHITECTURE.md"));
        for dependency in dependencies(&read(&folder.join("Cargo.toml"))) {
            let Some(dependency) = dependency.strip_prefix("hirace-") else {
                continue;
            };
            if ["fsm", "memory-model"].contains(&dependency) {
                continue;
            }
            assert!(
                layers[level + 1..].iter().any(|it| it == dependency),
                "crates/{name} depends on {dependency}, which is not below it in ARCHITECTURE.md"
            );
        }
    }
}

#[test]
fn the_state_machine_depends_on_nothing() {
    let manifest = read(&xtask::root().join("fsm/Cargo.toml"));
    assert_eq!(dependencies(&manifest), [""; 0]);
}

/// Asserts that of all code that is shipped, only `allowed` contains one of `words`.
#[track_caller]
fn only(allowed: &str, words: &[&str]) {
    let (mut inside, mut outside) = (0, Vec::new());
    for source in ["src", "crates", "fsm/src", "graphs/src"]
        .iter()
        .flat_map(|folder| sources(folder, &["rs"]))
        .filter(|source| !source.is_test())
    {
        for (index, line) in source.code().enumerate() {
            if !words.iter().any(|word| line.contains(word)) {
                continue;
            }
            match source.path.starts_with(allowed) {
                true => inside += 1,
                false => outside.push(format!("{}:{}: {line}", source.path, index + 1)),
            }
        }
    }
    assert!(
        outside.is_empty(),
        "not in {allowed}:\n{}",
        outside.join("\n")
    );
    assert_ne!(
        inside, 0,
        "{words:?} occur nowhere: what does this test hold?"
    );
}

#[test]
fn only_syntax_names_tree_sitter() {
    only("crates/syntax/", &["tree_sitter"]);
    for folder in crates() {
        let has = dependencies(&read(&folder.join("Cargo.toml")))
            .iter()
            .any(|it| it.starts_with("tree-sitter"));
        assert_eq!(has, folder.ends_with("syntax"), "{}", folder.display());
    }
}

#[test]
fn only_toolchain_starts_processes() {
    only(
        "crates/toolchain/",
        &[
            "process::Command",
            "Command::new(",
            "process::{",
            ".spawn()",
        ],
    );
}

#[test]
fn only_doctor_opens_the_cuda_driver() {
    only("crates/doctor/", &["cudarc::"]);
}

#[test]
fn code_ends_where_tests_begin() {
    let source = Source {
        path: "crates/a/src/lib.rs".to_owned(),
        text: "// tree_sitter\nuse a;\n#[cfg(test)]\nmod tests;\n".to_owned(),
    };
    assert_eq!(source.code().collect::<Vec<_>>(), ["", "use a;"]);
}
