//! Modules side by side do not import one another in a circle.
//!
//! A module and the one that holds it may: the outer one names its parts, and these the types of
//! the whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Source, crates, sources};

type Path = Vec<String>;

/// For each folder of modules, which of them import which, and one file that does.
type Imports = BTreeMap<Path, BTreeMap<(String, String), String>>;

#[test]
fn modules_side_by_side_import_one_another_in_no_circle() {
    let mut folders: Vec<String> = crates()
        .iter()
        .map(|it| {
            format!(
                "crates/{}/src",
                it.file_name().expect("a name").to_string_lossy()
            )
        })
        .collect();
    folders.extend(
        [
            "src",
            "fsm/src",
            "graphs/src",
            "indigo-harness/src",
            "memory-model/src",
            "xtask/src",
        ]
        .map(str::to_owned),
    );
    let mut circles = Vec::new();
    for folder in folders {
        let sources = sources(&folder, &["rs"]);
        for (parent, imports) in imports(&folder, &sources) {
            for ((from, to), file) in &imports {
                if reaches(&imports, to, from) {
                    let parent = parent.join("::");
                    circles.push(format!("{folder} {parent}: {from} imports {to} ({file})"));
                }
            }
        }
    }
    assert!(
        circles.is_empty(),
        "imports in a circle:\n{}",
        circles.join("\n")
    );
}

fn reaches(imports: &BTreeMap<(String, String), String>, from: &str, to: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        if module == to {
            return true;
        }
        if seen.insert(module) {
            let next = imports.keys().filter(|(it, _)| it == module);
            open.extend(next.map(|(_, it)| it.as_str()));
        }
    }
    false
}

fn imports(folder: &str, sources: &[Source]) -> Imports {
    let modules: BTreeSet<Path> = sources.iter().map(|it| module(folder, it)).collect();
    let mut imports = Imports::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        let from = module(folder, source);
        for path in paths(source) {
            let Some(to) = resolve(&from, &path, &modules) else {
                continue;
            };
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
                let edges = imports.entry(from[..shared].to_vec()).or_default();
                edges
                    .entry((a.clone(), b.clone()))
                    .or_insert_with(|| source.path.clone());
            }
        }
    }
    imports
}

fn module(folder: &str, source: &Source) -> Path {
    let path = source.path.strip_prefix(folder).unwrap_or(&source.path);
    let path = path.trim_start_matches('/').trim_end_matches(".rs");
    let mut names: Path = path.split('/').map(str::to_owned).collect();
    let is_root = names
        .last()
        .is_some_and(|it| matches!(it.as_str(), "lib" | "main" | "mod"));
    if is_root {
        names.pop();
    }
    names
}

/// The module that a path leads to from another one.
fn resolve(from: &Path, path: &[String], modules: &BTreeSet<Path>) -> Option<Path> {
    let (mut base, rest) = match path.first()?.as_str() {
        "crate" => (Vec::new(), &path[1..]),
        "self" => (from.clone(), &path[1..]),
        "super" => (from.clone(), path),
        _ => return None,
    };
    let mut rest = rest.iter().peekable();
    while rest.next_if(|it| *it == "super").is_some() {
        base.pop()?;
    }
    for name in rest {
        base.push(name.clone());
        if !modules.contains(&base) {
            base.pop();
            break;
        }
    }
    Some(base)
}

/// The paths from `crate`, `super` or `self` that a source names, those in braces one by one.
fn paths(source: &Source) -> Vec<Path> {
    let text = source.code().collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_none_or(|it| !it.is_alphanumeric() && !matches!(it, '_' | ':' | '$')) {
                expand(&text[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads `a::b::{c, d::e}` from the start of `text`; returns what is left.
fn expand<'a>(mut text: &'a str, prefix: &mut Path, found: &mut Vec<Path>) -> &'a str {
    let depth = prefix.len();
    loop {
        text = text.trim_start();
        if let Some(mut inner) = text.strip_prefix('{') {
            loop {
                inner = expand(inner, prefix, found).trim_start();
                match inner.strip_prefix(',') {
                    Some(rest) => inner = rest,
                    None => break,
                }
            }
            prefix.truncate(depth);
            return inner.strip_prefix('}').unwrap_or(inner);
        }
        let end = text
            .find(|it: char| !it.is_alphanumeric() && it != '_')
            .unwrap_or(text.len());
        if end > 0 {
            prefix.push(text[..end].to_owned());
        }
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) if end > 0 => text = rest,
            _ => break,
        }
    }
    if prefix.len() > depth {
        found.push(prefix.clone());
    }
    prefix.truncate(depth);
    text
}

#[test]
fn paths_in_braces_are_read_one_by_one() {
    let source = Source {
        path: "src/a/b.rs".to_owned(),
        text: "use crate::{c::D, e};\nfn f() { super::g::h(x); }\n// crate::i\n".to_owned(),
    };
    let paths: Vec<String> = paths(&source).iter().map(|it| it.join("::")).collect();
    assert_eq!(paths, ["crate::c::D", "crate::e", "super::g::h"]);
}

#[test]
fn circles_are_found() {
    let source = |path: &str, text: &str| Source {
        path: format!("src/{path}"),
        text: text.to_owned(),
    };
    let sources = [
        source("lib.rs", "mod a; mod b;"),
        source("a.rs", "use crate::b::c::D;"),
        source("b.rs", "use super::E; mod c;"),
        source("b/c.rs", "use super::super::a::F; use super::G;"),
    ];
    let imports = imports("src", &sources);
    let edges = &imports[&Vec::<String>::new()];
    let names: Vec<_> = edges.keys().map(|(a, b)| format!("{a} {b}")).collect();
    assert_eq!(names, ["a b", "b a"]);
    assert!(reaches(edges, "a", "a"));
}
