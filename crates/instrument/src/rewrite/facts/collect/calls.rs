//! What functions call, and what else of a file that matters for it.

use hirace_ir::synchronisation::is_volatile;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::Function;

use super::Collector;
use crate::rewrite::facts::Signature;

impl Collector<'_> {
    /// Whether a function, or the declaration of it in its class, is one for the device.
    pub(super) fn is_on_device(&self, function: &Function<'_>) -> bool {
        let is_same = |it: &Signature| {
            it.class.is_some() && it.class == function.scope && it.qualifiers.on_device()
        };
        function.qualifiers.on_device() || self.facts.functions_called(&function.name).any(is_same)
    }

    /// Notes what a device function may do to order accesses, and what it calls.
    pub(super) fn summarise(&mut self, name: &str, node: Node<'_>) {
        let tokens = self.prepass.tokens_in(&node.range()).iter();
        let words = tokens.map(|it| it.text(self.source));
        let known = &mut self.facts.synchronisation;
        known.add(name, node, self.source, words);
    }

    /// Notes what text outside of device functions may add to what they do: volatile objects and types, and functions
    /// that initialisers and default arguments name, or whose addresses are taken. The device has no variables of the
    /// host, but templates may get their types.
    pub(super) fn note_others(&mut self, node: Node<'_>) {
        let tokens = self.prepass.tokens_in(&node.range()).iter();
        let words = || tokens.clone().map(|it| it.text(self.source));
        let memory =
            Qualifiers::DEVICE | Qualifiers::MANAGED | Qualifiers::SHARED | Qualifiers::CONSTANT;
        let is_of_host = match node.kind() {
            Kind::Declaration => !self.prepass.qualifiers_of(node).has(memory),
            kind => kind == Kind::FunctionDefinition,
        };
        let known = &mut self.facts.synchronisation;
        known.note_words(words());
        match (words().any(is_volatile), is_of_host) {
            (false, _) => {}
            (true, true) => known.note_volatile_type(),
            (true, false) => known.note_volatile_object(),
        }
    }

    /// Notes what the default arguments of a declared function name.
    fn note_default_arguments(&mut self, node: Node<'_>) {
        for it in node.descendants_of(Kind::OptionalParameterDeclaration) {
            let tokens = self.prepass.tokens_in(&it.range()).iter();
            let words = tokens.map(|it| it.text(self.source));
            self.facts.synchronisation.note_words(words);
        }
    }

    /// Notes what a declaration outside of functions may add: a variable's, or a function's default arguments.
    pub(super) fn note_declared(&mut self, node: Node<'_>) {
        // A pointer to a function is a variable.
        let mut functions = node.descendants_of(Kind::FunctionDeclarator);
        let is_pointer = |it: Node<'_>| {
            let inner = it.child(Field::Declarator);
            inner.is_some_and(|it| it.is(Kind::ParenthesizedDeclarator))
        };
        match functions.next() {
            Some(it) if !is_pointer(it) => self.note_default_arguments(node),
            _ => self.note_others(node),
        }
    }
}
