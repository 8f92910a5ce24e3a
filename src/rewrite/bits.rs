//! Accesses to bit-fields.
//!
//! No reference binds to a bit-field, so that the hook goes around the object, with a
//! function that tells which of its bytes are meant (`device/hirace/bits.h`).

use crate::model::SiteKind;
use crate::parse::tree::{Field, Kind, Node};

use super::classify::{bare_name, operator};
use super::context::{Rewriter, Role};
use super::scope::Storage;

impl Rewriter<'_> {
    /// `x.f` or `x->f` with a bit-field `f`; false for anything else.
    pub(crate) fn bit_field_of(&mut self, node: Node<'_>, role: Role) -> bool {
        if role == Role::Locate || !node.is(Kind::FieldExpression) {
            return false;
        }
        let (Some(object), Some(member)) = (node.child(Field::Argument), node.child(Field::Member))
        else {
            return false;
        };
        let Some(fill) = self.filled(Some(object), self.text(member)) else {
            return false;
        };
        let arrow = operator(node, self.source) == "->";
        if !arrow && self.storage(object) != Storage::Memory {
            return false;
        }
        let Some(hook) = self.bits_hook(node, role) else {
            return false;
        };
        let (before, after) = if arrow { ("*(", ")") } else { ("", "") };
        self.edits.open(object.start(), format!("{hook}, {before}"));
        self.expression(object, if arrow { Role::Base } else { Role::Locate });
        self.edits.close(object.end(), format!("{after}, {fill})"));
        if arrow && let Some(sign) = node.child(Field::Operator) {
            self.edits.replace(self.source, sign.range(), ".");
        }
        true
    }

    /// A bit-field named alone in a method of its class; false for anything else.
    pub(crate) fn bit_field_here(&mut self, node: Node<'_>, role: Role) -> bool {
        let name = self.text(node);
        if role == Role::Locate || self.scopes.get(name).is_some() {
            return false;
        }
        let bits = self.member(name).and_then(|it| it.bits);
        let Some(fill) = bits.map(|group| self.filling(&[group], name)) else {
            return false;
        };
        let Some(hook) = self.bits_hook(node, role) else {
            return false;
        };
        self.edits
            .open(node.start(), format!("{hook}, *this, {fill})."));
        true
    }

    /// The hook's name and its first argument.
    fn bits_hook(&mut self, node: Node<'_>, role: Role) -> Option<String> {
        let (hook, kind) = match role {
            Role::Store | Role::StoreFrom => ("write_bits", SiteKind::Write),
            Role::Update | Role::Exchange => ("update_bits", SiteKind::Update),
            _ => ("read_bits", SiteKind::Read),
        };
        let variable = self.root(node);
        if !self.wanted(node.range(), &variable) {
            return None;
        }
        let id = self.site(kind, node.range(), &variable)?;
        Some(format!("::hirace::{hook}({id}"))
    }

    /// The function that fills the bit-field `name` of `object` and those beside it; none
    /// where it may be something else.
    fn filled(&self, object: Option<Node<'_>>, name: &str) -> Option<String> {
        let known = object
            .and_then(|it| self.type_text(it))
            .and_then(|class| self.facts.member(bare_name(&class), name));
        let groups: Vec<usize> = match known {
            Some(field) => vec![field.bits?],
            None => {
                let all = self.facts.fields.get(name)?.iter();
                all.map(|it| it.bits).collect::<Option<_>>()?
            }
        };
        Some(self.filling(&groups, name))
    }

    fn filling(&self, groups: &[usize], name: &str) -> String {
        let alone = vec![name.to_owned()];
        let names = match groups {
            [group, rest @ ..] if rest.iter().all(|it| it == group) => {
                self.facts.bit_groups.get(*group).unwrap_or(&alone)
            }
            // Classes of which nobody says which it is.
            _ => &alone,
        };
        let fields: Vec<String> = names
            .iter()
            .map(|it| format!("HIRACE_FILL({it})"))
            .collect();
        format!("[](auto& hirace_object) {{ {} }}", fields.join(" "))
    }
}
