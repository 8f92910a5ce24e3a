//! The length-preserving pass before the grammar.
//!
//! It blanks everything that the grammar cannot parse: directives, dropped `#if` branches,
//! qualifiers and attributes, line splices. Offsets stay those of the original text, so edits found
//! in the tree apply to it.

use std::collections::HashSet;

use super::alias::Aliases;
use super::defines::{Defines, RELAXED_CONSTEXPR};
use super::directives::{self, Directives, MacroDefinition};
use super::lexer::{self, Lexed};
use super::repair::repair;

mod mask;

pub use super::masked::{Prepass, SyntaxProblem};

/// The macros of a file.
pub struct Definitions {
    pub macros: Vec<MacroDefinition>,
    /// Names that conditions test.
    pub tested_names: HashSet<String>,
}

/// Reads a file's macros, and nothing else.
pub fn definitions(source: &str, defines: &Defines) -> Definitions {
    let lexed = lexer::lex(source);
    let directives = directives::read(source, &lexed.tokens, defines);
    Definitions {
        macros: directives.macros,
        tested_names: directives.tested_names,
    }
}

impl Prepass {
    /// Runs the pass.
    pub fn run(source: &str, defines: &Defines, aliases: &Aliases) -> Self {
        let lexed = lexer::lex(source);
        let directives = directives::read(source, &lexed.tokens, defines);
        let problems = [lexed.unterminated, directives.unbalanced];
        let mut pass = Self::unmasked(source, lexed, directives);
        pass.relaxed_constexpr = defines.is_given(RELAXED_CONSTEXPR);
        if source.starts_with('\u{feff}') {
            pass.blank(0..3);
        }
        for (offset, message) in problems.into_iter().flatten() {
            pass.problem(offset, message);
        }
        pass.mask(source, aliases);
        // If branches were chosen by a guess, the wrong guess may be the cause of the mismatch.
        if !pass.is_open() {
            pass.check_braces(source, aliases);
        }
        repair(&mut pass, source, aliases, false);
        pass
    }

    fn unmasked(source: &str, lexed: Lexed, directives: Directives) -> Self {
        Self {
            text: source.as_bytes().to_vec(),
            tokens: lexed.tokens,
            comments: lexed.comments,
            directives,
            marks: Vec::new(),
            assignments: Vec::new(),
            packs: Vec::new(),
            problems: Vec::new(),
            relaxed_constexpr: false,
        }
    }

    fn problem(&mut self, offset: usize, message: &str) {
        self.problems.push(SyntaxProblem {
            offset,
            message: message.to_owned(),
        });
    }

    /// The same for a macro's body alone: `#x` becomes a string and `a ## b` a name.
    pub fn of_macro(body: &str, aliases: &Aliases) -> Self {
        Self::of_body(body, aliases, true)
    }

    /// The same for a macro's body that consists of declarations.
    pub fn of_declaring_macro(body: &str, aliases: &Aliases) -> Self {
        Self::of_body(body, aliases, false)
    }

    fn of_body(body: &str, aliases: &Aliases, in_code: bool) -> Self {
        let lexed = lexer::lex_inline(body);
        let directives = Directives {
            live: vec![true; lexed.tokens.len()],
            ..Directives::default()
        };
        let mut pass = Self::unmasked(body, lexed, directives);
        pass.mask(body, aliases);
        for index in 0..pass.tokens.len() {
            let next = pass.tokens.get(index + 1).copied();
            match (pass.tokens[index].text(body), next) {
                ("##", Some(next)) => {
                    let start = index.checked_sub(1).map_or(0, |it| pass.tokens[it].end);
                    pass.text[start..next.start].fill(b'_');
                }
                ("#", Some(next)) => {
                    pass.text[pass.tokens[index].start] = b'"';
                    pass.text[next.end - 1] = b'"';
                }
                _ => {}
            }
        }
        repair(&mut pass, body, aliases, in_code);
        pass
    }
}
