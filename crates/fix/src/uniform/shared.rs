//! Variables in shared memory, which have one value for all threads that a barrier separates from every write.
//!
//! As in `if (threadIdx.x == 0) last = f(); __syncthreads(); if (last)`.

use hirace_ir::Effect;
use hirace_syntax::names;
use hirace_syntax::tree::{Kind, Node};

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
        let flow = self.sources.control_flow(scope.syntax, scope.function);
        let places = flow.place(write).zip(flow.place(read));
        let is_barrier = |effect: &Effect| self.is_barrier(scope, effect);
        is_shared(scope, name)
            && places.is_some_and(|(write, read)| {
                flow.is_separated(write, read, is_barrier)
                    // In a loop, some threads may read what others write in the next iteration.
                    && flow.is_separated(read, write, is_barrier)
            })
    }

    fn is_barrier(&self, scope: &Scope<'_>, effect: &Effect) -> bool {
        let (Effect::Barrier(_, range) | Effect::Call(range)) = effect else {
            return false;
        };
        let call = scope.syntax.at(range);
        let statement = call.enclosing(Kind::ExpressionStatement);
        matches!(effect, Effect::Barrier(names::Scope::Block, _))
            && !scope.syntax.is_uncertain(call.start())
            || statement.is_some_and(|it| is_barrier(self.sources, scope.syntax, it, self.group))
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
