//! Whether the text shows that all threads of a group reach a statement.
//!
//! That they reached it in the trial runs proves nothing for other input: `if (i < n)` holds for
//! all threads if `n` happens to fit. So the conditions around a barrier, and around any statement
//! that may leave its function or loops earlier, must be uniform. Uniform values are constants,
//! parameters of the kernel, `blockIdx`, and values that statements which all threads execute
//! compute from these. Values read from memory at a uniform address count as uniform too; the
//! executor reports barriers where they are not.

use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};

use super::syntax::{Sources, Syntax, around, function_around, is_loop, without_parentheses};

mod lanes;
#[cfg(test)]
mod tests;
mod values;

/// The threads that a barrier joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// All threads of the block.
    Block,
    /// All lanes of the warp.
    Warp,
}

/// The longest chain of calls to follow from the kernel to a statement.
const MOST_CALLS: usize = 4;

/// Functions whose value is uniform if their arguments are.
const PURE: &[&str] = &[
    "abs", "ceil", "ceilf", "exp2f", "float", "floor", "floorf", "int", "log2", "log2f", "max",
    "min", "powf", "sqrt", "sqrtf", "unsigned", "__ldg", "__ffs", "__clz", "__popc",
];

/// Functions that return the same value to all threads of a block, or of a warp.
const SHARED_BY_BLOCK: &[&str] = &[
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
];
const SHARED_BY_WARP: &[&str] = &["__all_sync", "__any_sync", "__ballot_sync"];

/// Whether all threads of the group that run the kernel reach `node`.
pub(super) fn passed_by_all(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    node: Node<'_>,
    group: Group,
) -> bool {
    Check { sources, group }.is_passed(syntax, node, 0)
}

/// Whether the warp's number selects the place, as with an array that has an element per warp.
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

    /// Whether the conditions around a node are uniform.
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

    /// Whether an expression is uniform. `open` are the variables that are being examined: one that
    /// depends only on itself is uniform.
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
                if self.group == Group::Warp && lanes::agree(self, scope, expression, open) =>
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
                // Code that has its address may change it.
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

    /// Whether a variable is not a parameter, or its argument is uniform in all calls.
    fn is_same_parameter(&self, scope: &Scope<'_>, name: &str) -> bool {
        let Some((_, index)) = scope.parameter(name) else {
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

/// The function that is being examined.
struct Scope<'t> {
    syntax: &'t Syntax<'t>,
    function: Node<'t>,
    /// The number of calls from here to the statement in question.
    depth: usize,
}

impl Scope<'_> {
    fn is_kernel(&self) -> bool {
        let qualifiers = self.syntax.qualifiers(self.function);
        qualifiers.has(Qualifiers::GLOBAL)
    }

    /// The declaration of a parameter, and its index.
    fn parameter(&self, name: &str) -> Option<(Node<'_>, usize)> {
        let declarator = self
            .function
            .descendants()
            .find(|it| it.is(Kind::FunctionDeclarator));
        let list = declarator.and_then(|it| it.child(Field::Parameters))?;
        let mut parameters = list.named_children().enumerate();
        let (index, declaration) =
            parameters.find(|(_, it)| self.syntax.declared(*it) == Some(name))?;
        Some((declaration, index))
    }

    /// Whether an expression changes a variable, or a part of it.
    fn changes(&self, expression: Node<'_>, target: Field, name: &str) -> bool {
        let target = expression.child(target);
        let root = target.and_then(|it| it.descendants().find(|it| it.is(Kind::Identifier)));
        root.is_some_and(|it| self.syntax.node_text(it) == name)
            && (!self.is_memory(name) || target == root)
    }

    /// Whether a variable denotes memory that threads share: a write to that memory does not change
    /// the variable.
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
