//! Kernels as coroutines, for the CPU executor.
//!
//! A thread that waits for its block at a barrier in the kernel's own body can leave its stack there
//! (`device/hirace/executor/scheduler/regions.h`): its variables are in the frame of a coroutine. The body becomes a
//! lambda, which the kernel calls with its own parameters. A kernel remains as it is if anything in its text could
//! mean something else there, such as a `return` in a macro.
//!
//! All variables of a coroutine are in memory, so a loop without barriers that may have many iterations is slower there.
//! Such a loop becomes a lambda ([`loops`]); the kernel remains as it is if one cannot.

mod loops;

use std::collections::HashSet;
use std::ops::Range;

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Function, has_const};

use super::context::Rewriter;
use super::kernel_entry::arguments;
use loops::may_be_lambda;

/// A loop with at most so many iterations is short.
const MAX_ITERATIONS: u64 = 64;

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
        let has_barrier = |it: Node<'_>| barriers.iter().any(|at| it.range().contains(at));
        let loops = own_nodes(body).filter(|it| it.is_loop() && !has_barrier(*it));
        let long: Vec<Node<'_>> = loops.filter(|it| !self.is_short(*it)).collect();
        let is_inner = |it: &Node<'_>| {
            long.iter()
                .any(|outer| outer != it && outer.range().contains(&it.start()))
        };
        let fits = !barriers.is_empty() && self.may_be_coroutine(body);
        if !fits || long.iter().any(|it| !may_be_lambda(*it)) {
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
        let parameters = self.without_comments(list.start() + 1..list.end() - 1);
        let begin = format!(" HIRACE_BEGIN_REGIONS({parameters})");
        let end = format!(" HIRACE_END_REGIONS({}) ", arguments(&listed));
        for it in long.iter().filter(|it| !is_inner(it)) {
            self.make_lambda(body, *it);
        }
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

    /// The text of a range on one line.
    fn without_comments(&self, range: Range<usize>) -> String {
        let mut text = String::new();
        let mut end = range.start;
        for token in self.prepass.tokens_in(&range) {
            if token.start > end {
                text.push(' ');
            }
            text += token.text(self.source);
            end = token.end;
        }
        text
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

    /// Whether a loop is known to have few iterations.
    fn is_short(&self, node: Node<'_>) -> bool {
        let condition = node
            .child(Field::Condition)
            .filter(|_| node.is(Kind::ForStatement));
        let update = node.child_text(Field::Update, self.source);
        // The number of iterations is that of the digits of a number.
        let scales = ["*=", "/=", "<<", ">>"];
        scales.iter().any(|it| update.contains(it))
            || condition
                .and_then(|it| it.child(Field::Right))
                .and_then(|it| self.small_number(it))
                .is_some_and(|it| it <= MAX_ITERATIONS)
    }

    /// The value of a literal or of a constant with one, and 0 for a template's parameter, which is small in most
    /// programs.
    fn small_number(&self, node: Node<'_>) -> Option<u64> {
        let number = |text: &str| text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok();
        let name = self.text(node);
        if !node.is(Kind::Identifier) {
            return number(name);
        }
        if self.is_macro(name) {
            let mut values = self.bodies_of_macro(name).map(|it| number(it.trim()));
            return values.next().flatten().filter(|_| values.next().is_none());
        }
        let is_parameter = |it: Node<'_>| {
            let list = it.child(Field::Parameters);
            let mut names = list
                .into_iter()
                .flat_map(|it| it.descendants_of(Kind::Identifier));
            names.any(|it| self.text(it) == name)
        };
        let mut templates = node
            .ancestors()
            .filter(|it| it.is(Kind::TemplateDeclaration));
        if templates.any(is_parameter) {
            return Some(0);
        }
        let root = node.ancestors().last()?;
        let mut declarators = root.descendants_of(Kind::InitDeclarator);
        let found = declarators.find(|it| it.child_text(Field::Declarator, self.source) == name)?;
        let declaration = found.parent()?;
        let value = number(found.child_text(Field::Value, self.source));
        value.filter(|_| has_const(declaration, self.source))
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
            // A loop that is not one of the tree's may be a long one.
            "goto" | "try" | "catch" | "alloca" | "co_await" | "co_return" | "co_yield" => false,
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
