//! Tokens of PTX (PTX ISA, "Syntax").

use std::ops::Range;

/// A token, by its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub range: Range<usize>,
    /// 1-based.
    pub line: u32,
}

impl Token {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.range.clone()]
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// The length of the token at the start of `bytes`: a word with its dots and `::`, a number, a string,
/// or one character. None for a string without an end.
///
/// A directive is one word: headers of CUDA have `.reg.b32 x;`.
fn length(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'"', rest @ ..] => {
            let mut at = 0;
            while *rest.get(at)? != b'"' {
                at += if rest[at] == b'\\' { 2 } else { 1 };
            }
            Some(at + 2)
        }
        [first, ..] if is_word(*first) || matches!(first, b'.' | b'%') => {
            let (mut at, is_directive) = (1, *first == b'.');
            loop {
                match bytes.get(at..) {
                    Some([byte, ..]) if is_word(*byte) => at += 1,
                    Some([b'.', next, ..]) if is_word(*next) && !is_directive => at += 2,
                    Some([b':', b':', next, ..]) if is_word(*next) => at += 3,
                    _ => return Some(at),
                }
            }
        }
        // One character, which may have several bytes.
        [_, rest @ ..] => Some(1 + rest.iter().take_while(|it| **it & 0xc0 == 0x80).count()),
        [] => None,
    }
}

/// Which `.loc` a line of inline assembly has.
///
/// LLVM writes one for each line of an `asm` statement, and counts the lines up from that of the statement,
/// although the source has them all in one place. Triton's loads and stores are such statements. So only the
/// first one of a statement counts.
#[derive(Clone, Copy, PartialEq)]
enum InlineAssembly {
    Outside,
    BeforeItsPlace,
    AfterItsPlace,
}

impl InlineAssembly {
    /// After a comment, which may begin or end a statement.
    fn after(self, comment: &[u8]) -> Self {
        match comment.trim_ascii() {
            b"// begin inline asm" => Self::BeforeItsPlace,
            b"// end inline asm" => Self::Outside,
            _ => self,
        }
    }
}

fn rest_of_line(rest: &[u8]) -> usize {
    let end = rest.iter().position(|it| *it == b'\n');
    end.unwrap_or(rest.len())
}

/// The tokens of `text`, without comments and without the places of lines of inline assembly but the first;
/// or the place of a comment or string without an end.
pub(crate) fn lex(text: &str) -> Result<Vec<Token>, (Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut tokens) = (0, 1, Vec::new());
    let mut inline = InlineAssembly::Outside;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let count = match rest {
            [b'/', b'/', ..] => {
                let count = rest_of_line(rest);
                inline = inline.after(&rest[..count]);
                count
            }
            [b'/', b'*', ..] => {
                let end = text[at..].find("*/");
                2 + end.ok_or((at..at + 2, "a comment without an end"))?
            }
            [first, ..] if first.is_ascii_whitespace() => 1,
            _ => {
                let count = length(rest).filter(|it| at + it <= bytes.len());
                let count = count.ok_or((at..at + 1, "a string without an end"))?;
                let is_place = &rest[..count] == b".loc";
                if is_place && inline == InlineAssembly::AfterItsPlace {
                    rest_of_line(rest)
                } else {
                    if is_place && inline == InlineAssembly::BeforeItsPlace {
                        inline = InlineAssembly::AfterItsPlace;
                    }
                    tokens.push(Token {
                        range: at..at + count,
                        line,
                    });
                    count
                }
            }
        };
        line += u32::try_from(rest[..count].iter().filter(|it| **it == b'\n').count()).unwrap_or(0);
        at += count;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::lex;

    #[test]
    fn a_statement_of_inline_assembly_has_one_place() {
        let text = ".loc 1 7 30\n// begin inline asm\n.loc 1 7 30\nmov.u32 %r1, 0;\n\
                    .loc 1 8 30 // x.py:8:30\nld.b32 %r1, [%rd1];\n// end inline asm\n.loc 1 9 1\n";
        let tokens = lex(text).expect("tokens");
        let places = tokens.iter().filter(|it| it.text(text) == ".loc");
        assert_eq!(places.map(|it| it.line).collect::<Vec<_>>(), [1, 3, 8]);
    }
}
