//! Kernels as coroutines, for the CPU executor.
//!
//! A thread that waits for its block at a barrier in the kernel's own body can leave its stack there
//! (`device/hirace/executor/scheduler/regions.h`): its variables are in the frame of a coroutine. The body becomes a
//! lambda, which the kernel calls with its own parameters. A kernel remains as it is if anything in its text could
//! mean something else there, such as a `return` in a macro.

use std::collections::HashSet;

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::Function;

use super::context::Rewriter;
use super::kernel_entry::arguments;

impl Rewriter<'_> {
    /// Makes a kernel's body a coroutine if it has barriers of its own. Called before anything is inserted at its
    /// beginning.
    pub(crate) fn make_regions(&mut self, node: Node<'_>, function: &Function<'_>, body: Node<'_>) {
        if !self.on_cpu()
            || self.body.is_some()
            || node.has_error()
            || !body.is(Kind::CompoundStatement)
        {
            return;
        }
        let barriers: HashSet<usize> = own_nodes(body)
            .filter_map(|it| self.plain_barrier(it))
            .collect();
        if barriers.is_empty() || !self.may_be_coroutine(body) {
            return;
        }
        let Some(listed) = self.listed_parameters(function) else {
            return;
        };
        let (Some(list), false) = (function.parameter_list(), listed.is_empty()) else {
            return;
        };
        if listed.len() != function.parameters(self.source).len() {
            return;
        }
        let tokens = self.prepass.tokens_in(&(list.start() + 1..list.end() - 1));
        let parameters: Vec<&str> = tokens.iter().map(|it| it.text(self.source)).collect();
        let begin = format!(" HIRACE_BEGIN_REGIONS({})", parameters.join(" "));
        let end = format!(" HIRACE_END_REGIONS({}) ", arguments(&listed));
        self.edits.close(body.start() + 1, begin);
        self.edits.open(body.end() - 1, end);
        for it in own_nodes(body).filter(|it| it.is(Kind::ReturnStatement)) {
            self.replace(
                it.start()..it.start() + "return".len(),
                "HIRACE_REGION_RETURN",
            );
        }
        self.region_barriers.extend(barriers);
    }

    /// The position of the name in `__syncthreads();`, if a statement is that.
    fn plain_barrier(&self, statement: Node<'_>) -> Option<usize> {
        let call = statement.first_named()?;
        let callee = call.child(Field::Function)?;
        let is_plain = statement.is(Kind::ExpressionStatement)
            && call.is(Kind::CallExpression)
            && self.text(callee) == "__syncthreads"
            && !self.is_macro("__syncthreads")
            && !self.facts.functions.contains_key("__syncthreads");
        is_plain.then_some(callee.start())
    }

    /// Whether nothing in the text of a body means something else in a coroutine.
    fn may_be_coroutine(&self, body: Node<'_>) -> bool {
        let returns = own_nodes(body).filter(|it| it.is(Kind::ReturnStatement));
        let returns: HashSet<usize> = returns.map(Node::start).collect();
        let others = body
            .descendants()
            .filter(|it| it.is(Kind::LambdaExpression) || it.is_class());
        let others: Vec<_> = others.map(Node::range).collect();
        let mut words = self.words_within(body.range());
        words.all(|(at, word)| match word {
            "return" => returns.contains(&at) || others.iter().any(|it| it.contains(&at)),
            "try" | "catch" | "alloca" | "co_await" | "co_return" | "co_yield" => false,
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => false,
            _ => !self.is_macro(word) || !self.macro_returns(word, &mut HashSet::new()),
        })
    }

    /// Whether a macro contains a `return`, or anything that it shows of the function around it.
    fn macro_returns(&self, name: &str, seen: &mut HashSet<String>) -> bool {
        if !seen.insert(name.to_owned()) {
            return false;
        }
        self.bodies_of_macro(name).any(|body| {
            let tokens = hirace_syntax::lexer::lex_inline(body).tokens;
            tokens.iter().any(|it| {
                let word = it.text(body);
                matches!(
                    word,
                    "return" | "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" | "try"
                ) || self.is_macro(word) && self.macro_returns(word, seen)
            })
        })
    }
}

/// The nodes of a body that are in no lambda and no class inside it.
fn own_nodes<'t>(body: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let is_own = move |it: &Node<'t>| {
        let mut around = it.ancestors_within(body);
        !around.any(|it| it.is(Kind::LambdaExpression) || it.is_class())
    };
    body.descendants().filter(is_own)
}
