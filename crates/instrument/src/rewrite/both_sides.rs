//! Functions for host and device whose text differs between the two.
//!
//! nvcc compiles such a function twice, and defines `__CUDA_ARCH__` once. The executor compiles it once, for both
//! callers, so a condition on that name becomes one on the caller:
//!
//! ```text
//! #ifdef __CUDA_ARCH__         →  if (::hirace::cpu::in_kernel()) {
//!     return *p;
//! #else                        →  } else {
//!     return copied(p);
//! #endif                       →  }
//! ```
//!
//! Only where each branch consists of whole statements and declares nothing that is used behind it. Elsewhere the
//! device's branch remains for both.

use std::ops::Range;

use hirace_syntax::lexer::{Token, TokenKind};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Kind, Node};
use hirace_syntax::view::declarators;

use super::context::Rewriter;

/// A conditional on `__CUDA_ARCH__` in a function, by the positions of its directives among the tokens.
struct Conditional {
    begin: usize,
    otherwise: Option<usize>,
    end: usize,
    /// Whether the first branch is the device's.
    device_first: bool,
}

impl Rewriter<'_> {
    /// Lets a function for both sides choose by its caller.
    pub(super) fn choose_by_caller(
        &mut self,
        function: Node<'_>,
        body: Node<'_>,
        qualifiers: Qualifiers,
    ) {
        let both = qualifiers.has(Qualifiers::HOST) && qualifiers.has(Qualifiers::DEVICE);
        if !both || !self.on_cpu() || self.body.is_some() || qualifiers.has(Qualifiers::CONSTEXPR) {
            return;
        }
        if self
            .source
            .get(function.start()..body.start())
            .is_none_or(|it| it.contains("auto") || it.contains("constexpr"))
        {
            return;
        }
        let tokens: Vec<Token> = self.prepass.tokens_in(&body.range()).to_vec();
        for it in self.conditionals(&tokens) {
            if !self.can_choose(&tokens, &it, body) {
                continue;
            }
            let negation = if it.device_first { "" } else { "!" };
            self.replace(
                tokens[it.begin].start..tokens[it.begin].end,
                format!("if ({negation}::hirace::cpu::in_kernel()) {{"),
            );
            if let Some(otherwise) = it.otherwise {
                self.replace(tokens[otherwise].start..tokens[otherwise].end, "} else {");
            }
            self.replace(tokens[it.end].start..tokens[it.end].end, "}");
        }
    }

    /// The outermost conditionals on `__CUDA_ARCH__` that have at most two branches.
    fn conditionals(&self, tokens: &[Token]) -> Vec<Conditional> {
        let mut found = Vec::new();
        // Of each open conditional: where it begins, its `#else`, and whether there is an `#elif`.
        let mut open: Vec<(usize, Option<usize>, bool)> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Directive {
                continue;
            }
            let text = token.text(self.source).trim_start_matches('#').trim_start();
            match text.split(|it: char| !it.is_ascii_alphabetic()).next() {
                Some("if" | "ifdef" | "ifndef") => open.push((index, None, false)),
                Some("else") => {
                    if let Some(last) = open.last_mut() {
                        last.1 = Some(index);
                    }
                }
                Some("endif") => {
                    let Some((begin, otherwise, several)) = open.pop() else {
                        return Vec::new();
                    };
                    let side = device_branch(&self.directive(tokens[begin]));
                    if let Some(device_first) = side.filter(|_| open.is_empty() && !several) {
                        found.push(Conditional {
                            begin,
                            otherwise,
                            end: index,
                            device_first,
                        });
                    }
                }
                Some(word) if word.starts_with("elif") => {
                    if let Some(last) = open.last_mut() {
                        last.2 = true;
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// A directive without `#` and blanks.
    fn directive(&self, token: Token) -> String {
        let text = token.text(self.source).trim_start_matches('#');
        let text = text.split("//").next().unwrap_or("");
        text.chars()
            .filter(|it| !it.is_whitespace() && *it != '\\')
            .collect()
    }

    fn can_choose(&self, tokens: &[Token], it: &Conditional, body: Node<'_>) -> bool {
        let middle = it.otherwise.unwrap_or(it.end);
        let first = &tokens[it.begin + 1..middle];
        let second = &tokens[(middle + 1).min(it.end)..it.end];
        let (device, host) = if it.device_first {
            (first, second)
        } else {
            (second, first)
        };
        let text = |token: &Token| token.text(self.source);
        let before = it.begin.checked_sub(1).map(|at| text(&tokens[at]));
        let begins_statement = matches!(before, Some(";" | "{" | "}") | None);
        let whole = |branch: &[Token]| {
            let mut depth = 0i32;
            let balanced = branch.iter().all(|it| {
                match text(it) {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    _ => {}
                }
                depth >= 0
            });
            let mut code = branch.iter().filter(|it| it.kind != TokenKind::Directive);
            let odd = code
                .clone()
                .next()
                .is_some_and(|it| matches!(text(it), "else" | "case" | "default"));
            let ends = code
                .next_back()
                .is_none_or(|it| matches!(text(it), ";" | "}"));
            balanced && depth == 0 && ends && !odd
        };
        let range = tokens[it.begin].end..tokens[it.end].start;
        begins_statement
            && whole(device)
            && whole(host)
            && !self.declares_for_later(&range, &tokens[it.end..], body)
    }

    /// Whether a declaration in `range` may be used after it, by `later` tokens.
    fn declares_for_later(&self, range: &Range<usize>, later: &[Token], body: Node<'_>) -> bool {
        body.descendants_of(Kind::Declaration)
            .filter(|it| range.contains(&it.start()))
            .filter(|it| it.parent().is_some_and(|it| it.start() < range.start))
            .flat_map(|it| declarators(it, self.source))
            .filter_map(|it| it.name)
            .any(|name| {
                let name = self.text(name);
                later.iter().any(|it| it.text(self.source) == name)
            })
    }
}

/// Whether the first branch of a conditional is that of the device; none if its condition is another one.
fn device_branch(directive: &str) -> Option<bool> {
    const NAME: &str = "__CUDA_ARCH__";
    let plain: String = directive
        .chars()
        .filter(|it| !matches!(it, '(' | ')'))
        .collect();
    for (directive, device_first) in [("ifdef", true), ("ifndef", false)] {
        if plain.strip_prefix(directive) == Some(NAME) {
            return Some(device_first);
        }
    }
    let rest = plain.strip_prefix("if")?;
    if rest.strip_prefix("!defined") == Some(NAME) {
        return Some(false);
    }
    let rest = rest.strip_prefix("defined").unwrap_or(rest);
    let rest = rest.strip_prefix(NAME)?;
    let rest = rest
        .strip_prefix("&&")
        .and_then(|it| it.strip_prefix(NAME))
        .unwrap_or(rest);
    // The executor's version is 900, so up to that, the condition holds for the device.
    let version = rest.strip_prefix(">=").or_else(|| rest.strip_prefix('>'));
    let known =
        rest.is_empty() || version.is_some_and(|it| it.parse().is_ok_and(|it: u32| it <= 900));
    known.then_some(true)
}

#[cfg(test)]
mod tests {
    use super::device_branch;

    #[test]
    fn conditions_on_the_side() {
        for text in [
            "ifdef__CUDA_ARCH__",
            "ifdefined(__CUDA_ARCH__)",
            "if__CUDA_ARCH__",
            "if(__CUDA_ARCH__>=600)",
            "ifdefined(__CUDA_ARCH__)&&(__CUDA_ARCH__>=350)",
        ] {
            assert_eq!(device_branch(text), Some(true), "{text}");
        }
        for text in ["ifndef__CUDA_ARCH__", "if!defined(__CUDA_ARCH__)"] {
            assert_eq!(device_branch(text), Some(false), "{text}");
        }
        for text in [
            "ifdef__CUDACC__",
            "if__CUDA_ARCH__<600",
            "ifdefined(__CUDA_ARCH__)||N",
            "if__CUDA_ARCH__>=1000",
        ] {
            assert_eq!(device_branch(text), None, "{text}");
        }
    }
}
