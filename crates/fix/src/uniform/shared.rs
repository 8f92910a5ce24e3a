//! Variables in shared memory, which have one value for all threads that a barrier separates from every write.
//!
//! As in `if (threadIdx.x == 0) last = f(); __syncthreads(); if (last)`.

use hirace_syntax::tree::{Field, Kind, Node};

use super::{Check, Group, Scope, is_barrier_by_object};
use crate::syntax::{Sources, Syntax};

impl Check<'_> {
    /// Whether all threads read the same value of a variable at a place, although one of them may have written it alone:
    /// it is in shared memory, and barriers separate the two.
    pub(super) fn is_shared_and_ordered(
        &self,
        scope: &Scope<'_>,
        name: &str,
        write: Node<'_>,
        read: Node<'_>,
    ) -> bool {
        let (first, second) = match write.start() < read.start() {
            true => (write, read),
            false => (read, write),
        };
        // Without a barrier before the next iteration, some threads may read what it writes.
        let mut around = first.ancestors_within(scope.function);
        let innermost = around.find(|it| it.is_loop() && it.encloses(second));
        let is_ordered_around = |around: Node<'_>| {
            let Some(body) = around.child(Field::Body) else {
                return false;
            };
            let mut statements = body.named_children();
            statements.any(|it| {
                let is_between = first.end() <= it.start() && it.end() <= second.start();
                !is_between && self.is_barrier(scope, it)
            })
        };
        is_shared(scope, name)
            && self.has_barrier_between(scope, first, second)
            && innermost.is_none_or(is_ordered_around)
    }

    /// Whether a barrier after a place precedes a second one on all ways to it.
    fn has_barrier_between(&self, scope: &Scope<'_>, first: Node<'_>, second: Node<'_>) -> bool {
        let blocks = second.ancestors_within(scope.function);
        let mut statements = blocks
            .filter(|it| it.is(Kind::CompoundStatement))
            .flat_map(Node::named_children);
        statements.any(|it| {
            let is_between = first.end() <= it.start() && it.end() <= second.start();
            is_between && self.is_barrier(scope, it)
        })
    }

    fn is_barrier(&self, scope: &Scope<'_>, statement: Node<'_>) -> bool {
        is_barrier(self.sources, scope.syntax, statement, self.group)
    }
}

/// Whether all variables of a name in a function are in shared memory, and there is one.
fn is_shared(scope: &Scope<'_>, name: &str) -> bool {
    let (syntax, function) = (scope.syntax, scope.function);
    let mut declarations = syntax.declarations(function, name).peekable();
    declarations.peek().is_some() && declarations.all(|it| syntax.is_in_shared(it))
}

/// Whether a statement is a barrier of the group, or of a larger one.
pub(crate) fn is_barrier(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    group: Group,
) -> bool {
    let text = syntax.node_text(statement);
    let is_barrier = text.starts_with("__syncthreads")
        || group == Group::Warp && text == "__syncwarp();"
        || is_barrier_by_object(sources, syntax, statement, group);
    is_barrier && !syntax.is_uncertain(statement.start())
}
