//! The variable at the root of an lvalue; reports name it.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use super::MAX_STEPS;
use super::macro_object::MacroRoot;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::{is_named_cast, passes_through};

impl Rewriter<'_> {
    /// The variable at the root of an lvalue.
    pub(crate) fn root(&self, node: Node<'_>) -> String {
        let mut node = node;
        for _ in 0..MAX_STEPS {
            let next = match node.kind() {
                Kind::Identifier | Kind::TypeIdentifier => {
                    let name = self.text(node);
                    let of_macro = || self.macro_root_name(name);
                    return of_macro().unwrap_or_else(|| name.to_owned());
                }
                Kind::QualifiedIdentifier => return split_name(node, self.source).0,
                Kind::FieldExpression => match node.child(Field::Argument) {
                    Some(base) if !base.is(Kind::This) => Some(base),
                    _ => {
                        let field = node.child(Field::Member);
                        return field.map_or(String::new(), |it| self.text(it).to_owned());
                    }
                },
                Kind::SubscriptExpression | Kind::PointerExpression | Kind::UpdateExpression => {
                    node.child(Field::Argument)
                }
                Kind::CastExpression => node.child(Field::Value),
                Kind::BinaryExpression | Kind::AssignmentExpression => node.child(Field::Left),
                Kind::ConditionalExpression => node.child(Field::Consequence),
                Kind::CommaExpression => node.child(Field::Right),
                Kind::ParenthesizedExpression => node.first_named(),
                Kind::This => return "this".to_owned(),
                Kind::CallExpression => {
                    let callee = node.child(Field::Function);
                    let first = node.arguments().next();
                    match callee {
                        // The same variable, in another block of a cluster.
                        Some(callee)
                            if callee.is(Kind::FieldExpression)
                                && self.method_name(callee) == "map_shared_rank" =>
                        {
                            first
                        }
                        Some(callee) if callee.is(Kind::FieldExpression) => {
                            callee.child(Field::Argument)
                        }
                        Some(callee) => {
                            let (name, _) = split_name(callee, self.source);
                            if is_named_cast(&name) || passes_through(&name) {
                                first
                            } else {
                                match self.macro_root(node, &name) {
                                    Some(MacroRoot::Argument(inner)) => Some(inner),
                                    Some(MacroRoot::Name(inner)) => return inner,
                                    // An object that gives access, such as a lambda.
                                    None if self.scopes.get(&name).is_some() => return name,
                                    None => self.pointer_among(node.arguments()),
                                }
                            }
                        }
                        None => None,
                    }
                }
                _ => None,
            };
            let Some(next) = next else { break };
            node = next;
        }
        String::new()
    }

    /// The pointer or array among the arguments of a call, whose memory the result is probably in.
    fn pointer_among<'a>(&self, mut arguments: impl Iterator<Item = Node<'a>>) -> Option<Node<'a>> {
        arguments.find(|it| {
            let shape = self.shape(*it);
            shape.pointers > 0 || shape.rank > 0
        })
    }
}
