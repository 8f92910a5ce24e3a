//! The parts of Indigo's names: `conditional_edge_neighbors_warp_persistent_atomicBug` contains a
//! pattern, its options, and its bugs.

use super::Label;

/// The parts of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The code pattern.
    pub pattern: String,
    /// Options that are not bugs.
    pub options: Vec<String>,
    /// The planted bugs.
    pub bugs: Vec<String>,
    /// The correct verdict of a race checker.
    pub label: Label,
}

impl Named {
    /// Combines the name of a source and its chosen tags.
    #[must_use]
    pub fn new<'a>(stem: &str, tags: impl IntoIterator<Item = &'a str>) -> Self {
        let (pattern, mut options) = split_stem(stem);
        let mut bugs = Vec::new();
        for tag in tags {
            let list = if is_bug(tag) { &mut bugs } else { &mut options };
            list.push(tag.to_owned());
        }
        let label = label(&bugs);
        Self {
            pattern,
            options,
            bugs,
            label,
        }
    }

    /// Parses the name of a program in a directory called `directory`.
    ///
    /// Indigo puts the programs of a source into a directory with the source's name. Elsewhere the
    /// part before the first bug is the pattern.
    #[must_use]
    pub fn of_file(name: &str, directory: &str) -> Self {
        let is_of_source = name.strip_prefix(directory).is_some_and(|rest| {
            !directory.is_empty() && (rest.is_empty() || rest.starts_with('_'))
        });
        let stem = if is_of_source {
            directory
        } else {
            let bug = words(name).find(|&(_, word)| is_bug(word));
            let end = bug.map_or(name.len(), |(at, _)| at);
            name[..end].trim_end_matches(is_separator)
        };
        Self::new(stem, words(&name[stem.len()..]).map(|(_, word)| word))
    }
}

/// The pattern in the name of a source, and the other parts: how many neighbours are visited, and
/// by which threads.
fn split_stem(stem: &str) -> (String, Vec<String>) {
    let pieces: Vec<&str> = stem.split('_').collect();
    let neighbours = |piece: &&str| matches!(*piece, "neighbor" | "neighbors");
    match pieces.iter().position(neighbours) {
        Some(at) if at > 0 => {
            let pattern = pieces[..at].join("_");
            let pattern = pattern.strip_suffix("_node").unwrap_or(&pattern);
            let options = pieces[at..].iter().map(ToString::to_string).collect();
            (pattern.to_owned(), options)
        }
        _ => (stem.to_owned(), Vec::new()),
    }
}

/// The words of a name, with their positions.
fn words(name: &str) -> impl Iterator<Item = (usize, &str)> {
    name.split(is_separator)
        .map(move |word| (word.as_ptr() as usize - name.as_ptr() as usize, word))
        .filter(|(_, word)| !word.is_empty())
}

fn is_separator(character: char) -> bool {
    !character.is_alphanumeric()
}

/// The kind of bug that a tag names: its letters, in lower case.
fn kind(tag: &str) -> String {
    tag.trim_end_matches(|character: char| character.is_ascii_digit())
        .to_ascii_lowercase()
}

fn is_bug(tag: &str) -> bool {
    kind(tag).ends_with("bug")
}

/// The kind of bug that is an access out of bounds.
const OUT_OF_BOUNDS: &str = "boundsbug";

/// Whether one of these bugs is an access out of bounds.
#[must_use]
pub fn leaves_bounds(bugs: &[String]) -> bool {
    bugs.iter().any(|bug| kind(bug) == OUT_OF_BOUNDS)
}

/// The label of a program with these bugs. An access out of bounds is not a race.
#[must_use]
pub fn label(bugs: &[String]) -> Label {
    let kinds: Vec<String> = bugs.iter().map(|bug| kind(bug)).collect();
    let races = |kind: &String| {
        matches!(
            kind.as_str(),
            "atomicbug" | "syncbug" | "guardbug" | "racebug"
        )
    };
    if kinds.iter().any(races) {
        Label::Racy
    } else if kinds.iter().all(|kind| kind == OUT_OF_BOUNDS) {
        Label::Clean
    } else {
        Label::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(named: Named, pattern: &str, options: &[&str], bugs: &[&str], label: Label) {
        assert_eq!(named.pattern, pattern);
        assert_eq!(named.options, options);
        assert_eq!(named.bugs, bugs);
        assert_eq!(named.label, label);
    }

    #[test]
    fn sources_and_their_tags() {
        check(
            Named::new("pull_node_neighbors_warp", ["long", "persistent"]),
            "pull",
            &["neighbors", "warp", "long", "persistent"],
            &[],
            Label::Clean,
        );
        check(
            Named::new(
                "conditional_edge_neighbor",
                ["boundsBug", "last", "atomicBug"],
            ),
            "conditional_edge",
            &["neighbor", "last"],
            &["boundsBug", "atomicBug"],
            Label::Racy,
        );
        check(
            Named::new("path_compression", ["traverse"]),
            "path_compression",
            &["traverse"],
            &[],
            Label::Clean,
        );
    }

    #[test]
    fn files_in_a_directory_of_their_source() {
        check(
            Named::of_file("path_compression_long_raceBug", "path_compression"),
            "path_compression",
            &["long"],
            &["raceBug"],
            Label::Racy,
        );
        check(
            Named::of_file("push_node_neighbor", "push_node_neighbor"),
            "push",
            &["neighbor"],
            &[],
            Label::Clean,
        );
    }

    #[test]
    fn files_in_any_other_directory() {
        check(
            Named::of_file("reduce_shared_syncbug_v2", "programs"),
            "reduce_shared",
            &["v2"],
            &["syncbug"],
            Label::Racy,
        );
        check(
            Named::of_file("scan", "scans"),
            "scan",
            &[],
            &[],
            Label::Clean,
        );
        check(
            Named::of_file("scan-RACEBUG", "scan-"),
            "scan",
            &[],
            &["RACEBUG"],
            Label::Racy,
        );
        check(
            Named::of_file("größe_guardBug", ""),
            "größe",
            &[],
            &["guardBug"],
            Label::Racy,
        );
    }

    #[test]
    fn labels_follow_from_bugs() {
        let label_of =
            |bugs: &[&str]| label(&bugs.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(label_of(&[]), Label::Clean);
        assert_eq!(label_of(&["boundsBug"]), Label::Clean);
        assert_eq!(label_of(&["boundsBug", "SYNCBUG"]), Label::Racy);
        assert_eq!(label_of(&["raceBug2"]), Label::Racy);
        for bug in ["atomicBug", "syncBug", "guardBug", "raceBug"] {
            assert_eq!(label_of(&[bug]), Label::Racy, "{bug}");
        }
        assert_eq!(label_of(&["overflowBug"]), Label::Unknown);
    }
}
