//! `(p[0] = t, true)`: an assignment before a comma in parentheses.
//!
//! The grammar, which has C++'s folds in mind, cannot read it, but it reads
//! `(p[0], t, true)`. So the pre-pass puts a comma in the operator's place, and the tree
//! that comes of it is mended here.

use std::collections::HashMap;
use std::ops::Range;

use super::lexer::TokenKind;
use super::prepass::Prepass;
use super::repair::Repairer;
use super::tree::{Data, Field, Kind, NONE, Tree};

impl Repairer<'_, '_> {
    /// Masks the operator of an assignment that comes first in the parentheses that open
    /// at `open`, if a comma follows.
    pub fn assignment_before_comma(&mut self, open: usize) {
        let call = open > 0
            && (self.tokens[open - 1].kind != TokenKind::Punct && self.before(open) != "return"
                || matches!(self.before(open), ")" | "]" | ">"));
        if call || self.text(open + 1) == "using" {
            return;
        }
        let Some(close) = self.closing(open) else {
            return;
        };
        let mut depth = 0usize;
        let mut operator = None;
        let mut angles = true;
        // Past the template arguments that were seen last.
        let mut resume = open + 1;
        for at in open + 1..close {
            if at < resume {
                continue;
            }
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                "?" if operator.is_none() => return,
                ";" => return,
                "<" if angles => match self.after_angles(at) {
                    Some(after) => resume = after,
                    // Nor will the next ones close: looking for it again takes time.
                    None => angles = false,
                },
                "=" if operator.is_none() => match self.assignment(at) {
                    Some(range) => operator = Some(range),
                    None => continue,
                },
                "," => break,
                _ => {}
            }
            if at + 1 == close {
                return;
            }
        }
        if resume >= close {
            return;
        }
        if let Some(range) = operator {
            self.pass.text[range.clone()].fill(b' ');
            self.pass.text[range.start] = b',';
            self.pass.assignments.push(range);
        }
    }

    /// The bytes of the assignment's operator that ends with the `=` at `at`.
    fn assignment(&self, at: usize) -> Option<Range<usize>> {
        let joined = |it: usize| self.touches(it).then(|| self.text(it));
        if joined(at) == Some("") || self.touches(at) && self.text(at + 1) == "=" {
            return None;
        }
        let mut first = at;
        match joined(at - 1) {
            Some("=" | "!") => return None,
            Some(shift @ ("<" | ">")) => {
                // `<=` compares, `<<=` assigns.
                if joined(at - 2) != Some(shift) {
                    return None;
                }
                first = at - 2;
            }
            Some("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") => first = at - 1,
            _ => {}
        }
        Some(self.tokens[first].start..self.tokens[at].end)
    }
}

impl Tree {
    /// Parses a file.
    pub fn of(pass: &Prepass) -> Self {
        let mut tree = Self::parse(&pass.text, 0);
        tree.restore_packs(&pass.packs);
        if pass.assignments.is_empty() {
            return tree;
        }
        // Looked up one by one in the whole tree, many assignments would take very long.
        let commas: HashMap<u32, u32> = (0u32..)
            .zip(&tree.nodes)
            .filter(|(_, node)| !node.named && node.end == node.start + 1)
            .map(|(id, node)| (node.start, id))
            .collect();
        for operator in &pass.assignments {
            let start = u32::try_from(operator.start).unwrap_or(u32::MAX);
            if let Some(comma) = commas.get(&start) {
                tree.restore(*comma, operator);
            }
        }
        tree
    }

    /// Makes packs of the parameters that lost their dots, at the offsets `packs`.
    fn restore_packs(&mut self, packs: &[usize]) {
        // Of parameters inside one another, the innermost comes last.
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

    /// Makes an assignment of the operands of the comma that stands for `operator`.
    fn restore(&mut self, comma: u32, operator: &Range<usize>) {
        if self.assign(comma, operator).is_none() {
            // Nothing that was taken for a comma may be believed.
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

    /// The data of a node; of the root where there is none, which `fits` no pattern.
    fn node(&mut self, id: u32) -> &mut Data {
        let id = if (id as usize) < self.nodes.len() {
            id as usize
        } else {
            0
        };
        &mut self.nodes[id]
    }
}
