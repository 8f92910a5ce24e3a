//! What the results of functions, and the objects of classes, depend on besides arguments.
//!
//! All definitions of a name count, and all that they name: whether they mention `threadIdx`, or call what the program
//! does not define. Values in memory count as those of arguments; see [`hirace_ir::divergence`].

use std::collections::HashSet;

use hirace_ir::values::Dependence;
use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::names::{Meaning, is_pure, meaning, takes_numbers};
use hirace_syntax::tree::{Kind, Node};
use hirace_syntax::words::Words;

use crate::syntax::{Sources, Syntax};

/// Words by which values depend on the thread.
const OF_THREAD: Words = Words::of(
    "threadIdx asm __asm__ ## new clock clock64 globaltimer __activemask thread_rank thread_index",
);

/// Words before parentheses that call nothing, or what changes no result.
const HARMLESS: Words = Words::of(
    "if for while switch return sizeof alignof decltype noexcept static_cast reinterpret_cast const_cast assert \
     __attribute__ __launch_bounds__ operator printf",
);

/// Words before an expression that are no types.
const NO_TYPES: Words =
    Words::of("return else do and or not case throw new delete co_return co_yield co_await");

/// What was read so far.
pub(super) struct Dependences<'s> {
    sources: &'s Sources<'s>,
    seen: HashSet<String>,
    found: Dependence,
}

impl<'s> Dependences<'s> {
    pub fn of(sources: &'s Sources<'s>) -> Self {
        Self {
            sources,
            seen: HashSet::new(),
            found: Dependence::Arguments,
        }
    }

    /// What the functions or classes of a name depend on, if there are any.
    pub fn named(mut self, name: &str) -> Option<Dependence> {
        self.follow(name).then_some(self.found)
    }

    /// What a function with this text depends on.
    pub fn of_text(mut self, text: &str) -> Dependence {
        self.text(text);
        self.found
    }

    /// What the objects of the classes that a text names depend on.
    pub fn of_types(mut self, text: &str) -> Dependence {
        self.names_in(text);
        self.found
    }

    /// What the objects of a class depend on.
    pub fn of_class(mut self, syntax: &Syntax<'_>, class: Node<'_>) -> Dependence {
        self.class(syntax, class);
        self.found
    }

    fn note(&mut self, dependence: Dependence) {
        self.found = self.found.max(dependence);
    }

    /// Reads all functions, classes and aliases of a name; whether there is anything.
    fn follow(&mut self, name: &str) -> bool {
        let sources = self.sources;
        let is_new = self.seen.insert(format!("{name}()"));
        for (syntax, function) in sources.definitions(name).filter(|_| is_new) {
            self.text(syntax.node_text(function));
        }
        self.types(name)
    }

    /// Reads all classes and aliases of a name; whether there is anything, or a function.
    fn types(&mut self, name: &str) -> bool {
        let sources = self.sources;
        if !sources.all().any(|it| it.defines(name)) {
            return false;
        }
        if !self.seen.insert(name.to_owned()) {
            return true;
        }
        let mut is_class = false;
        for (syntax, class) in sources.classes(name) {
            is_class = true;
            self.class(syntax, class);
        }
        // Constructors may be defined outside of the class.
        for (syntax, function) in sources.definitions(name).filter(|_| is_class) {
            self.text(syntax.node_text(function));
        }
        for syntax in sources.all() {
            if let Some(alias) = syntax.alias(name) {
                self.names_in(syntax.node_text(alias));
                if let Some(class) = alias.descendants().find(|it| it.is_class()) {
                    self.class(syntax, class);
                }
            }
        }
        true
    }

    /// Members, bases, constructors and operators of a class.
    fn class(&mut self, syntax: &Syntax<'_>, class: Node<'_>) {
        let name = class.class_name().map(|it| syntax.node_text(it));
        for node in class.descendants() {
            let matters = match node.kind() {
                Kind::FieldDeclaration | Kind::Declaration | Kind::BaseClassClause => true,
                Kind::FunctionDefinition => syntax
                    .name(node)
                    .is_none_or(|it| is_read(it) || Some(it) == name),
                _ => false,
            };
            if matters {
                self.text(syntax.node_text(node));
            }
        }
    }

    /// What a text calls and mentions.
    fn text(&mut self, text: &str) {
        let tokens = lex_inline(text).tokens;
        for (index, token) in tokens.iter().enumerate() {
            let word = token.text(text);
            if updates_memory(&tokens, index, text) {
                self.note(Dependence::Thread);
            }
            if token.kind != TokenKind::Word && word != "##" {
                continue;
            }
            if OF_THREAD.has(word) {
                self.note(Dependence::Thread);
            } else if ["blockIdx", "block_rank", "group_index", "__shared__"].contains(&word)
                || self.sources.all().any(|it| it.shared_rank(word).is_some())
            {
                self.note(Dependence::Block);
            }
            let after = tokens.get(index + 1).map_or("", |it| it.text(text));
            let is_called = after == "(";
            // A variable may have the name of a function.
            let is_function = is_called || after == "<";
            let is_known = match is_function {
                true => self.follow(word),
                false => self.types(word),
            };
            let is_known = is_known || self.macros(word);
            if is_called && !is_known && !self.is_harmless(word) && !declares(&tokens, index, text)
            {
                self.note(Dependence::Thread);
            }
        }
    }

    /// What the classes and functions that a text names depend on.
    fn names_in(&mut self, text: &str) {
        for token in lex_inline(text).tokens {
            if token.kind == TokenKind::Word {
                self.types(token.text(text));
            }
        }
    }

    fn macros(&mut self, name: &str) -> bool {
        let sources = self.sources;
        let mut bodies = sources.macro_bodies(name).peekable();
        let is_macro = bodies.peek().is_some();
        if is_macro && self.seen.insert(name.to_owned()) {
            bodies.for_each(|it| self.text(it));
        }
        is_macro
    }

    fn is_harmless(&self, word: &str) -> bool {
        let changes_nothing = matches!(
            meaning(word),
            Some(Meaning::BlockBarrier | Meaning::Fence(_) | Meaning::HintedLoad)
        );
        HARMLESS.has(word)
            || is_pure(word)
            || takes_numbers(word)
            || changes_nothing && !word.starts_with("__syncthreads_")
    }
}

/// Whether a word before parentheses is a variable that is declared, or a member that is initialised: `int a(b)`,
/// `: a(b), c(d)`.
fn declares(tokens: &[Token], index: usize, text: &str) -> bool {
    let Some(before) = index.checked_sub(1).map(|it| &tokens[it]) else {
        return false;
    };
    let is_type = before.kind == TokenKind::Word && !NO_TYPES.has(before.text(text));
    is_type || [":", ","].contains(&before.text(text)) && !is_argument(tokens, index, text)
}

/// Whether a token begins `++` or `--` of what may be in memory of all threads, each of which gets another number:
/// `c[0]++`, `(*c)++`, `++*c`.
fn updates_memory(tokens: &[Token], index: usize, text: &str) -> bool {
    let at = |index: usize| tokens.get(index).map_or("", |it| it.text(text));
    let is_joined = |it: &Token| it.start == tokens[index].end;
    let is_twice = at(index) == at(index + 1) && tokens.get(index + 1).is_some_and(is_joined);
    let before = index.checked_sub(1).map_or("", at);
    let is_memory = [")", "]"].contains(&before) || ["*", "("].contains(&at(index + 2));
    ["+", "-"].contains(&at(index)) && is_twice && is_memory && before != "operator"
}

/// Whether a token is inside parentheses or braces that begin before it.
fn is_argument(tokens: &[Token], index: usize, text: &str) -> bool {
    let mut depth = 0;
    for token in tokens[..index].iter().rev() {
        match token.text(text) {
            ")" | "}" | "]" => depth += 1,
            "(" | "{" | "[" if depth == 0 => return true,
            "(" | "{" | "[" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Whether a function is an operator or a conversion that reads its operands; others are calls, or change an operand.
pub(super) fn is_read(name: &str) -> bool {
    let operator = name.strip_prefix("operator").map(str::trim);
    let compares = |it: &str| ["==", "!=", "<=", ">="].contains(&it);
    operator.is_some_and(|it| {
        let changes = it.ends_with('=') && !compares(it) || ["++", "--", "()"].contains(&it);
        !changes
    })
}
