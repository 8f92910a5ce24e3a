//! Whether all threads of a group come by a place, as the text says.
//!
//! That they did in the runs that were made proves nothing for other input: `if (i < n)` holds
//! for all threads where `n` fits. So the conditions around a barrier, and of what may leave
//! its function or its loops before, have to be of values that are the same for all threads:
//! constants, parameters of the kernel, `blockIdx`, and what is computed of them by statements
//! that all threads run. What is read from memory at such an address counts as such, too; the
//! executor finds where it is not.

use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};

use super::candidates::Sources;
use super::syntax::{Syntax, around, function_around, is_loop, without_parentheses};

/// Threads that have to come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// All of the block.
    Block,
    /// All lanes of the warp.
    Warp,
}

/// Calls that are followed from the kernel to a place.
const MOST_CALLS: usize = 4;

/// Functions whose value is the same where their arguments are.
const PURE: &[&str] = &[
    "abs", "ceil", "ceilf", "exp2f", "float", "floor", "floorf", "int", "log2", "log2f", "max",
    "min", "powf", "sqrt", "sqrtf", "unsigned", "__ldg", "__ffs", "__clz", "__popc",
];

/// Functions whose value all threads of a block, or of a warp, share.
const SHARED_BY_BLOCK: &[&str] = &[
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
];
const SHARED_BY_WARP: &[&str] = &["__all_sync", "__any_sync", "__ballot_sync"];

/// Whether all threads of the group that run the kernel come by `node`.
pub(super) fn passed_by_all(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    node: Node<'_>,
    group: Group,
) -> bool {
    Check { sources, group }.is_passed(syntax, node, 0)
}

/// Whether a place is chosen by the number of the warp, as an element of an array for each.
pub(super) fn is_of_one_warp(sources: &Sources<'_>, syntax: &Syntax<'_>, place: Node<'_>) -> bool {
    let Some(function) = function_around(place).filter(|it| it.is(Kind::FunctionDefinition)) else {
        return false;
    };
    let scope = Scope {
        syntax,
        function,
        depth: 0,
    };
    let is_same = |group, it| Check { sources, group }.is_same(&scope, it, &mut Vec::new());
    place
        .descendants()
        .filter(|it| it.is(Kind::Identifier))
        .any(|it| is_same(Group::Warp, it) && !is_same(Group::Block, it))
}

struct Check<'s> {
    sources: &'s Sources<'s>,
    group: Group,
}

impl Check<'_> {
    fn is_passed(&self, syntax: &Syntax<'_>, node: Node<'_>, depth: usize) -> bool {
        let Some(function) = function_around(node).filter(|it| it.is(Kind::FunctionDefinition))
        else {
            return false;
        };
        let leaves = |exit: &Node<'_>| match exit.kind() {
            Kind::ReturnStatement => {
                exit.start() < node.start() || loops(*exit).any(|it| encloses(it, node))
            }
            Kind::BreakStatement | Kind::ContinueStatement => {
                let target = around(*exit).find(|it| is_loop(*it) || it.is(Kind::SwitchStatement));
                target.is_some_and(|it| is_loop(it) && encloses(it, node))
            }
            _ => false,
        };
        let scope = Scope {
            syntax,
            function,
            depth,
        };
        self.is_unconditional(&scope, node, &mut Vec::new())
            && function
                .descendants()
                .filter(leaves)
                .filter(|it| function_around(*it) == Some(function))
                .all(|it| self.is_unconditional(&scope, it, &mut Vec::new()))
            && self.is_called_by_all(&scope)
    }

    fn is_called_by_all(&self, scope: &Scope<'_>) -> bool {
        if scope.is_kernel() {
            return true;
        }
        let calls = self.calls(scope);
        scope.depth < MOST_CALLS
            && !calls.is_empty()
            && calls
                .iter()
                .all(|(syntax, call)| self.is_passed(syntax, *call, scope.depth + 1))
    }

    /// The calls of a function, in all files.
    fn calls(&self, scope: &Scope<'_>) -> Vec<(&Syntax<'_>, Node<'_>)> {
        let Some(name) = scope.syntax.name(scope.function) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for syntax in self.sources.all() {
            for caller in syntax.functions() {
                found.extend(
                    syntax
                        .calls(caller, name)
                        .into_iter()
                        .map(|it| (syntax, it)),
                );
            }
        }
        found
    }

    /// Whether the conditions around a node are the same for all threads.
    fn is_unconditional(&self, scope: &Scope<'_>, node: Node<'_>, open: &mut Vec<String>) -> bool {
        let mut inner = node;
        while inner != scope.function
            && let Some(outer) = inner.parent()
        {
            let condition = match outer.kind() {
                Kind::IfStatement if inner.field() != Field::Condition => {
                    outer.child(Field::Condition)
                }
                Kind::SwitchStatement if inner.field() == Field::Body => {
                    outer.child(Field::Condition)
                }
                Kind::ForRangeLoop if inner.field() == Field::Body => outer.child(Field::Right),
                _ if is_loop(outer) && inner.field() == Field::Body => {
                    outer.child(Field::Condition)
                }
                _ => None,
            };
            if condition.is_some_and(|it| !self.is_same(scope, it, open)) {
                return false;
            }
            inner = outer;
        }
        true
    }

    /// Whether an expression has the same value for all threads. `open` are the variables of
    /// which that is being found out: what depends on itself alone is the same.
    fn is_same(&self, scope: &Scope<'_>, expression: Node<'_>, open: &mut Vec<String>) -> bool {
        let expression = without_parentheses(expression);
        let text = |it: Node<'_>| scope.syntax.node_text(it).to_owned();
        match expression.kind() {
            Kind::Identifier => self.is_same_variable(scope, &text(expression), open),
            Kind::LambdaExpression => false,
            Kind::CallExpression => {
                let name = expression
                    .child(Field::Function)
                    .map(text)
                    .unwrap_or_default();
                let name = name.rsplit(':').next().unwrap_or_default();
                let shared = SHARED_BY_BLOCK.contains(&name)
                    || self.group == Group::Warp && SHARED_BY_WARP.contains(&name);
                let arguments = expression.child(Field::Arguments);
                shared
                    || PURE.contains(&name)
                        && arguments.is_some_and(|it| self.all_same(scope, it, open))
            }
            Kind::BinaryExpression
                if self.group == Group::Warp && is_of_warp(scope.syntax, expression) =>
            {
                true
            }
            _ => self.all_same(scope, expression, open),
        }
    }

    fn all_same(&self, scope: &Scope<'_>, node: Node<'_>, open: &mut Vec<String>) -> bool {
        node.named_children()
            .all(|it| self.is_same(scope, it, open))
    }

    fn is_same_variable(&self, scope: &Scope<'_>, name: &str, open: &mut Vec<String>) -> bool {
        if name == "threadIdx" {
            return false;
        }
        if open.iter().any(|it| it == name) {
            return true;
        }
        open.push(name.to_owned());
        let same = self.is_same_parameter(scope, name)
            && scope.function.descendants().all(|it| match it.kind() {
                Kind::InitDeclarator if scope.syntax.declared(it) == Some(name) => it
                    .child(Field::Value)
                    .is_none_or(|it| self.is_same(scope, it, open)),
                Kind::AssignmentExpression if scope.changes(it, Field::Left, name) => {
                    let value = it.child(Field::Right);
                    value.is_none_or(|it| self.is_same(scope, it, open))
                        && self.is_unconditional(scope, it, open)
                }
                Kind::UpdateExpression if scope.changes(it, Field::Argument, name) => {
                    self.is_unconditional(scope, it, open)
                }
                // Whoever has its address may change it.
                Kind::PointerExpression => {
                    let argument = it.child(Field::Argument);
                    let is_it = argument.is_some_and(|it| scope.syntax.node_text(it) == name);
                    !is_it || !scope.syntax.node_text(it).starts_with('&') || scope.is_memory(name)
                }
                _ => true,
            });
        open.pop();
        same
    }

    /// Whether a variable is no parameter, or all threads have the same argument.
    fn is_same_parameter(&self, scope: &Scope<'_>, name: &str) -> bool {
        let declarator = scope
            .function
            .descendants()
            .find(|it| it.is(Kind::FunctionDeclarator));
        let list = declarator.and_then(|it| it.child(Field::Parameters));
        let mut parameters = list.into_iter().flat_map(Node::named_children);
        let Some(index) = parameters.position(|it| scope.syntax.declared(it) == Some(name)) else {
            return true;
        };
        if scope.is_kernel() {
            return true;
        }
        let calls = self.calls(scope);
        scope.depth < MOST_CALLS
            && !calls.is_empty()
            && calls.iter().all(|(syntax, call)| {
                let arguments = call.child(Field::Arguments);
                let argument = arguments.and_then(|it| it.named_children().nth(index));
                let caller = function_around(*call);
                argument.zip(caller).is_some_and(|(argument, function)| {
                    let scope = Scope {
                        syntax,
                        function,
                        depth: scope.depth + 1,
                    };
                    self.is_same(&scope, argument, &mut Vec::new())
                })
            })
    }
}

/// The function that is looked at.
struct Scope<'t> {
    syntax: &'t Syntax<'t>,
    function: Node<'t>,
    /// Calls from here to the place that is asked for.
    depth: usize,
}

impl Scope<'_> {
    fn is_kernel(&self) -> bool {
        let qualifiers = self.syntax.qualifiers(self.function);
        qualifiers.has(Qualifiers::GLOBAL)
    }

    /// Whether an expression changes a variable, or a part of it.
    fn changes(&self, expression: Node<'_>, target: Field, name: &str) -> bool {
        let target = expression.child(target);
        let root = target.and_then(|it| it.descendants().find(|it| it.is(Kind::Identifier)));
        root.is_some_and(|it| self.syntax.node_text(it) == name)
            && (!self.is_memory(name) || target == root)
    }

    /// Whether a variable stands for memory that threads share: a change of what lies there is
    /// none of the variable.
    fn is_memory(&self, name: &str) -> bool {
        let declares = |it: &Node<'_>| {
            matches!(it.kind(), Kind::Declaration | Kind::ParameterDeclaration)
                && self.syntax.declares(*it, name)
        };
        let declaration = self.function.descendants().find(declares);
        declaration.is_none_or(|it| {
            let text = self.syntax.node_text(it);
            self.syntax.qualifiers(it).has(Qualifiers::SHARED)
                || text.contains('*')
                || text.contains('[') && it.is(Kind::ParameterDeclaration)
        })
    }
}

fn loops(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    around(node).filter(|it| is_loop(*it))
}

fn encloses(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.start() <= inner.start() && inner.end() <= outer.end()
}

/// `t / 32`, `t >> 5`, `t < 64`: the same for all lanes of a warp where these have numbers in
/// sequence.
fn is_of_warp(syntax: &Syntax<'_>, expression: Node<'_>) -> bool {
    let text = |field| expression.child(field).map(|it| syntax.node_text(it));
    let (Some(operator), Some(right)) = (text(Field::Operator), text(Field::Right)) else {
        return false;
    };
    let number = || syntax.constant(right);
    match operator {
        "/" => right == "warpSize" || number().is_some_and(|it| it > 0 && it % 32 == 0),
        ">>" => number() == Some(5),
        "<" | ">=" => right == "warpSize" || number().is_some_and(|it| it % 32 == 0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hirace_instrument::rewrite::{Facts, Source};
    use hirace_syntax::Defines;

    /// Whether all threads come by what stands behind `/**/`.
    #[track_caller]
    fn check(group: Group, passed: bool, text: &str) {
        let file = Source { path: "a.cu", text };
        let defines = Defines::new();
        let facts = Facts::collect(&[Source { ..file }], &defines);
        let sources = Sources(vec![Syntax::of("a.cu", text, &defines, &facts)]);
        let syntax = &sources.0[0];
        let mark = text.find("/**/").expect("a mark") + 4;
        let semicolon = mark + text[mark..].find(';').expect("a statement");
        let node = syntax.at(&(mark..semicolon));
        assert_eq!(
            passed_by_all(&sources, syntax, node, group),
            passed,
            "{text}"
        );
    }

    #[test]
    fn conditions_of_threads() {
        for (passed, body) in [
            (true, "s[threadIdx.x] = 1; /**/f();"),
            (true, "for (int i = 0; i < n; i++) { /**/f(); }"),
            (true, "if (blockIdx.x < n) { /**/f(); }"),
            (
                true,
                "int d = 1; while (d < blockDim.x) { /**/f(); d *= 2; }",
            ),
            (
                true,
                "int m = min(n, 4); int k = m; do { /**/f(); } while (--k > 0);",
            ),
            (
                true,
                "while (__syncthreads_or(s[threadIdx.x])) { /**/f(); }",
            ),
            (true, "__shared__ int more; while (more) { /**/f(); }"),
            (false, "if (threadIdx.x < n) { /**/f(); }"),
            (
                false,
                "const int t = threadIdx.x, u = t; if (u < n) { /**/f(); }",
            ),
            (
                false,
                "for (int i = threadIdx.x; i < n; i += blockDim.x) { /**/f(); }",
            ),
            (
                false,
                "int k = 0; if (threadIdx.x == 0) k = 1; if (k) { /**/f(); }",
            ),
            (
                false,
                "const int i = threadIdx.x; if (i >= n) return; /**/f();",
            ),
            (true, "/**/f(); if (threadIdx.x >= n) return;"),
            (
                false,
                "for (int i = 0; i < n; i++) { /**/f(); if (threadIdx.x == i) break; }",
            ),
            (
                true,
                "for (int i = 0; i < n; i++) { if (threadIdx.x == i) continue; g(); } /**/f();",
            ),
            (false, "int k; g(&k); if (k) { /**/f(); }"),
            (false, "int k = atomicAdd(s, 1); if (k) { /**/f(); }"),
        ] {
            let text = format!("__global__ void k(int* s, int n) {{ {body} }}");
            check(Group::Block, passed, &text);
        }
    }

    #[test]
    fn conditions_of_warps() {
        for (passed, condition) in [
            (true, "t < 32"),
            (true, "t < width"),
            (true, "t / warpSize == 0"),
            (true, "(t >> 5) < n"),
            (false, "t < 16"),
            (false, "t < n"),
            (false, "t % 32 < 3"),
        ] {
            let text = format!(
                "constexpr int width = 64;\n\
                 __global__ void k(int* s, int n) {{\n\
                 int t = threadIdx.x; if ({condition}) {{ /**/f(); }} }}"
            );
            check(Group::Warp, passed, &text);
            check(Group::Block, false, &text);
        }
    }

    #[test]
    fn calls() {
        for (passed, call) in [
            (true, "f(threadIdx.x, n);"),
            (false, "f(n, threadIdx.x);"),
            (false, "if (threadIdx.x < n) f(0, n);"),
            (false, ""),
        ] {
            let text = format!(
                "__device__ void f(int t, int m) {{ if (m > 2) {{ /**/g(); }} }}\n\
                 __global__ void k(int n) {{ {call} }}"
            );
            check(Group::Block, passed, &text);
        }
    }
}
