//! Heads of functions that a macro produces as a whole: `KERNEL(add, int) { … }`.
//!
//! The grammar sees a function with the macro's name and without parameters. What the macro expands
//! to is parsed as a text of its own.

use std::collections::HashMap;

use hirace_syntax::Defines;
use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::prepass::Prepass;
use hirace_syntax::tree::{Field, Kind, Node, Tree};
use hirace_syntax::view::Function;

use super::{Facts, MacroText};

/// The maximum depth of macros within macros to follow.
const MAX_LEVELS: usize = 8;

/// Longest text to parse, in bytes.
const TEXT_LIMIT: usize = 64 << 10;

/// The head that one use of a macro produces, with an empty body.
pub(crate) struct MacroHead {
    pub(crate) text: String,
    prepass: Prepass,
    tree: Tree,
}

impl MacroHead {
    /// The head of `function`, if a macro produces it.
    pub(crate) fn of(
        facts: &Facts,
        function: &Function<'_>,
        prepass: &Prepass,
        source: &str,
    ) -> Option<Self> {
        let start = function.head.start();
        let tokens = prepass.tokens_in(&(start..function.body?.start()));
        let name = tokens.first()?.text(source);
        if !facts.aliases.maker(name).on_device() {
            return None;
        }
        let used = source.get(start..tokens.last()?.end)?;
        let definitions = facts.macros.get(name)?;
        definitions.iter().find_map(|it| {
            let text = format!("{} {{}}", facts.expanded_head(it, used, 0)?);
            let prepass = Prepass::run(&text, &Defines::default(), &facts.aliases);
            let tree = Tree::parse(&prepass.text, 0);
            let head = Self {
                text,
                prepass,
                tree,
            };
            head.function().is_some().then_some(head)
        })
    }

    /// The function that it declares.
    pub(crate) fn function(&self) -> Option<Function<'_>> {
        Function::of(self.node()?, &self.prepass, &self.text)
    }

    fn node(&self) -> Option<Node<'_>> {
        let mut nodes = self.tree.root().descendants();
        nodes.find(|it| it.is(Kind::FunctionDefinition))
    }

    /// The template parameters.
    pub(crate) fn template(&self) -> Option<Node<'_>> {
        let outer = self.node()?.parent()?;
        outer.child(Field::Parameters)
    }

    /// Whether it gives the function's linkage.
    pub(crate) fn gives_linkage(&self) -> bool {
        let words = self.text.split(|c: char| !c.is_ascii_alphanumeric());
        let mut words = words.take_while(|it| *it != "void");
        self.template().is_some() || words.any(|it| matches!(it, "static" | "extern" | "inline"))
    }
}

impl Facts {
    /// What the use `used` of the macro `definition` expands to. Of the macros in its body, only those
    /// that produce heads are expanded.
    fn expanded_head(&self, definition: &MacroText, used: &str, level: usize) -> Option<String> {
        let arguments = arguments(used);
        let mut given: HashMap<&str, String> = HashMap::new();
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        for (index, parameter) in parameters.iter().enumerate() {
            let text = match parameter.as_str() {
                "__VA_ARGS__" => arguments.get(index..).unwrap_or(&[]).join(", "),
                _ => (*arguments.get(index)?).to_owned(),
            };
            given.insert(parameter, text);
        }
        let text = substituted(&definition.body, &given);
        let tokens = lex_inline(&text).tokens;
        let inner = tokens.iter().enumerate().find(|(_, it)| {
            let word = it.text(&text);
            self.macros.contains_key(word)
                && self.aliases.maker(word).on_device()
                && self.aliases.treatment(word).is_none()
        });
        let Some((at, token)) = inner.filter(|_| level < MAX_LEVELS) else {
            return (text.len() <= TEXT_LIMIT).then_some(text);
        };
        let definition = self.macros.get(token.text(&text))?.first()?;
        let end = match definition.parameters {
            Some(_) => tokens[closing(&text, &tokens, at + 1)?].end,
            None => token.end,
        };
        let expanded = self.expanded_head(definition, &text[token.start..end], level + 1)?;
        Some(format!(
            "{}{expanded}{}",
            &text[..token.start],
            &text[end..]
        ))
    }
}

/// A macro's body with what is given for its parameters.
fn substituted(body: &str, given: &HashMap<&str, String>) -> String {
    let mut text = String::new();
    let mut end = 0;
    let mut pasted = true;
    for token in lex_inline(body).tokens {
        let word = token.text(body);
        if word == "##" {
            pasted = true;
            continue;
        }
        if !pasted {
            text.push_str(&body[end..token.start]);
        }
        text.push_str(given.get(word).map_or(word, String::as_str));
        (end, pasted) = (token.end, false);
    }
    text
}

/// The arguments in a use of a macro.
fn arguments(used: &str) -> Vec<&str> {
    let tokens = lex_inline(used).tokens;
    let Some(close) = closing(used, &tokens, 1) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = tokens[1].end;
    for token in &tokens[2..=close] {
        match token.text(used) {
            "," if depth == 0 => {
                found.push(used[start..token.start].trim());
                start = token.end;
            }
            ")" if depth == 0 => found.push(used[start..token.start].trim()),
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// The parenthesis that closes the one at `open`.
fn closing(text: &str, tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut rest = tokens.iter().enumerate().skip(open);
    let found = rest.find(|(_, it)| {
        if it.kind == TokenKind::Punct {
            match it.text(text) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        depth == 0
    });
    found.map(|it| it.0).filter(|it| *it > open)
}
