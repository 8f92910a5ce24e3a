//! What is known of an execution from a part of it.

use super::{Graph, Op};

/// How the value of a node in a part of an execution relates to that in the whole: the part has some
/// of the events, and some of the pairs of relations that are chosen.
#[derive(Clone, Copy, Debug, Default)]
struct InPart {
    /// It is the same, restricted to the events of the part.
    exact: bool,
    /// It is contained in that of the whole.
    contained: bool,
}

impl Graph {
    /// For each node, whether its value in a part of an execution is contained in that of the whole
    /// one. The bases of `exact` are the same in both, by pairs of events.
    pub fn contained_in_whole(&self, exact: u128) -> Vec<bool> {
        let mut parts: Vec<InPart> = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let contained = self.operands(node).all(|it| parts[it].contained);
            let exact_operands = self.operands(node).all(|it| parts[it].exact);
            let (exact, contained) = match self.nodes[node].op {
                Op::Base(base) => (exact >> base & 1 == 1, true),
                Op::Empty | Op::Full => (true, true),
                Op::Difference(whole, less) => {
                    (exact_operands, parts[whole].contained && parts[less].exact)
                }
                Op::Complement(_) => (exact_operands, exact_operands),
                Op::Union(..)
                | Op::Intersection(..)
                | Op::Product(..)
                | Op::From(..)
                | Op::To(..)
                | Op::Inverse(_)
                | Op::Optional(_)
                | Op::Identity(_) => (exact_operands, contained),
                // These need events in between, which the part may not have. A recursive definition
                // grows with what it is made of.
                Op::Sequence(..)
                | Op::Plus(_)
                | Op::Star(_)
                | Op::Domain(_)
                | Op::Range(_)
                | Op::Solve(_)
                | Op::Solved(..) => (false, contained),
                Op::Variable(..) => (false, true),
            };
            parts.push(InPart { exact, contained });
        }
        parts.into_iter().map(|it| it.contained).collect()
    }
}
