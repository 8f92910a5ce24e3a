//! Files as URIs.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use serde_json::{Value, json};

use super::compact;
use crate::fingerprint::relative;
use hirace_model::paths::folded;

/// The base of relative URIs.
pub(super) const BASE_ID: &str = "SRCROOT";

/// Characters that need no escape in the path of a URI (RFC 3986, `pchar` and `/`), except the
/// colon, which would end a scheme in the first segment of a relative one.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b'+')
    .remove(b'=')
    .remove(b'@')
    .remove(b',');

/// The working directory of the check.
pub(super) struct Base<'a>(Option<&'a Path>);

impl<'a> Base<'a> {
    pub fn of(directory: Option<&'a Path>) -> Self {
        Self(directory.filter(|it| it.is_absolute()))
    }

    /// The directory, for the table of bases.
    pub fn location(&self) -> Value {
        compact(json!({
            "uri": self.uri(),
            "description": { "text": "the directory that the check was run in" },
        }))
    }

    /// The directory, if it is known.
    pub fn directory(&self) -> Option<Value> {
        self.uri().map(|uri| json!({ "uri": uri }))
    }

    fn uri(&self) -> Option<String> {
        let mut uri = absolute(self.0?);
        if !uri.ends_with('/') {
            uri.push('/');
        }
        Some(uri)
    }

    /// A place in a file. Lines and columns count from 1.
    pub fn place(&self, file: &str, line: Option<u32>, columns: [Option<u32>; 2]) -> Value {
        let [column, end] = columns;
        let region = line
            .map(|it| compact(json!({ "startLine": it, "startColumn": column, "endColumn": end })));
        compact(json!({ "artifactLocation": self.file(file), "region": region }))
    }

    /// A file as the user named it.
    fn file(&self, name: &str) -> Value {
        let path = match self.0 {
            // A relative URI must not contain `..`.
            Some(directory) => folded(&directory.join(name)),
            None => PathBuf::from(name),
        };
        let name = path.to_string_lossy();
        let inside = relative(&name, self.0);
        if Path::new(inside).is_absolute() {
            return json!({ "uri": absolute(&path) });
        }
        let uri = utf8_percent_encode(inside, PATH).to_string();
        json!({ "uri": uri, "uriBaseId": BASE_ID })
    }
}

fn absolute(path: &Path) -> String {
    let path = path.to_string_lossy();
    format!("file://{}", utf8_percent_encode(&path, PATH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_to_uris() {
        for (directory, name, expected) in [
            (Some("/w"), "a.cu", ("a.cu", true)),
            (Some("/w"), "./s/a b#1%.cu", ("s/a%20b%231%25.cu", true)),
            (Some("/w"), "/w/s/../ä:.cu", ("%C3%A4%3A.cu", true)),
            (Some("/w"), "../v/a.cu", ("file:///v/a.cu", false)),
            (Some("/w"), "/v/a.cu", ("file:///v/a.cu", false)),
            (None, "s/a.cu", ("s/a.cu", true)),
            (None, "/v/a.cu", ("file:///v/a.cu", false)),
        ] {
            let found = Base::of(directory.map(Path::new)).file(name);
            let relative = found.get("uriBaseId").is_some();
            assert_eq!(
                (found["uri"].as_str(), relative),
                (Some(expected.0), expected.1)
            );
        }
        let base = Base::of(Some(Path::new("/w x")));
        assert_eq!(base.uri().as_deref(), Some("file:///w%20x/"));
    }
}
