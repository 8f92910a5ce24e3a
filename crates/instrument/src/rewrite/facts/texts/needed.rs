//! Which macros get further parameters.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use hirace_syntax::lexer::{Token, TokenKind, lex};

use super::definition::{Definition, inside};
use super::uses::Use;
use super::{Project, Slot, Texts, is_word};
use crate::rewrite::Source;

/// What all uses of the macros in question show.
#[derive(Default)]
struct Found {
    /// Macros with a use that cannot be changed.
    unfit: HashSet<String>,
    /// Macros with a use whose text may contain hooks.
    hooked: BTreeSet<String>,
    /// For each use, the words in an argument that becomes text.
    words: Vec<(Slot, HashSet<String>)>,
}

/// Tokens that uses are looked for in.
struct Stream<'a, 't> {
    text: &'a str,
    tokens: &'t [Token],
    /// The macro whose body they are.
    of: Option<&'t Definition<'a>>,
}

impl Texts {
    /// Chooses the macros that get further parameters. `evaluated` are the parameters that are evaluated and turned
    /// into text.
    pub(super) fn extend_macros(
        &mut self,
        files: &[&Source<'_>],
        project: &Project<'_>,
        evaluated: &HashSet<Slot>,
        on_device: &HashSet<String>,
    ) {
        let mut slots: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (name, slot) in evaluated {
            slots.entry(name.clone()).or_default().push(*slot);
        }
        slots.values_mut().for_each(|it| it.sort_unstable());
        let mut found = Found::default();
        for file in files {
            let tokens = lex(file.text).tokens;
            for token in tokens.iter().filter(|it| it.kind == TokenKind::Directive) {
                found.directive(file.text, *token, &slots);
            }
            let stream = Stream {
                text: file.text,
                tokens: &tokens,
                of: None,
            };
            self.note(&stream, &slots, on_device, &mut found);
        }
        for definition in &project.definitions {
            let stream = Stream {
                text: definition.text,
                tokens: &definition.body,
                of: Some(definition),
            };
            self.note(&stream, &slots, on_device, &mut found);
        }
        let mut waiting: Vec<String> = found.hooked.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            for occurrence in &project.occurrences[&name] {
                for (to, index) in &occurrence.passed {
                    let passes = evaluated.contains(&(to.clone(), *index));
                    if passes && found.hooked.insert(to.clone()) {
                        waiting.push(to.clone());
                    }
                }
            }
        }
        slots.retain(|name, _| found.hooked.contains(name) && !found.unfit.contains(name));
        // A text that is passed on is expanded, so no use of an extended macro may be in it.
        let passed_on = |(name, slot): &Slot| {
            let all = project.occurrences[name].iter();
            all.filter(|it| it.slot == *slot && !it.direct)
                .any(|it| it.passed.iter().any(|to| evaluated.contains(to)))
        };
        while let Some((name, _)) = found.words.iter().find_map(|(slot, words)| {
            let expands = slots.contains_key(&slot.0) && passed_on(slot);
            (expands && words.iter().any(|it| slots.contains_key(it))).then_some(slot)
        }) {
            slots.remove(name);
        }
        self.extended = slots;
    }

    fn note(
        &self,
        stream: &Stream<'_, '_>,
        slots: &BTreeMap<String, Vec<usize>>,
        on_device: &HashSet<String>,
        found: &mut Found,
    ) {
        let Stream { text, tokens, of } = stream;
        let uses = self.known_uses(text, tokens);
        let mut used: HashSet<usize> = HashSet::new();
        for call in uses.iter().filter(|it| slots.contains_key(it.name)) {
            if self.fits(call, stream) {
                used.insert(call.at);
            }
            for (index, range) in call.arguments.iter().enumerate() {
                let slot = self.slot_of(call.name, index);
                if !slots[call.name].contains(&slot) {
                    continue;
                }
                let argument = &tokens[range.start..range.end];
                if may_get_hooks(
                    text,
                    argument,
                    of.is_none() && on_device.contains(call.name),
                ) {
                    found.hooked.insert(call.name.to_owned());
                }
                let words = argument.iter().filter(|it| is_word(it));
                let words = words.map(|it| it.text(text).to_owned()).collect();
                found.words.push(((call.name.to_owned(), slot), words));
            }
        }
        for (at, token) in tokens.iter().enumerate().filter(|(_, it)| is_word(it)) {
            if slots.contains_key(token.text(text)) && !used.contains(&at) {
                found.unfit.insert(token.text(text).to_owned());
            }
        }
    }

    /// Whether text can be added to the arguments of a use.
    fn fits(&self, call: &Use<'_>, stream: &Stream<'_, '_>) -> bool {
        let Some(shape) = self.shapes.get(call.name) else {
            return false;
        };
        let Some(definition) = stream.of else {
            return call.fits(*shape, stream.text, stream.tokens);
        };
        let previous = call.at.checked_sub(1).map(|at| stream.tokens[at]);
        let joined = previous.is_some_and(|it| matches!(it.text(stream.text), "#" | "##"));
        // Nobody knows how many arguments `...` stands for.
        let mut all = call.arguments.iter().cloned().flatten();
        let counted = shape.named == 0
            || !shape.variadic
            || !all.any(|at| definition.slot(at) == Some(definition.named.len()));
        call.name != definition.name
            && definition.slot(call.at).is_none()
            && !joined
            && counted
            && call.fits(*shape, stream.text, stream.tokens)
    }
}

impl Found {
    /// A directive that is not a definition may name a macro only to test whether it is defined.
    fn directive(&mut self, text: &str, token: Token, slots: &BTreeMap<String, Vec<usize>>) {
        let tokens = inside(text, token);
        let word = |at: usize| tokens.get(at).map_or("", |it| it.text(text));
        if matches!(word(0), "define" | "undef" | "ifdef" | "ifndef") {
            return;
        }
        for at in 1..tokens.len() {
            let tested = word(at - 1) == "defined"
                || (at > 1 && word(at - 1) == "(" && word(at - 2) == "defined");
            if slots.contains_key(word(at)) && !tested {
                self.unfit.insert(word(at).to_owned());
            }
        }
    }
}

/// Whether an argument may get hooks: it may access memory, launch a kernel or call a function that has one.
fn may_get_hooks(text: &str, argument: &[Token], on_device: bool) -> bool {
    argument.iter().enumerate().any(|(at, token)| {
        let word = token.text(text);
        let next = argument.get(at + 1).map_or("", |it| it.text(text));
        let launches = word == "<" && next == "<";
        let calls = next == "(" && ["cu", "__"].iter().any(|it| word.starts_with(it));
        let is_scope = matches!(word, "thrust" | "cub");
        let accesses = match token.kind {
            TokenKind::Word => true,
            _ => matches!(word, "[" | "*" | "->" | "."),
        };
        launches || calls || is_scope || (on_device && accesses)
    })
}
