//! Functions that the grammar could not parse: listed as not monitored.

use crate::rewrite::context::Rewriter;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Kind, Node};

/// Longest head of a function, in bytes.
const HEAD_LIMIT: usize = 8192;

impl Rewriter<'_> {
    /// Rewrites that even an untouched function needs: on the CPU the compiler does not know
    /// `__shared__` arrays.
    pub(super) fn untouched(&mut self, body: Node<'_>) {
        let mut marked = self.prepass.within(body.range()).iter();
        if !marked.any(|mark| mark.qualifiers.has(Qualifiers::SHARED)) {
            return;
        }
        let mut waiting = vec![body];
        while let Some(node) = waiting.pop() {
            if node.is(Kind::Declaration) && !node.has_error() {
                if self.prepass.qualifiers_of(node).has(Qualifiers::SHARED) {
                    self.shared_declaration(node);
                }
                continue;
            }
            waiting.extend(node.named_children());
        }
    }

    /// Text at namespace scope that could not be parsed.
    pub(super) fn unread(&mut self, node: Node<'_>) {
        let marked = self.prepass.within(node.range());
        let leading = self.prepass.leading(node.start());
        let device = marked
            .iter()
            .chain(leading)
            .find(|mark| mark.qualifiers.on_device());
        if let Some(mark) = device {
            let reason = "device code that hirace cannot parse";
            let text = self.text(node);
            self.unread_function(mark.range.start, text, reason);
            self.unread.push(node.range());
        }
        self.items(node);
    }

    /// Lists the device functions that the passes above did not find: none may be omitted silently,
    /// whatever the reason.
    pub(crate) fn list_unseen_functions(&mut self) {
        let extents = self.extents.iter().map(|it| &it.range);
        let mut known: Vec<_> = extents.chain(&self.unread).cloned().collect();
        known.sort_by_key(|it| it.start);
        let mut known = known.into_iter().peekable();
        // How far the construct that starts at the qualifier, or before the next word, extends.
        let mut reach = 0;
        for mark in &self.prepass.marks {
            let start = mark.range.start;
            while let Some(range) = known.next_if(|it| it.start <= mark.next) {
                reach = reach.max(range.end);
            }
            if mark.qualifiers.on_device()
                && reach <= start
                && let Some(body) = self.body_after(mark.next)
            {
                reach = body.end;
                let reason = "device function that hirace cannot parse";
                let text = self.source.get(body).unwrap_or("");
                self.unread_function(start, text, reason);
            }
        }
    }

    /// Lists uses of macros that open or close blocks in device functions: the grammar sees another end of the function
    /// than the compiler.
    pub(crate) fn list_unbalanced_macros(&mut self) {
        let tokens = self
            .prepass
            .tokens
            .iter()
            .zip(&self.prepass.directives.live);
        let names = tokens.filter(|(it, live)| {
            let is_used = |range: &std::ops::Range<usize>| range.contains(&it.start);
            let mut on_device = self.extents.iter().filter(|it| it.on_device);
            **live
                && self.facts.aliases.is_unbalanced(it.text(self.source))
                && on_device.any(|it| is_used(&it.range))
        });
        let places: Vec<(usize, &str)> = names
            .map(|(it, _)| (it.start, it.text(self.source)))
            .collect();
        for (start, name) in places {
            let reason = format!("code after the macro `{name}`, which opens or closes a block");
            self.sites.not_monitored(start, reason);
        }
    }

    fn unread_function(&mut self, offset: usize, text: &str, reason: &str) {
        self.sites.not_read(offset, text, reason);
        self.sites.remarks.untouched += 1;
        self.sites.remarks.unread += 1;
    }

    /// The body of the function whose declaration starts at `start`, if it has one.
    fn body_after(&self, start: usize) -> Option<std::ops::Range<usize>> {
        let text = self.prepass.text.get(start..)?;
        let (mut parentheses, mut braces) = (0usize, 0usize);
        let mut parameters = false;
        let mut open = None;
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'(' => (parentheses, parameters) = (parentheses + 1, true),
                b')' => parentheses = parentheses.saturating_sub(1),
                b'{' if parentheses == 0 && parameters => {
                    braces += 1;
                    open.get_or_insert(start + at);
                }
                b'}' if parentheses == 0 && braces > 1 => braces -= 1,
                b'}' if parentheses == 0 => return open.map(|open| open..start + at + 1),
                b'{' | b';' | b'=' if parentheses == 0 && open.is_none() => return None,
                _ if at > HEAD_LIMIT && open.is_none() => return None,
                _ => {}
            }
        }
        open.map(|open| open..self.source.len())
    }
}
