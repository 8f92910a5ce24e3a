//! Whether the text shows that all threads of a group reach a statement.
//!
//! That they reached it in the trial runs proves nothing for other input: `if (i < n)` holds for
//! all threads if `n` happens to fit. So all decisions that a barrier is control dependent on
//! (`hirace_ir::control`) must be uniform. Uniform values are constants,
//! parameters of the kernel, `blockIdx`, and values that statements which all threads execute
//! compute from these. Values read from memory at a uniform address count as uniform too; the
//! executor reports barriers where they are not. A variable in shared memory is uniform if barriers
//! separate its reads from its writes.

use hirace_ir::function::Decision;
use hirace_syntax::names::{Meaning, meaning};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::is_builtin_type;

use super::syntax::{Sources, Syntax};
use affine::WARP_SIZE;
use groups::Object;

mod affine;
mod groups;
mod lanes;
mod shared;
#[cfg(test)]
mod tests;
mod variables;

pub(super) use shared::is_barrier;

/// The threads that a barrier joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// All threads of the block.
    Block,
    /// All lanes of a tile of so many, which are fewer than those of a warp.
    Tile(i64),
    /// All lanes of the warp.
    Warp,
    /// All threads of the cluster.
    Cluster,
    /// All threads of the grid.
    Grid,
}

impl Group {
    /// Whether the group has threads of several blocks.
    fn spans_blocks(self) -> bool {
        matches!(self, Self::Cluster | Self::Grid)
    }

    /// The number of lanes, if all are of one warp.
    pub(super) fn lanes(self) -> Option<i64> {
        match self {
            Self::Tile(width) => Some(width),
            Self::Warp => Some(WARP_SIZE),
            Self::Block | Self::Cluster | Self::Grid => None,
        }
    }
}

/// The longest chain of calls to follow from the kernel to a statement.
const MAX_CALL_DEPTH: usize = 4;

/// Whether a function returns the same value to all threads that give it the same arguments, and changes none.
fn is_pure(name: &str) -> bool {
    is_builtin_type(name) || matches!(meaning(name), Some(Meaning::Numeric | Meaning::HintedLoad))
}

/// Whether all threads of the group that run the kernel reach `node`.
pub(super) fn passed_by_all(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    node: Node<'_>,
    group: Group,
) -> bool {
    Check { sources, group }.is_passed(syntax, node, 0)
}

/// Whether an expression has one value for all threads of the group.
pub(super) fn is_uniform(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    expression: Node<'_>,
    group: Group,
) -> bool {
    let scope = Scope::around(syntax, expression, 0);
    scope.is_some_and(|it| Check { sources, group }.is_uniform(&it, expression, &mut Vec::new()))
}

/// The variable of a cooperative group whose barrier is one of this group, if the function around a place
/// has declared one before it.
pub(super) fn object_for<'t>(
    sources: &Sources<'_>,
    syntax: &'t Syntax<'_>,
    place: Node<'t>,
    group: Group,
) -> Option<&'t str> {
    let scope = Scope::around(syntax, place, 0)?;
    let wanted = match group {
        Group::Tile(width) => Object::Tile(width),
        Group::Warp => Object::Tile(WARP_SIZE),
        Group::Block => Object::Block,
        Group::Cluster => Object::Cluster,
        Group::Grid => Object::Grid,
    };
    groups::visible(&Check { sources, group }, &scope, place, wanted)
}

/// Whether a statement is a barrier of the group, or of a larger one, by a variable of a cooperative group.
fn is_barrier_by_object(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    group: Group,
) -> bool {
    let Some(scope) = Scope::around(syntax, statement, 0) else {
        return false;
    };
    let call = statement.first_named();
    let object = call.and_then(|it| groups::called_on(&Check { sources, group }, &scope, it));
    object.is_some_and(|(object, method)| match (object, group) {
        _ if method != "sync" => false,
        (Object::Tile(width), _) => group.lanes().is_some_and(|it| it <= width),
        (Object::Block, _) => !group.spans_blocks(),
        (Object::Cluster, _) => group != Group::Grid,
        (Object::Grid, _) => true,
    })
}

/// Whether the number of a warp or a tile selects the place, as with an array that has an element per warp.
pub(super) fn is_of_one(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    place: Node<'_>,
    group: Group,
) -> bool {
    let Some(scope) = Scope::around(syntax, place, 0) else {
        return false;
    };
    let is_uniform = |group, it| Check { sources, group }.is_uniform(&scope, it, &mut Vec::new());
    let referenced = place.descendants_of(Kind::Identifier);
    let referenced = referenced.filter_map(|it| scope.referenced(it));
    let has_value = |it: &Node<'_>| {
        let kinds = [
            Kind::Identifier,
            Kind::CallExpression,
            Kind::BinaryExpression,
        ];
        kinds.contains(&it.kind())
    };
    std::iter::once(place)
        .chain(referenced)
        .flat_map(Node::descendants)
        .filter(has_value)
        .any(|it| is_uniform(group, it) && !is_uniform(Group::Block, it))
}

struct Check<'s> {
    sources: &'s Sources<'s>,
    group: Group,
}

impl Check<'_> {
    fn is_passed(&self, syntax: &Syntax<'_>, node: Node<'_>, depth: usize) -> bool {
        let Some(scope) = Scope::around(syntax, node, depth) else {
            return false;
        };
        let flow = self.sources.control_flow(syntax, scope.function);
        let place = flow.place(node);
        let decisions = place.map_or_else(|| vec![None], |it| flow.decisions(it));
        self.are_uniform(&scope, &decisions, &mut Vec::new()) && self.is_called_by_all(&scope)
    }

    /// Whether decisions come out the same for all threads of the group.
    fn are_uniform(
        &self,
        scope: &Scope<'_>,
        decisions: &[Option<&Decision>],
        open: &mut Vec<String>,
    ) -> bool {
        decisions
            .iter()
            .all(|it| it.is_some_and(|it| self.is_uniform(scope, scope.syntax.at(&it.value), open)))
    }

    fn is_called_by_all(&self, scope: &Scope<'_>) -> bool {
        let passed =
            |(syntax, call): &(&Syntax<'_>, _)| self.is_passed(syntax, *call, scope.depth + 1);
        scope.is_kernel() || self.calls(scope).is_some_and(|it| it.iter().all(passed))
    }

    /// The calls of a function, in all files. None if there are none, or if the chain of calls is
    /// too long to follow.
    fn calls(&self, scope: &Scope<'_>) -> Option<Vec<(&Syntax<'_>, Node<'_>)>> {
        let name = scope.syntax.name(scope.function);
        let calls = self
            .sources
            .calls(name.filter(|_| scope.depth < MAX_CALL_DEPTH)?);
        (!calls.is_empty()).then_some(calls)
    }

    /// The arguments for a parameter in all calls, each with the calling function. None if the
    /// arguments are unknown.
    fn arguments(&self, scope: &Scope<'_>, index: usize) -> Option<Vec<(Scope<'_>, Node<'_>)>> {
        let calls = self.calls(scope)?.into_iter();
        let arguments = calls.map(|(syntax, call)| {
            let caller = Scope {
                syntax,
                function: call.enclosing_function()?,
                depth: scope.depth + 1,
            };
            Some((caller, call.arguments().nth(index)?))
        });
        arguments.collect()
    }

    /// Whether all threads that are at a place together have executed a definition equally often.
    fn is_done_by_all(
        &self,
        scope: &Scope<'_>,
        definition: Node<'_>,
        place: Node<'_>,
        open: &mut Vec<String>,
    ) -> bool {
        let flow = self.sources.control_flow(scope.syntax, scope.function);
        let places = flow.place(definition).zip(flow.place(place));
        places.is_some_and(|(definition, used)| {
            let decisions = flow.decisions_between(definition, used);
            self.are_uniform(scope, &decisions, open)
        })
    }

    /// Whether an expression is uniform. `open` are the variables that are being examined: one that
    /// depends only on itself is uniform.
    fn is_uniform(&self, scope: &Scope<'_>, expression: Node<'_>, open: &mut Vec<String>) -> bool {
        let expression = expression.without_parentheses();
        let source = scope.syntax.text;
        match expression.kind() {
            Kind::Identifier => {
                self.is_uniform_name(scope, expression.text(source), expression, open)
            }
            Kind::This => self.is_uniform_object(scope),
            Kind::LambdaExpression => false,
            Kind::CallExpression => {
                let name = expression.child_text(Field::Function, source);
                let name = name.rsplit(':').next().unwrap_or_default();
                let shared = match meaning(name) {
                    Some(Meaning::BlockBarrier) => !self.group.spans_blocks(),
                    Some(Meaning::WarpVote) => self.group.lanes().is_some(),
                    _ => false,
                };
                let arguments = expression.child(Field::Arguments);
                shared
                    || groups::agree(self, scope, expression)
                    || is_pure(name)
                        && arguments.is_some_and(|it| self.all_uniform(scope, it, open))
            }
            Kind::BinaryExpression
                if self.group.lanes().is_some() && lanes::agree(self, scope, expression, open) =>
            {
                true
            }
            _ => self.all_uniform(scope, expression, open),
        }
    }

    fn all_uniform(&self, scope: &Scope<'_>, node: Node<'_>, open: &mut Vec<String>) -> bool {
        node.named_children()
            .all(|it| self.is_uniform(scope, it, open))
    }

    /// Whether a variable is not a parameter, or its argument is uniform in all calls.
    fn is_uniform_parameter(&self, scope: &Scope<'_>, name: &str) -> bool {
        let Some((_, index)) = scope.parameter(name) else {
            return true;
        };
        let same = |(caller, argument): &(Scope<'_>, _)| {
            self.is_uniform(caller, *argument, &mut Vec::new())
        };
        let arguments = || self.arguments(scope, index);
        scope.is_kernel() || arguments().is_some_and(|it| it.iter().all(same))
    }
}

/// The function that is being examined.
struct Scope<'t> {
    syntax: &'t Syntax<'t>,
    function: Node<'t>,
    /// The number of calls from here to the statement in question.
    depth: usize,
}

impl<'t> Scope<'t> {
    /// The function around a node; none in a lambda.
    fn around(syntax: &'t Syntax<'t>, node: Node<'t>, depth: usize) -> Option<Self> {
        let function = node.enclosing_function();
        let function = function.filter(|it| it.is(Kind::FunctionDefinition))?;
        Some(Self {
            syntax,
            function,
            depth,
        })
    }

    fn is_kernel(&self) -> bool {
        self.syntax.is_kernel(self.function)
    }

    /// The block, or the loop, that declares the variable which has a name at a place; the function if it is a
    /// parameter or is declared outside.
    fn region(&self, name: &str, place: Node<'t>) -> Node<'t> {
        let declares = |it: Node<'_>| {
            let is_declaration = matches!(it.kind(), Kind::Declaration | Kind::ForRangeLoop);
            is_declaration && self.syntax.declares(it, name)
        };
        let binds = |it: &Node<'_>| {
            let lists = it.descendants_of(Kind::StructuredBindingDeclarator);
            let mut names = lists.flat_map(|it| it.descendants_of(Kind::Identifier));
            it.is(Kind::Declaration) && names.any(|it| self.syntax.node_text(it) == name)
        };
        let declares = |it: Node<'_>| declares(it) || binds(&it);
        let holds = |around: &Node<'t>| match around.kind() {
            Kind::ForRangeLoop => declares(*around),
            Kind::ForStatement => around.named_children().any(declares),
            Kind::CompoundStatement => around
                .named_children()
                .take_while(|it| it.start() < place.start())
                .any(declares),
            _ => false,
        };
        let mut around = place.ancestors_within(self.function);
        around.find(holds).unwrap_or(self.function)
    }

    /// What a local reference refers to.
    fn referenced(&self, name: Node<'t>) -> Option<Node<'t>> {
        let text = self.syntax.node_text(name);
        let region = self.region(text, name);
        let declares = |it: &Node<'t>| {
            let mut names = it.descendants_of(Kind::Identifier);
            it.is(Kind::ReferenceDeclarator) && names.any(|it| self.syntax.node_text(it) == text)
        };
        let mut declarators = region.descendants_of(Kind::InitDeclarator);
        let found =
            declarators.find(|it| it.child(Field::Declarator).as_ref().is_some_and(declares))?;
        found.child(Field::Value)
    }

    /// Whether the function has a parameter of a name.
    fn declares_parameter(&self, name: &str) -> bool {
        self.parameter(name).is_some()
    }

    /// Whether it is a member of a class.
    fn is_method(&self) -> bool {
        let is_qualified = || {
            let mut heads = self.function.descendants_of(Kind::FunctionDeclarator);
            let name = heads.next().and_then(|it| it.child(Field::Declarator));
            name.is_some_and(|it| it.is(Kind::QualifiedIdentifier))
        };
        self.function.ancestors().any(Node::is_class) || is_qualified()
    }

    /// Whether a variable is an array that a thread has for itself.
    fn is_array(&self, name: &str) -> bool {
        let declares = |it: &Node<'_>| it.is(Kind::Declaration) && self.syntax.declares(*it, name);
        let declaration = self.function.descendants().find(declares);
        declaration.is_some_and(|it| {
            let text = self.syntax.node_text(it);
            text.contains('[') && !self.syntax.qualifiers(it).has(Qualifiers::SHARED)
        })
    }

    /// The declaration of a parameter, and its index.
    fn parameter(&self, name: &str) -> Option<(Node<'_>, usize)> {
        self.syntax.parameter(self.function, name)
    }

    /// Whether each block has a value of its own.
    fn differs_by_block(&self, name: &str) -> bool {
        let mut declarations = self.syntax.declarations(self.function, name);
        name == "blockIdx" || declarations.any(|it| self.syntax.is_in_shared(it))
    }

    /// Whether a variable denotes memory that threads share: a write to that memory does not change
    /// the variable.
    fn is_memory(&self, name: &str) -> bool {
        let declares = |it: &Node<'_>| {
            matches!(it.kind(), Kind::Declaration | Kind::ParameterDeclaration)
                && self.syntax.declares(*it, name)
        };
        let declaration = self.function.descendants().find(declares);
        declaration.is_none_or(|declaration| {
            let text = self.syntax.node_text(declaration);
            self.syntax.qualifiers(declaration).has(Qualifiers::SHARED)
                || text.contains('*')
                || text.contains('[') && declaration.is(Kind::ParameterDeclaration)
        })
    }
}
