//! The codes of findings: what each stands for, and its page.
//!
//! The pages are those of `docs/rules`. The executable carries them, for `hirace explain`, for the
//! HTML report and as SARIF rules.

/// A code that a report can use. It keeps its meaning from version to version.
#[derive(Debug)]
pub(super) struct Code {
    /// Such as `HR001`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its page, in Markdown.
    pub page: &'static str,
}

macro_rules! codes {
    ($($name:literal: $title:literal),* $(,)?) => {
        [$(Code {
            name: $name,
            title: $title,
            page: include_str!(concat!("../rules/", $name, ".md")),
        }),*]
    };
}

/// The code of a race that this schedule did not show.
pub(super) const PREDICTED: &str = "HR016";
/// The code of lanes that exchange values without a barrier.
pub(super) const LOCKSTEP: &str = "HF023";

/// The codes of races.
pub(super) static RACES: [Code; 18] = codes! {
    "HR001": "missing block barrier",
    "HR002": "missing warp barrier",
    "HR003": "unordered accesses by different blocks",
    "HR004": "atomic mixed with plain access",
    "HR005": "atomic of too narrow a scope",
    "HR006": "same location written by several threads",
    "HR007": "partially overlapping accesses",
    "HR008": "unordered accesses by different launches",
    "HR009": "flag read without acquire",
    "HR010": "flag written without release",
    "HR011": "synchronisation of too narrow a scope",
    "HR012": "asynchronous copy not waited for",
    "HR013": "warp barrier that excludes a lane",
    "HR014": "atomic operations of different sizes",
    "HR015": "access outside a release or acquire",
    "HR016": "accesses ordered only by the order of locking",
    "HR017": "host access before work is complete",
    "HR018": "texture or surface read after a write in the same launch",
};

/// The codes of faults, by their number in the records (`Fault` in `hirace_model::wire::numbers`), from 1.
pub(super) static FAULTS: [Code; 23] = codes! {
    "HF001": "access out of bounds",
    "HF002": "access to freed memory",
    "HF003": "access to an illegal address",
    "HF004": "threads wait for one another forever",
    "HF005": "assertion failed",
    "HF006": "trap",
    "HF007": "stack overflow",
    "HF008": "invalid kernel launch",
    "HF009": "abort",
    "HF010": "division by zero",
    "HF011": "misaligned access",
    "HF012": "read of unwritten memory",
    "HF013": "host access to device memory",
    "HF014": "threads of a block at different barriers",
    "HF015": "barrier after threads have exited",
    "HF016": "mask without the calling lane",
    "HF017": "lanes of a mask reach different calls",
    "HF018": "shuffle from a lane that does not participate",
    "HF019": "threads poll forever",
    "HF020": "shared memory of a block that may not run",
    "HF021": "warp function without a mask",
    "HF022": "grid barrier in a launch that is not cooperative",
    "HF023": "lanes that count on lockstep",
};

/// All codes, races before faults.
pub(super) fn all() -> impl Iterator<Item = &'static Code> {
    RACES.iter().chain(&FAULTS)
}

/// The code of that name, in upper or lower case.
pub(super) fn find(name: &str) -> Option<&'static Code> {
    all().find(|code| code.name.eq_ignore_ascii_case(name))
}

impl Code {
    /// The paragraphs of its page that describe it, each as one line.
    pub fn description(&self) -> String {
        let page = self.page.split_once("\n## What it does\n");
        let body = page.map_or("", |it| it.1);
        let body = body.split("\n## ").next().unwrap_or_default();
        let one_line = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        let paragraph = |it: &str| {
            it.split("\n- ")
                .map(one_line)
                .collect::<Vec<_>>()
                .join("\n- ")
        };
        let paragraphs: Vec<_> = body.trim().split("\n\n").map(paragraph).collect();
        without_links(&without_emphasis(&paragraphs.join("\n\n")))
    }

    /// The first sentence of its description.
    pub fn summary(&self) -> String {
        let description = self.page.split_once("## What it does\n\n");
        let words: Vec<_> = description
            .map_or("", |it| it.1)
            .split_whitespace()
            .collect();
        let text = words.join(" ");
        let end = text.find(". ").map_or(text.len(), |at| at + 1);
        text[..end].to_owned()
    }
}

/// A text in Markdown without the asterisks of emphasis; those in code stay.
fn without_emphasis(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(index, part)| match index % 2 {
        0 => part.replace('*', ""),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// A text in Markdown with the words of links only: their targets are pages beside this one.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        out.push_str(before);
        let target = link.split_once("](").and_then(|(words, target)| {
            let (_, after) = target.split_once(')')?;
            (!words.contains(['[', ']'])).then_some((words, after))
        });
        match target {
            Some((words, after)) => {
                out.push_str(words);
                rest = after;
            }
            None => {
                out.push('[');
                rest = link;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_words() {
        let plain = |text: &str| without_links(text);
        assert_eq!(
            plain("is [HR011](HR011.md). `a[i]` (x)"),
            "is HR011. `a[i]` (x)"
        );
        assert_eq!(plain("`s[t]` and [one](two.md)"), "`s[t]` and one");
        for code in all() {
            assert!(!code.description().contains("]("), "{}", code.name);
        }
    }

    #[test]
    fn every_page_has_the_title_of_its_code() {
        for code in all() {
            let first = code.page.lines().next().unwrap_or_default();
            assert_eq!(first, format!("# {}: {}", code.name, code.title));
        }
    }

    #[test]
    fn races_are_explained_in_four_parts() {
        for code in &RACES {
            for part in [
                "## What it does",
                "## Why it is bad",
                "## Example",
                "## Repaired",
            ] {
                assert!(code.page.contains(part), "{} lacks {part}", code.name);
            }
        }
    }
}
