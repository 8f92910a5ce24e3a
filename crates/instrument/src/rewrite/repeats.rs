//! Repeated accesses of a thread, of which the first one's check stands for all.
//!
//! `if (best[v] < x) best[v] = x;` looks at one place twice, a loop over an array's row may do
//! so in every round. While the thread passes no barrier, what others do to the place races
//! with its first access or with none.
//!
//! # The rule
//!
//! An access q is *repeated* if on every way to it the thread has made an access p
//!
//! - to the same place: an lvalue of the same text, all operands of which are parameters,
//!   locals and constants that nothing has changed since, and that nothing can change unseen;
//! - that conflicts with all that q conflicts with: any access if q is a read, a store or an
//!   update if it is not;
//! - in an expression that is complete before the one of q begins, with nothing in between or
//!   beside them that might be a barrier: no call but of known functions.
//!
//! # Why nothing is missed
//!
//! Let c be another thread's access that conflicts with q.
//!
//! 1. *It conflicts with p*, by the second point.
//! 2. *It is ordered with p as it is with q.* Only barriers order accesses of two threads, and
//!    of those the thread passes none between p and q. Where c happens between the two, it is
//!    ordered with neither.
//! 3. *So p and c race if q and c do, and that is found*: the state machine is exact for the
//!    accesses that it is shown, wherever c and accesses of further threads stand among them.
//!    `fsm` searches all histories in which threads repeat accesses unseen: the test
//!    `repeated_accesses_need_no_check`.
//!
//! After a race a location starts over, and its further races may be other pairs of the same
//! accesses. Atomics and volatile accesses are neither p nor q; the hooks tell the latter.
//!
//! # Conditions of loops
//!
//! `for (int e = row[v]; e < row[v + 1]; ++e)` reads `row[v + 1]` in every round, for the first
//! time right behind the initialiser. Where the loop counts, changes none of the operands and
//! holds no barrier, the check of that read comes at the end of the initialiser, and all rounds
//! repeat it.
//!
//! # Why nothing else changes
//!
//! Faults are found at p, which comes first and is as large. What the word and the site beside
//! it say is what q would have left alone. And no loop does without checks for ever, by which
//! the executor notices threads that poll: what is known at its entry stays known only in
//! loops that count.

mod effects;
mod flow;
mod loops;
mod operands;
mod places;

use super::context::{Hooked, Rewriter};
use super::nodes::is_class;
use hirace_syntax::tree::{Kind, Node};

/// An access that its text tells from others.
#[derive(Clone, Debug)]
struct Access {
    hooked: Hooked,
    /// The tokens of the lvalue.
    text: String,
    /// The names in it.
    operands: Vec<String>,
    /// Whether it changes the place.
    stores: bool,
}

/// The repeated accesses of a function.
#[derive(Debug, Default)]
struct Found {
    repeated: Vec<Hooked>,
    /// Reads of loops' conditions that are checked at the loops' entry, and where.
    ahead: Vec<(Access, loops::Place)>,
}

impl Rewriter<'_> {
    /// Gives the repeated accesses of a function on the device, which has been rewritten, a
    /// hook of their own.
    pub(crate) fn end_repeats(&mut self, node: Node<'_>, body: Node<'_>) {
        let wanted = self.options.skip.repeated_accesses && self.body.is_none();
        if !wanted || node.has_error() || !self.can_be_followed(node, body) {
            return;
        }
        let found = self.repeats(node, body).unwrap_or_default();
        for Hooked { name, id, edit, .. } in found.repeated {
            self.edits
                .reword(edit, format!("::hirace::{name}_repeated({id}, "));
        }
        for (access, place) in found.ahead {
            let hook = format!("::hirace::read_ahead({}, {}", access.hooked.id, access.text);
            match place {
                loops::Place::Alone(at) => self.edits.close(at, format!("{hook})")),
                loops::Place::Behind(at) => self.edits.close(at, format!(", {hook})")),
                loops::Place::Around(value) => self.edits.enclose(value, format!("{hook}, ")),
            }
        }
    }

    /// Whether the tree shows what a function does, but for macros and calls.
    fn can_be_followed(&self, node: Node<'_>, body: Node<'_>) -> bool {
        let closed = |it: Node<'_>| {
            matches!(
                it.kind(),
                Kind::LambdaExpression
                    | Kind::FunctionDefinition
                    // A type of another name may be a reference, also by a number's name.
                    | Kind::TypeDefinition
                    | Kind::AliasDeclaration
            ) || is_class(it.kind())
        };
        self.is_as_written(body.range())
            && !self.holds_directive(body.range())
            && self.follows_words(node.range())
            && !body.descendants().any(closed)
    }

    /// The repeated accesses of a function; none where control cannot be followed.
    fn repeats(&self, node: Node<'_>, body: Node<'_>) -> Option<Found> {
        if self.hooked.is_empty() {
            return None;
        }
        let operands = self.operands_of(node, body);
        let accesses = self.accesses_to_fixed_places(body, &operands);
        flow::repeats(self, &operands, body, &accesses)
    }
}
