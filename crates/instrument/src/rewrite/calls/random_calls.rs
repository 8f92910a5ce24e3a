//! Calls of cuRAND's functions for kernels: each one accesses the state of a generator through a
//! pointer.

use super::NamedCall;
use crate::rewrite::binding::Storage;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::names::{Meaning, meaning};
use hirace_syntax::tree::{Field, Kind, Node};

impl Rewriter<'_> {
    /// `curand_uniform(&state)` and relatives; false for any other call.
    pub(super) fn random_number(&mut self, call: NamedCall<'_>) -> bool {
        let Some(Meaning::RandomNumber { state_is_last }) = meaning(call.name) else {
            return false;
        };
        if self.is_users(call) || !call.scope.is_none_or(str::is_empty) {
            return false;
        }
        let given: Vec<Node<'_>> = call.arguments.named_children().collect();
        let initial = call.name == "curand_init";
        let vectors = initial && self.are_direction_vectors(&given);
        let state = if state_is_last {
            given.len().saturating_sub(1)
        } else {
            0
        };
        for (index, argument) in given.iter().enumerate() {
            if index == state {
                self.generator_state(*argument, initial);
            } else if vectors && index == 0 {
                self.passed_to(*argument, *argument, SiteKind::Read, "direction_vectors");
            } else {
                self.expression(*argument, Role::Load);
            }
        }
        true
    }

    /// Whether the first argument of `curand_init()` may be the direction vectors of a Sobol sequence
    /// instead of a seed.
    fn are_direction_vectors(&self, given: &[Node<'_>]) -> bool {
        let Some(first) = given.first() else {
            return false;
        };
        let shape = self.shape(*first);
        let is_array = shape.rank + shape.pointers > 0;
        given.len() == 3 || is_array || (first.is(Kind::SubscriptExpression) && !shape.exact)
    }

    /// The argument `pointer` leads to a state, which the function makes or uses.
    fn generator_state(&mut self, pointer: Node<'_>, initial: bool) {
        let addressed = pointer.child(Field::Argument);
        let addressed = addressed.filter(|_| pointer.is_address(self.source));
        if addressed.is_some_and(|it| self.storage(it) != Storage::Memory) {
            return self.expression(pointer, Role::Load);
        }
        let (kind, hook) = if initial {
            (SiteKind::Write, "new_generator_state")
        } else {
            (SiteKind::Update, "generator_state")
        };
        self.passed_to(pointer, addressed.unwrap_or(pointer), kind, hook);
    }

    /// A hook around `argument`, which leads to `place`.
    fn passed_to(&mut self, argument: Node<'_>, place: Node<'_>, kind: SiteKind, hook: &str) {
        let variable = self.root(place);
        let id = self.access_site(kind, place.range(), &variable);
        if let Some(id) = &id {
            self.edits
                .open(argument.start(), format!("::hirace::{hook}({id}, "));
        }
        self.expression(argument, Role::Load);
        if id.is_some() {
            self.edits.close(argument.end(), ")");
        }
    }
}
