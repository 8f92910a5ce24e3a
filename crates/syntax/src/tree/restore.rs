//! Restores the original syntax in the tree of a masked text, and the precedence of operators that the
//! grammar gets wrong.

use std::collections::HashMap;
use std::ops::Range;

use super::arena::{Data, NONE, Tree};
use super::kinds::{Field, Kind};
use crate::masked::Prepass;

impl Tree {
    /// `!x++` is `!(x++)`, but the grammar reads it as `(!x)++`, and other prefix operators likewise.
    pub(super) fn bind_postfix_first(&mut self) {
        // Parents come before their children, so that each step of `- -x++` is seen.
        for id in 0..u32::try_from(self.nodes.len()).unwrap_or(NONE) {
            self.bind_postfix(id);
        }
    }

    /// `[[prefix operand] postfix]` becomes `[prefix [operand postfix]]`.
    fn bind_postfix(&mut self, outer: u32) {
        let inner = self.node(outer).first;
        let prefix = self.node(inner).first;
        let operand = self.node(prefix).next;
        let postfix = self.node(inner).next;
        let fits = self.node(outer).kind == Kind::UpdateExpression
            && self.node(inner).kind == Kind::UnaryExpression
            && self.node(outer).start == self.node(inner).start
            && operand != NONE
            && self.node(operand).next == NONE
            && postfix != NONE;
        if !fits {
            return;
        }
        let (start, end) = (self.node(operand).start, self.node(outer).end);
        self.node(outer).kind = Kind::UnaryExpression;
        self.node(outer).first = prefix;
        *self.node(inner) = Data {
            kind: Kind::UpdateExpression,
            first: operand,
            next: NONE,
            start,
            end,
            ..*self.node(inner)
        };
        for (id, parent, next) in [
            (prefix, outer, inner),
            (operand, inner, postfix),
            (postfix, inner, NONE),
        ] {
            let node = self.node(id);
            (node.parent, node.next) = (parent, next);
        }
    }

    /// Restores what the pre-pass disguised in the text of `pass`.
    pub(super) fn restore(&mut self, pass: &Prepass) {
        self.restore_packs(&pass.packs);
        if pass.assignments.is_empty() {
            return;
        }
        // Searching the whole tree for each of many assignments would take very long.
        let commas: HashMap<u32, u32> = (0u32..)
            .zip(&self.nodes)
            .filter(|(_, node)| !node.named && node.end == node.start + 1)
            .map(|(id, node)| (node.start, id))
            .collect();
        for operator in &pass.assignments {
            let start = u32::try_from(operator.start).unwrap_or(u32::MAX);
            if let Some(comma) = commas.get(&start) {
                self.restore_assignment(*comma, operator);
            }
        }
    }

    /// Turns the parameters that lost their dots, at the offsets `packs`, into packs.
    fn restore_packs(&mut self, packs: &[usize]) {
        // Of nested parameters, the innermost is the last one.
        let mut owners: HashMap<usize, usize> = HashMap::new();
        for (id, node) in self.nodes.iter().enumerate() {
            if packs.is_empty() || node.kind != Kind::ParameterDeclaration {
                continue;
            }
            let next = packs.partition_point(|dots| *dots < node.start as usize);
            if packs
                .get(next)
                .is_some_and(|dots| *dots <= node.end as usize)
            {
                owners.insert(next, id);
            }
        }
        for id in owners.into_values() {
            self.nodes[id].kind = Kind::VariadicParameterDeclaration;
        }
    }

    /// Turns the comma that masks `operator` into an assignment of its operands.
    fn restore_assignment(&mut self, comma: u32, operator: &Range<usize>) {
        if self.assign(comma, operator).is_none() {
            // The comma is not real, so the nodes around it may be wrong.
            let mut at = comma;
            while at != NONE {
                self.node(at).error = true;
                at = self.node(at).parent;
            }
        }
    }

    /// `[left , [right , rest]]` becomes `[[left = right] , rest]`.
    fn assign(&mut self, equals: u32, operator: &Range<usize>) -> Option<()> {
        let outer = self.node(equals).parent;
        let left = self.node(outer).first;
        let inner = self.node(equals).next;
        let right = self.node(inner).first;
        let comma = self.node(right).next;
        let rest = self.node(comma).next;
        let is_comma = |node: &Data| node.kind == Kind::CommaExpression;
        let fits = is_comma(self.node(outer))
            && is_comma(self.node(inner))
            && self.node(left).next == equals
            && rest != NONE;
        if !fits {
            return None;
        }
        let (from, to) = (self.node(left).start, self.node(right).end);
        *self.node(inner) = Data {
            kind: Kind::AssignmentExpression,
            field: Field::Left,
            start: from,
            end: to,
            first: left,
            next: comma,
            ..*self.node(inner)
        };
        self.node(outer).first = inner;
        for (id, field, next) in [
            (left, Field::Left, equals),
            (equals, Field::Operator, right),
            (right, Field::Right, NONE),
        ] {
            let node = self.node(id);
            (node.field, node.next, node.parent) = (field, next, inner);
        }
        self.node(equals).end = u32::try_from(operator.end).ok()?;
        self.node(comma).parent = outer;
        let node = self.node(rest);
        (node.parent, node.field) = (outer, Field::Right);
        Some(())
    }

    /// The data of a node; for an invalid index that of the root, which matches no pattern.
    fn node(&mut self, id: u32) -> &mut Data {
        let id = if (id as usize) < self.nodes.len() {
            id as usize
        } else {
            0
        };
        &mut self.nodes[id]
    }
}
