//! The report as one HTML page that needs nothing else: no network and no other file.
//!
//! The page is a skeleton that contains the report as JSON. `data` creates the JSON, and the
//! scripts beside this file draw it. Names and source texts never become markup: the JSON has no
//! character with a meaning in HTML, the scripts turn it into text nodes, and the page's policy
//! allows only our own script and style, identified by their hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::model::Report;
use hirace_model::table::Texts;

mod data;
mod machine;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");

/// The scripts, in the order in which they form one module.
const SCRIPTS: [&str; 8] = [
    include_str!("html/dom.js"),
    include_str!("html/theme.js"),
    include_str!("html/source.js"),
    include_str!("html/threads.js"),
    include_str!("html/machine.js"),
    include_str!("html/detail.js"),
    include_str!("html/list.js"),
    include_str!("html/page.js"),
];

/// The report as a page. It contains the files with findings, as far as they are available.
#[must_use]
pub fn render(report: &Report, texts: &Texts) -> String {
    let script = SCRIPTS.concat();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'",
        hash(&script),
        hash(STYLE)
    );
    let parts = [policy, STYLE.to_owned(), json(report, texts), script];
    // Split first, so that inserted text is not searched for the mark.
    let mut page = String::new();
    let mut parts = parts.iter();
    for piece in PAGE.split("{part}") {
        page += piece;
        page += parts.next().map_or("", String::as_str);
    }
    page
}

/// How a policy names a script or a style.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// The data as JSON that is safe in a script element.
fn json(report: &Report, texts: &Texts) -> String {
    let text = data::page(report, texts).to_string();
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        // They occur in strings only.
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escaped += &format!("\\u{:04x}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skeleton_has_a_place_for_each_part() {
        assert_eq!(PAGE.matches("{part}").count(), 4);
    }

    /// A script with an end tag in it would end there.
    #[test]
    fn no_part_ends_its_element() {
        let script = SCRIPTS.concat();
        for text in [STYLE, &script] {
            for end in ["</s", "<!--"] {
                assert!(!text.contains(end), "{end}");
            }
        }
    }
}
