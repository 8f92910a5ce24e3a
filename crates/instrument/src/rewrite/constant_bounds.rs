//! Reads of arrays in constant memory: no thread writes them, so that only the bounds are checked: those of the whole
//! object where an array is a member.

use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};

use super::context::Rewriter;

impl Rewriter<'_> {
    /// Checks the bounds of `node` if it is an element of such an array, or a part of one, and if an index
    /// is no number. Returns whether it does.
    pub(super) fn constant_element(&mut self, node: Node<'_>) -> bool {
        let Some((element, name)) = self.element_of_constant(node) else {
            return false;
        };
        let Some(id) = self.access_site(SiteKind::Read, element.range(), &name) else {
            return false;
        };
        let number = self.variable_count;
        self.variable_count += 1;
        let key = self.named(number, name.clone());
        let text = format!("::hirace::cpu::element_of({id}, 0x{key:08x}u, {name}, ");
        self.edits.open(element.start(), text);
        self.edits.close(element.end(), ")");
        true
    }

    /// The outermost indexed part of `node`, and the name of the array, or of the object that has it as a member.
    fn element_of_constant<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, String)> {
        if !self.on_cpu() || self.body.is_some() {
            return None;
        }
        let (mut element, mut varies) = (None, false);
        let mut at = node;
        loop {
            let inner = match at.kind() {
                Kind::SubscriptExpression => {
                    let array = at.child(Field::Argument)?;
                    element = element.or(Some(at));
                    let index = self.source.get(array.end()..at.end())?;
                    let index = index.trim().trim_start_matches('[').trim_end_matches(']');
                    varies |= !index.trim().chars().all(|it| it.is_ascii_digit());
                    Some(array)
                }
                Kind::FieldExpression => {
                    let object = at.child(Field::Argument)?;
                    let rest = self.source.get(object.end()..at.end())?;
                    (!rest.trim_start().starts_with("->")).then_some(object)
                }
                Kind::ParenthesizedExpression => at.first_named(),
                Kind::Identifier => break,
                _ => None,
            };
            at = inner?;
        }
        let name = self.text(at);
        let hidden = self.scopes.get(name).is_some() || self.member(name).is_some();
        let variable = self.facts.variable(name, self.path).filter(|_| !hidden)?;
        (varies && variable.constant).then_some((element?, name.to_owned()))
    }
}
