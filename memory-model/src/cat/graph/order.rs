//! Recursive definitions, and the order of evaluation.

use super::{Graph, Group, GroupId, Node, NodeId, Op};
use crate::cat::types::Type;

/// A variable depends on the complement of itself.
#[derive(Clone, Copy, Debug)]
pub(in crate::cat) struct NotMonotone {
    /// The complement or difference.
    pub node: NodeId,
}

impl Graph {
    /// Starts a recursive definition of variables with these types.
    pub fn open_group(&mut self, kinds: &[Type]) -> GroupId {
        let group = self.groups.len();
        self.groups.push(Group::default());
        let variables = kinds.iter().enumerate();
        let variables = variables
            .map(|(index, &kind)| self.node(Op::Variable(group, index), Some(kind)))
            .collect();
        self.groups[group].variables = variables;
        group
    }

    /// Completes a recursive definition. The result are the nodes of its names.
    pub fn close_group(
        &mut self,
        group: GroupId,
        bodies: Vec<NodeId>,
    ) -> Result<Vec<NodeId>, NotMonotone> {
        self.groups[group].bodies = bodies;
        let solve = self.node(Op::Solve(group), None);
        let reached = self.reached(solve);
        self.check_monotone(group, solve)?;
        let inner = |node: &NodeId| self.nodes[*node].open.last() == Some(&group);
        self.groups[group].program = reached
            .into_iter()
            .filter(|node| inner(node) && !matches!(self.nodes[*node].op, Op::Variable(..)))
            .collect();
        let variables = self.groups[group].variables.clone();
        Ok(variables
            .into_iter()
            .map(|variable| self.node(Op::Solved(solve, variable), self.nodes[variable].kind))
            .collect())
    }

    /// The nodes to evaluate for `root`, in order, without those inside recursive definitions.
    pub fn order(&self, root: NodeId) -> Vec<NodeId> {
        let mut order = self.reached(root);
        order.retain(|&node| {
            let Node { op, open, .. } = &self.nodes[node];
            open.is_empty() && !matches!(op, Op::Base(_))
        });
        order
    }

    /// `root` and all that it depends on, in ascending order.
    fn reached(&self, root: NodeId) -> Vec<NodeId> {
        let mut marked = vec![false; root + 1];
        marked[root] = true;
        for node in (0..=root).rev() {
            if marked[node] {
                for operand in self.operands(node) {
                    marked[operand] = true;
                }
            }
        }
        (0..=root).filter(|&node| marked[node]).collect()
    }

    /// Checks that more pairs in the variables never mean fewer pairs in the bodies. Otherwise there
    /// may be no fixpoint.
    fn check_monotone(&self, group: GroupId, solve: NodeId) -> Result<(), NotMonotone> {
        // How the bodies depend on each node: [more with more, fewer with more].
        let mut signs = vec![[false; 2]; solve + 1];
        // The operation at which the sign changed to "fewer".
        let mut changed = vec![solve; solve + 1];
        signs[solve] = [true, false];
        for node in (0..=solve).rev() {
            let sign = signs[node];
            if sign == [false; 2] || node != solve && !self.nodes[node].open.contains(&group) {
                continue;
            }
            let op = self.nodes[node].op;
            if sign[1] && matches!(op, Op::Variable(own, _) if own == group) {
                let node = changed[node];
                return Err(NotMonotone { node });
            }
            for operand in self.operands(node) {
                let flips = match op {
                    Op::Complement(_) => true,
                    Op::Difference(_, negative) => operand == negative,
                    _ => false,
                };
                let [more, fewer] = if flips { [sign[1], sign[0]] } else { sign };
                if fewer && !signs[operand][1] {
                    changed[operand] = if flips { node } else { changed[node] };
                }
                signs[operand][0] |= more;
                signs[operand][1] |= fewer;
            }
        }
        Ok(())
    }
}
