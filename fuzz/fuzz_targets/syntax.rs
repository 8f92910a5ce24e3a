//! Programs that look like CUDA: the sources of the tests, with pieces replaced by pieces of the
//! same kind from other sources, removed or repeated.

#![no_main]

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

#[path = "../invariants.rs"]
mod invariants;

/// Longer programs only make the fuzzer slow.
const MAX_BYTES: usize = 20_000;

/// The sources below `tests/ui` and in the folder `HIRACE_FUZZ_SOURCES`.
static SOURCES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui")];
    folders.extend(std::env::var_os("HIRACE_FUZZ_SOURCES").map(PathBuf::from));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let is_source = path
                .extension()
                .is_some_and(|extension| extension == "cu" || extension == "cuh");
            if path.is_dir() {
                folders.push(path);
            } else if is_source {
                files.push(path);
            }
        }
    }
    files.sort();
    files
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter(|text| text.len() < MAX_BYTES)
        .collect()
});

/// The named pieces of a text, with their kinds.
fn pieces(text: &str) -> Vec<(u16, Range<usize>)> {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_cuda::LANGUAGE.into())
        .expect("the grammar fits the parser");
    let mut pieces = Vec::new();
    let Some(tree) = parser.parse(text, None) else {
        return pieces;
    };
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.is_named() {
            pieces.push((node.kind_id(), node.byte_range()));
        }
        open.extend((0..node.child_count() as u32).filter_map(|index| node.child(index)));
    }
    pieces
}

fn mutated(choices: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let mut text = choices.choose(&SOURCES)?.clone();
    for _ in 0..choices.int_in_range(1..=6)? {
        let own = pieces(&text);
        if own.is_empty() {
            break;
        }
        let (kind, range) = choices.choose(&own)?.clone();
        match choices.int_in_range(0..=5)? {
            0 => text.replace_range(range, ""),
            1 => {
                let piece = text[range.clone()].to_owned();
                text.insert_str(range.end, &piece);
            }
            2 => {
                let (_, other) = choices.choose(&own)?.clone();
                let piece = text[other].to_owned();
                text.replace_range(range, &piece);
            }
            _ => {
                let other = choices.choose(&SOURCES)?;
                let same: Vec<_> = pieces(other)
                    .into_iter()
                    .filter(|(other, _)| *other == kind)
                    .collect();
                if !same.is_empty() {
                    let (_, other_range) = choices.choose(&same)?.clone();
                    text.replace_range(range, &other[other_range]);
                }
            }
        }
        if text.len() > MAX_BYTES {
            break;
        }
    }
    Ok(text)
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = mutated(&mut Unstructured::new(bytes)) {
        invariants::check(&text);
    }
});
