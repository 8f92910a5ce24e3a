//! Loops without barriers, as lambdas inside a coroutine.
//!
//! What a lambda declares can be in registers, unlike the variables of the coroutine. So the lambda has copies of the
//! numbers that the loop changes, if nothing but their values is used; everything else it uses by reference.

use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::declarators;

use super::own_nodes;
use crate::rewrite::context::Rewriter;
use crate::rewrite::lowering::Variable;
use crate::rewrite::names::is_scalar;

/// Whether a loop does not leave the function, or anything around it.
pub(super) fn may_be_lambda(node: Node<'_>) -> bool {
    let mut inside = own_nodes(node);
    inside.all(|it| match it.kind() {
        Kind::ReturnStatement | Kind::LabeledStatement => false,
        Kind::CaseStatement => it
            .ancestors_within(node)
            .any(|it| it.is(Kind::SwitchStatement)),
        _ => true,
    })
}

impl Rewriter<'_> {
    /// Makes a loop of a kernel with this body a lambda that is called at once.
    pub(super) fn make_lambda(&mut self, body: Node<'_>, node: Node<'_>) {
        let (mut captures, mut copies, mut results) = (String::new(), String::new(), String::new());
        for (number, name) in self.numbers_changed_in(body, node).iter().enumerate() {
            captures += &format!(", &hirace_v{number} = {name}");
            copies += &format!(" HIRACE_REGION_LOOP_TEXT(auto {name} = hirace_v{number};)");
            results += &format!(" HIRACE_REGION_LOOP_TEXT(hirace_v{number} = {name};)");
        }
        let begin = format!("HIRACE_BEGIN_REGION_LOOP({captures}){copies} ");
        let end = format!("{results} HIRACE_END_REGION_LOOP");
        self.edits.open(node.start(), begin);
        self.edits.close(node.end(), end);
    }

    /// The names of numbers that the kernel declares outside of a loop and the loop changes, and of which only values
    /// are used.
    fn numbers_changed_in(&self, body: Node<'_>, around: Node<'_>) -> Vec<String> {
        let is_in_scope = |it: &Node<'_>| {
            let scope = it.parent().map_or(0..0, Node::range);
            it.start() < around.start() && scope.contains(&around.start())
        };
        let declarations = own_nodes(body).filter(|it| it.is(Kind::Declaration));
        let mut names = Vec::new();
        for node in declarations.filter(is_in_scope) {
            let Some(kind) = node.child(Field::Type) else {
                continue;
            };
            let is_plain = is_scalar(self.text(kind))
                && self.prepass.qualifiers_of(node) == Qualifiers::default()
                && !["static", "extern"]
                    .iter()
                    .any(|it| node.has_storage_class(it, self.source))
                && !["const", "constexpr", "volatile"]
                    .iter()
                    .any(|it| node.has_type_qualifier(it, self.source));
            for declarator in declarators(node, self.source) {
                let name = declarator.name.filter(|it| it.is(Kind::Identifier));
                let Some(name) = name.filter(|_| is_plain && declarator.layers.is_empty()) else {
                    continue;
                };
                let variable = Variable::number(self.text(name), self.text(kind));
                if self.is_changed_and_used_by_value(body, around, name, &variable) {
                    names.push(variable.name);
                }
            }
        }
        names
    }

    fn is_changed_and_used_by_value(
        &self,
        body: Node<'_>,
        around: Node<'_>,
        declared: Node<'_>,
        variable: &Variable,
    ) -> bool {
        let mentions = body
            .descendants()
            .filter(|it| it.is_leaf() && !it.is(Kind::FieldIdentifier))
            .filter(|it| *it != declared && self.text(*it) == variable.name);
        let mut changed = false;
        for it in mentions {
            let target = it.parent().filter(|parent| match parent.kind() {
                Kind::AssignmentExpression => it.field() == Field::Left,
                kind => kind == Kind::UpdateExpression,
            });
            let fits = match target {
                Some(parent) => self.is_result_plain(parent, variable).is_some(),
                None => self.is_value_used(it, variable),
            };
            let in_the_open = own_nodes(body).any(|own| own == it);
            if !it.is(Kind::Identifier) || !fits || !in_the_open {
                return false;
            }
            changed |= target.is_some() && around.range().contains(&it.start());
        }
        changed
            && self
                .named_by_macro(std::slice::from_ref(variable))
                .is_none()
    }
}
