//! How a program receives its input and its launch shape.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;

/// The arguments of a program, with the placeholders `{graph}`, `{threads}` and `{blocks}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments(Vec<Vec<Piece>>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Graph,
    Threads,
    Blocks,
}

impl Default for Arguments {
    /// The arguments of Indigo's programs: the graph, threads per block, blocks.
    fn default() -> Self {
        Self(vec![
            vec![Piece::Graph],
            vec![Piece::Threads],
            vec![Piece::Blocks],
        ])
    }
}

impl Arguments {
    /// Parses a template, one text per argument.
    ///
    /// # Errors
    /// A brace opens something other than these placeholders; the message names it.
    pub fn parse(template: &[String]) -> Result<Self, String> {
        template
            .iter()
            .map(|argument| pieces(argument))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether the program takes a graph.
    #[must_use]
    pub fn take_graph(&self) -> bool {
        self.0.iter().flatten().any(|piece| *piece == Piece::Graph)
    }

    /// Whether the program takes a launch shape.
    #[must_use]
    pub fn take_shape(&self) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|piece| matches!(piece, Piece::Threads | Piece::Blocks))
    }

    /// The arguments for one run.
    #[must_use]
    pub fn fill(&self, graph: &Path, threads: u32, blocks: u32) -> Vec<OsString> {
        let fill = |argument: &Vec<Piece>| {
            let mut filled = OsString::new();
            for piece in argument {
                match piece {
                    Piece::Text(text) => filled.push(text),
                    Piece::Graph => filled.push(graph),
                    Piece::Threads => filled.push(threads.to_string()),
                    Piece::Blocks => filled.push(blocks.to_string()),
                }
            }
            filled
        };
        self.0.iter().map(fill).collect()
    }

    /// The template, one text per argument.
    #[must_use]
    pub fn template(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|argument| argument.iter().map(ToString::to_string).collect())
            .collect()
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Graph => f.write_str("{graph}"),
            Self::Threads => f.write_str("{threads}"),
            Self::Blocks => f.write_str("{blocks}"),
        }
    }
}

/// Splits an argument into pieces; a doubled brace is a literal brace.
fn pieces(argument: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = argument;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
            continue;
        }
        let name = rest.split_once('}').filter(|_| brace == "{");
        let piece = match name.map(|(name, _)| name) {
            Some("graph") => Piece::Graph,
            Some("threads") => Piece::Threads,
            Some("blocks") => Piece::Blocks,
            _ => {
                return Err(format!(
                    "`{argument}` has a brace that is none of {{graph}}, {{threads}} and \
                     {{blocks}}; a brace itself is written twice"
                ));
            }
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(piece);
        rest = name.expect("a piece has a name").1;
    }
    text.push_str(rest);
    if !text.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(template: &[&str]) -> Result<Arguments, String> {
        let template: Vec<String> = template.iter().map(ToString::to_string).collect();
        Arguments::parse(&template)
    }

    #[track_caller]
    fn check(template: &[&str], expect: &[&str]) {
        let arguments = parse(template).unwrap();
        assert_eq!(arguments.fill(Path::new("a b.egr"), 64, 2), expect);
        assert_eq!(arguments.template(), template);
    }

    #[test]
    fn placeholders_are_filled_anywhere() {
        check(
            &["{graph}", "{threads}", "{blocks}"],
            &["a b.egr", "64", "2"],
        );
        check(
            &["--graph={graph}", "{threads}x{blocks}"],
            &["--graph=a b.egr", "64x2"],
        );
        check(&[], &[]);
        check(&["", "{{graph}}", "}}{{{blocks}"], &["", "{graph}", "}{2"]);
    }

    #[test]
    fn what_a_program_takes_is_known() {
        assert_eq!(
            parse(&["{graph}", "{threads}", "{blocks}"]),
            Ok(Arguments::default())
        );
        let fixed = parse(&["-n", "10"]).unwrap();
        assert!(!fixed.take_graph() && !fixed.take_shape());
        let shape = parse(&["-t{threads}"]).unwrap();
        assert!(!shape.take_graph() && shape.take_shape());
    }

    #[test]
    fn other_braces_are_refused() {
        for wrong in ["{grph}", "{graph", "graph}", "{", "}", "{}"] {
            let message = parse(&[wrong]).unwrap_err();
            assert!(
                message.starts_with(&format!("`{wrong}` has a brace")),
                "{message}"
            );
        }
    }
}
