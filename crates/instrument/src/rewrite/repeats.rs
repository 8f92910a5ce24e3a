//! Repeated accesses of a thread: the check of the first covers all of them.
//!
//! `if (best[v] < x) best[v] = x;` accesses one location twice, and a loop over an array's row may
//! do so in every round. While the thread passes no barrier, another thread's access to the
//! location races with the first access, or with none.
//!
//! # The rule
//!
//! An access q is *repeated* if on every path to it the thread has made an access p
//!
//! - to the same location: the text of the lvalue is the same, and its operands are parameters,
//!   locals and constants that nothing has changed since, and that nothing can change unseen;
//! - that conflicts with everything that q conflicts with: any access if q is a read, otherwise a
//!   store or an update;
//! - in an expression that is complete before that of q begins, with no possible barrier in either
//!   expression or between them: they call only known functions.
//!
//! # Why nothing is missed
//!
//! Let c be another thread's access that conflicts with q.
//!
//! 1. *It conflicts with p*, by the second point.
//! 2. *It is ordered relative to p as it is relative to q.* Only barriers order accesses of two
//!    threads, and the thread passes none between p and q. If c happens between the two, it is
//!    ordered relative to neither.
//! 3. *So p and c race if q and c do, and the checker finds that race*: the state machine is exact
//!    for the accesses that it sees, wherever c and accesses of further threads are among them.
//!    `fsm` searches all histories in which threads repeat accesses unseen: the test
//!    `repeated_accesses_need_no_check`.
//!
//! After a race a location starts afresh, and its further races may be reported as other pairs of
//! the same accesses. Atomics and volatile accesses are neither p nor q; the hooks recognise
//! volatile ones.
//!
//! # Conditions of loops
//!
//! `for (int e = row[v]; e < row[v + 1]; ++e)` reads `row[v + 1]` in every round, the first time
//! directly after the initialiser. If the loop counts, changes none of the operands and contains no
//! barrier, the read is checked at the end of the initialiser, and all rounds repeat it.
//!
//! # Why nothing else changes
//!
//! Faults are found at p, which comes first and has the same size. p has already stored the word
//! and the site that q would store. No loop runs forever without checks, by which the executor
//! recognises polling threads: facts from before a loop stay known only in loops that count.

mod effects;
mod flow;
mod loops;
mod operands;
mod places;

use super::context::{Hooked, Rewriter};
use hirace_syntax::tree::{Kind, Node};

/// An access to a location that its text identifies.
#[derive(Clone, Debug)]
struct Access {
    hooked: Hooked,
    /// The tokens of the lvalue.
    text: String,
    /// The names in it.
    operands: Vec<String>,
    /// Whether it writes the location.
    stores: bool,
}

/// The repeated accesses of a function.
#[derive(Debug, Default)]
struct Found {
    repeated: Vec<Hooked>,
    /// Reads in loop conditions that are checked at the loop's entry, with the place of the check.
    ahead: Vec<(Access, loops::InitializerEnd)>,
}

impl Rewriter<'_> {
    /// Gives the repeated accesses of a device function that has been rewritten a hook of their
    /// own.
    pub(crate) fn mark_repeated_accesses(&mut self, node: Node<'_>, body: Node<'_>) {
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
                loops::InitializerEnd::Empty(at) => self.edits.close(at, format!("{hook})")),
                loops::InitializerEnd::Expression(at) => self.edits.close(at, format!(", {hook})")),
                loops::InitializerEnd::Declaration(value) => {
                    self.edits.enclose(value, format!("{hook}, "));
                }
            }
        }
    }

    /// Whether the tree shows everything that a function does, except for macros and calls.
    fn can_be_followed(&self, node: Node<'_>, body: Node<'_>) -> bool {
        let closed = |node: Node<'_>| {
            matches!(
                node.kind(),
                Kind::LambdaExpression
                    | Kind::FunctionDefinition
                    // A type alias may be a reference, even if it has a number's name.
                    | Kind::TypeDefinition
                    | Kind::AliasDeclaration
            ) || node.is_class()
        };
        self.is_as_written(body.range())
            && !self.holds_directive(body.range())
            && self.follows_words(node.range())
            && !body.descendants().any(closed)
    }

    /// The repeated accesses of a function; none if its control flow cannot be followed.
    fn repeats(&self, node: Node<'_>, body: Node<'_>) -> Option<Found> {
        if self.hooked.is_empty() {
            return None;
        }
        let operands = self.operands_of(node, body);
        let accesses = self.accesses_to_fixed_places(body, &operands);
        flow::repeats(self, &operands, body, &accesses)
    }
}
