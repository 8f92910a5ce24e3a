//! The pages behind the codes of a report. They lie in `docs/rules`, for readers of the
//! repository, and are carried in the executable.
//!
//! ```
//! use hirace::explain;
//!
//! let page = explain::page("HR001").unwrap();
//! assert!(page.starts_with("# HR001: missing block barrier"));
//! assert!(explain::page("HR999").is_none());
//! ```

use crate::report::{FAULTS, TITLES};

macro_rules! pages {
    ($($code:literal),* $(,)?) => {
        /// Code and text of every page.
        const PAGES: &[(&str, &str)] = &[$(
            ($code, include_str!(concat!("../docs/rules/", $code, ".md"))),
        )*];
    };
}

pages!(
    "HR001", "HR002", "HR003", "HR004", "HR005", "HR006", "HF001", "HF002", "HF003", "HF004",
    "HF005", "HF006", "HF007", "HF008", "HF009", "HF010", "HF011", "HF012", "HF013", "HF014",
    "HF015", "HF016", "HF017", "HF018", "HF019",
);

/// The page of a code, in Markdown; upper and lower case are the same.
#[must_use]
pub fn page(code: &str) -> Option<&'static str> {
    PAGES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(code))
        .map(|(_, text)| *text)
}

/// What a code's page says that it does: its paragraphs, each in one line.
pub(crate) fn description(code: &str) -> String {
    let page = page(code).unwrap_or_default();
    let body = page.split_once("\n## What it does\n").map_or("", |it| it.1);
    let body = body.split("\n## ").next().unwrap_or_default();
    let paragraphs = body.trim().split("\n\n");
    let lines: Vec<_> = paragraphs
        .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    lines.join("\n\n")
}

/// One line for each code.
#[must_use]
pub fn list() -> String {
    TITLES
        .iter()
        .chain(&FAULTS)
        .map(|(code, title)| format!("{code}  {title}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_with_its_title() {
        for (code, title) in TITLES.iter().chain(&FAULTS) {
            let page = page(code).unwrap_or_else(|| panic!("no page for {code}"));
            let first = page.lines().next().unwrap_or_default();
            assert_eq!(first, format!("# {code}: {title}"));
        }
        assert_eq!(PAGES.len(), TITLES.len() + FAULTS.len());
    }

    #[test]
    fn races_are_explained_in_four_parts() {
        for (code, _) in TITLES {
            let page = page(code).unwrap();
            for part in [
                "## What it does",
                "## Why it is bad",
                "## Example",
                "## Repaired",
            ] {
                assert!(page.contains(part), "{code} lacks {part}");
            }
        }
    }
}
