//! Loops and conditions.

use crate::rewrite::binding::Storage;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::Declarator;

impl Rewriter<'_> {
    pub(super) fn condition(&mut self, node: Node<'_>) {
        if !node.is(Kind::ConditionClause) {
            return self.expression(node, Role::Load);
        }
        for child in node.named_children() {
            match child.kind() {
                Kind::InitStatement => self.statements(child),
                Kind::Declaration => self.declaration(child),
                _ => self.expression(child, Role::Load),
            }
        }
    }

    pub(super) fn for_loop(&mut self, node: Node<'_>) {
        self.scopes.enter();
        for child in node.named_children() {
            match child.field() {
                Field::Initializer if child.is(Kind::Declaration) => self.declaration(child),
                Field::Initializer if self.misread_declaration(child) => {}
                Field::Initializer | Field::Update => self.expression(child, Role::Locate),
                Field::Condition if child.is(Kind::Declaration) => self.declaration(child),
                Field::Condition => self.expression(child, Role::Load),
                _ => self.statement(child),
            }
        }
        self.scopes.leave();
    }

    /// `for (T x : range)`. The elements are lvalues without a name in the text. If `x` is a copy,
    /// the loop variable becomes a reference, and the copy is made in the body, through a hook.
    pub(super) fn range_loop(&mut self, node: Node<'_>) {
        self.scopes.enter();
        for initializer in node
            .named_children()
            .filter(|it| it.is(Kind::InitStatement))
        {
            self.statements(initializer);
        }
        let range = node.child(Field::Right);
        if let Some(range) = range {
            self.expression(range, Role::Locate);
        }
        let outer = node.child(Field::Declarator);
        let body = node.child(Field::Body);
        let storage = match range {
            Some(range) => self.range_storage(range),
            None => Storage::Memory,
        };
        let mut copy = None;
        if let (Some(outer), Some(body), Some(range)) = (outer, body, range) {
            let declarator = Declarator::of(outer, self.source);
            let kind = node.child_text(Field::Type, self.source);
            let reference = declarator.is_reference();
            if !reference && storage == Storage::Memory {
                copy = self.range_copy(node, outer, body, range);
            }
            let storage = if reference { storage } else { Storage::Local };
            self.bind_declared(&declarator, storage, kind);
        }
        if let Some(body) = body {
            self.statement(body);
        }
        if let Some(end) = copy {
            self.edits.close(end, " }");
        }
        self.scopes.leave();
    }

    /// Where the elements of a range are stored.
    fn range_storage(&self, range: Node<'_>) -> Storage {
        match self.storage(range) {
            Storage::Local if self.shape(range).rank > 0 => Storage::Local,
            // A list of values.
            Storage::Nothing if range.is(Kind::InitializerList) => Storage::Local,
            // A view, or an object whose elements are elsewhere.
            _ => Storage::Memory,
        }
    }

    fn range_copy(
        &mut self,
        node: Node<'_>,
        outer: Node<'_>,
        body: Node<'_>,
        range: Node<'_>,
    ) -> Option<usize> {
        let first = node
            .children()
            .skip_while(|it| self.text(*it) != "(")
            .find(|it| it.is_named() && !it.is(Kind::InitStatement))?;
        let variable = self.root(range);
        let id = self.access_site(SiteKind::Read, range.range(), &variable)?;
        let role = match node.child_text(Field::Type, self.source) {
            _ if !outer.is(Kind::Identifier) => Role::Load,
            kind => self.initialising(kind),
        };
        let hook = match role {
            Role::Initializer => format!("read_into<{}>", self.target),
            Role::Copy => "copy".to_owned(),
            Role::Argument => "read_argument".to_owned(),
            _ => "read".to_owned(),
        };
        let head = first.start()..outer.end();
        let declared = self.folded_range(head.clone());
        let element = format!("hirace_element_{}", self.range_count);
        self.range_count += 1;
        self.replace(head, format!("auto&& {element}"));
        self.edits.open(
            body.start(),
            format!("{{ {declared} = ::hirace::{hook}({id}, {element}); "),
        );
        Some(body.end())
    }
}
