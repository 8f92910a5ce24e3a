//! Statements.

use hirace_syntax::tree::{Field, Kind, Node};

use super::{Label, Lowering, Targets};
use crate::function::{BlockId, Edge};

impl Lowering<'_> {
    /// Adds a statement after a block; returns the block where control continues.
    pub(super) fn statement(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        self.begin(node, at);
        let end = self.of_statement(node, at);
        self.end(node, end);
        end
    }

    fn of_statement(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        match node.kind() {
            Kind::CompoundStatement => self.statements(node, at),
            Kind::ExpressionStatement => self.expression_statement(node, at),
            Kind::Declaration => self.expression(node, at),
            Kind::TypeDefinition
            | Kind::AliasDeclaration
            | Kind::EnumSpecifier
            | Kind::NamespaceAliasDefinition
            | Kind::UsingDeclaration
            | Kind::StaticAssertDeclaration => at,
            // `struct S { … };` as a statement.
            _ if node.is_class() => {
                self.defer(node);
                at
            }
            Kind::ElseClause | Kind::AttributedStatement | Kind::InitStatement => {
                self.statements(node, at)
            }
            Kind::IfStatement => self.choice(node, at),
            Kind::WhileStatement => {
                let head = self.block(&[at]);
                let decision = self.condition(node, head, false);
                self.repeat(node, decision, head, true)
            }
            Kind::ForStatement => self.for_loop(node, at),
            Kind::ForRangeLoop => {
                let mut at = at;
                for child in node.named_children() {
                    if child.field() != Field::Body {
                        at = self.expression(child, at);
                    }
                }
                let head = self.block(&[at]);
                if let Some(range) = node.child(Field::Right) {
                    self.decide(head, range, true);
                }
                self.repeat(node, head, head, true)
            }
            Kind::DoStatement => {
                let condition = self.block(&[]);
                let decision = self.condition(node, condition, false);
                let head = self.block(&[at]);
                let exit = self.block_on(decision, Edge::False);
                self.edge(decision, head, Edge::True);
                self.body(node, head, condition, exit);
                exit
            }
            Kind::SwitchStatement => self.switch(node, at),
            Kind::CaseStatement => self.case(node, at),
            Kind::LabeledStatement => self.label(node, at),
            Kind::GotoStatement => {
                let target = self.target(node);
                self.edge(at, target, Edge::Next);
                self.block(&[])
            }
            Kind::BreakStatement | Kind::ContinueStatement => {
                let target = match node.kind() {
                    Kind::BreakStatement => self.targets.on_break,
                    _ => self.targets.on_continue,
                };
                match target {
                    Some(target) => self.edge(at, target, Edge::Next),
                    None => self.hide(node.start(), "a jump out of nothing".to_owned()),
                }
                self.block(&[])
            }
            Kind::ReturnStatement => {
                let at = self.expression(node, at);
                self.edge(at, self.function.exit, Edge::Next);
                self.block(&[])
            }
            _ => {
                let kind = self.node_text(node);
                let word = kind.split_whitespace().next().unwrap_or("text");
                self.hide(node.start(), format!("the statement at `{word}`"));
                self.unknown(node, at)
            }
        }
    }

    fn statements(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let mut at = at;
        for child in node.named_children() {
            at = self.statement(child, at);
        }
        at
    }

    /// A condition after a block, with what it declares; returns the block that decides.
    fn condition(&mut self, node: Node<'_>, at: BlockId, counts: bool) -> BlockId {
        let Some(condition) = node.child(Field::Condition) else {
            return at;
        };
        let at = self.expression(condition, at);
        self.decide(at, condition, counts);
        at
    }

    fn choice(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let at = self.condition(node, at, false);
        let mut taken = self.block_on(at, Edge::True);
        if let Some(consequence) = node.child(Field::Consequence) {
            taken = self.statement(consequence, taken);
        }
        let mut otherwise = self.block_on(at, Edge::False);
        if let Some(alternative) = node.child(Field::Alternative) {
            otherwise = self.statement(alternative, otherwise);
        }
        self.block(&[taken, otherwise])
    }

    fn for_loop(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let mut at = at;
        if let Some(begin) = node.child(Field::Initializer) {
            at = self.expression(begin, at);
        }
        let head = self.block(&[at]);
        let update = node.child(Field::Update);
        let decision = self.condition(node, head, update.is_some());
        let again = match update {
            Some(update) => {
                let begin = self.block(&[]);
                let end = self.expression(update, begin);
                self.edge(end, head, Edge::Next);
                begin
            }
            None => head,
        };
        self.repeat(
            node,
            decision,
            again,
            node.child(Field::Condition).is_some(),
        )
    }

    /// The body of a loop, which is repeated through `again`; `leaves` tells whether the decision may end it.
    fn repeat(
        &mut self,
        node: Node<'_>,
        decision: BlockId,
        again: BlockId,
        leaves: bool,
    ) -> BlockId {
        let start = self.block_on(decision, Edge::True);
        let exit = match leaves {
            true => self.block_on(decision, Edge::False),
            false => self.block(&[]),
        };
        self.body(node, start, again, exit);
        exit
    }

    fn body(&mut self, node: Node<'_>, start: BlockId, again: BlockId, exit: BlockId) {
        let inner = Targets {
            on_break: Some(exit),
            on_continue: Some(again),
            ..self.targets
        };
        let outer = std::mem::replace(&mut self.targets, inner);
        let end = match node.child(Field::Body) {
            Some(body) => self.statement(body, start),
            None => start,
        };
        self.edge(end, again, Edge::Next);
        self.targets = outer;
    }

    fn switch(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let at = self.condition(node, at, false);
        // No case may fit.
        let exit = self.block_on(at, Edge::Case);
        let inner = Targets {
            on_break: Some(exit),
            switch: Some(at),
            ..self.targets
        };
        let outer = std::mem::replace(&mut self.targets, inner);
        // Control enters at labels only.
        let start = self.block(&[]);
        let end = match node.child(Field::Body) {
            Some(body) => self.statement(body, start),
            None => start,
        };
        self.edge(end, exit, Edge::Next);
        self.targets = outer;
        exit
    }

    /// `case value:` with the statements after it, anywhere in a `switch`.
    fn case(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let mut here = self.block(&[at]);
        match self.targets.switch {
            Some(switch) => self.edge(switch, here, Edge::Case),
            None => self.hide(node.start(), "a `case` outside of a `switch`".to_owned()),
        }
        for child in node.named_children() {
            if child.field() != Field::Value {
                here = self.statement(child, here);
            }
        }
        here
    }

    fn label(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let target = self.target(node);
        self.edge(at, target, Edge::Next);
        let name = node.child(Field::Label).map_or("", |it| self.node_text(it));
        if let Some(label) = self.labels.get_mut(name) {
            label.is_placed = true;
        }
        let mut at = target;
        for child in node.named_children() {
            if child.field() != Field::Label {
                at = self.statement(child, at);
            }
        }
        at
    }

    /// The block after the label that a statement names.
    fn target(&mut self, node: Node<'_>) -> BlockId {
        let name = node.child(Field::Label).map_or("", |it| self.node_text(it));
        if let Some(label) = self.labels.get(name) {
            return label.block;
        }
        let block = self.block(&[]);
        let label = Label {
            block,
            is_placed: false,
        };
        self.labels.insert(name, label);
        block
    }
}
