//! Accesses to bit-fields.
//!
//! A reference cannot bind to a bit-field, so the hook wraps the object. It also takes a function
//! that marks the bytes of the bit-field (`device/hirace/hooks/bits.h`).

use super::binding::Storage;
use super::context::Rewriter;
use super::facts::adjacent::{Adjacent, separator_mark};
use super::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};

impl Rewriter<'_> {
    /// Hooks `x.f` or `x->f` if `f` is or may be a bit-field; false for anything else.
    pub(crate) fn bit_field_of(&mut self, node: Node<'_>, role: Role) -> bool {
        if role == Role::Locate || !node.is(Kind::FieldExpression) {
            return false;
        }
        let (Some(object), Some(member)) = (node.child(Field::Argument), node.child(Field::Member))
        else {
            return false;
        };
        let name = self.text(member).to_owned();
        let Some(groups) = self.facts.bit_groups_of(&name) else {
            return false;
        };
        let arrow = node.operator(self.source) == "->";
        if !arrow && self.storage(object) != Storage::Memory {
            return false;
        }
        let known = self.member_of(object, &name).and_then(|it| it.bits);
        let hooks = match known {
            Some(group) => self.bits_hook(node, role).map(|(hook, id)| {
                let fill = self.filling(&[group], &name);
                (format!("{hook}({id}, "), fill)
            }),
            None => self.hooks_for_either(node, &name, &groups, role),
        };
        let Some((hook, rest)) = hooks else {
            return false;
        };
        let (before, after) = if arrow { ("*(", ")") } else { ("", "") };
        self.edits.open(object.start(), format!("{hook}{before}"));
        self.expression(object, if arrow { Role::Base } else { Role::Locate });
        self.edits.close(object.end(), format!("{after}, {rest})"));
        if arrow && let Some(sign) = node.child(Field::Operator) {
            self.replace(sign.range(), ".");
        }
        true
    }

    /// The text before and after the object of `node` when the compiler must decide whether its
    /// member `name` is a bit-field.
    fn hooks_for_either(
        &mut self,
        node: Node<'_>,
        name: &str,
        groups: &[usize],
        role: Role,
    ) -> Option<(String, String)> {
        let hook = self.hook(node, &self.shape(node), role)?;
        let (bits, id) = self.bits_hook(node, role)?;
        let fill = self.filling(groups, name);
        // A lambda without captures cannot name the expression that shows the type.
        let (target, given) = match &hook.target {
            Some(it) => (
                it.type_text.as_str(),
                format!("<typename decltype(hirace_target)::type{}>", it.place),
            ),
            None => ("void", String::new()),
        };
        let hook = hook.name;
        Some((
            format!("::hirace::at_member<{target}>("),
            format!(
                "[](auto& hirace_object, auto hirace_target) -> HIRACE_IF_BOUND({name}) \
                 {{ ::hirace::{hook}{given}({id}, hirace_object.{name}); }}, \
                 [](auto& hirace_owner) {{ {bits}({id}, hirace_owner, {fill}); }}"
            ),
        ))
    }

    /// Hooks a bit-field that a method of its class names without an object; false for anything
    /// else.
    pub(crate) fn bit_field_here(&mut self, node: Node<'_>, role: Role) -> bool {
        let name = self.text(node);
        if role == Role::Locate || self.scopes.get(name).is_some() {
            return false;
        }
        let bits = self.member(name).and_then(|it| it.bits);
        let Some(fill) = bits.map(|group| self.filling(&[group], name)) else {
            return false;
        };
        let Some((hook, id)) = self.bits_hook(node, role) else {
            return false;
        };
        self.edits
            .open(node.start(), format!("{hook}({id}, *this, {fill})."));
        true
    }

    /// The hook's name, and its site number as C++ text.
    fn bits_hook(&mut self, node: Node<'_>, role: Role) -> Option<(String, String)> {
        let (hook, kind) = match role {
            Role::Store | Role::StoreFrom => ("write_bits", SiteKind::Write),
            Role::Update | Role::Exchange => ("update_bits", SiteKind::Update),
            _ => ("read_bits", SiteKind::Read),
        };
        let variable = self.root(node);
        let id = self.access_site(kind, node.range(), &variable)?;
        Some((format!("::hirace::{hook}"), id))
    }

    /// Marks an empty bit-field that the preprocessor may leave out, for the functions that fill its neighbours.
    pub(crate) fn mark_separator(&mut self, node: Node<'_>) {
        if let Some(mark) = separator_mark(node, self.prepass, self.source) {
            self.edits.close(node.end(), format!(" enum {{ {mark} }};"));
        }
    }

    /// The function that fills the bit-field `name` and the bit-fields adjacent to it.
    fn filling(&self, groups: &[usize], name: &str) -> String {
        let only = vec![Adjacent::certain(name)];
        let members = match groups {
            [group, rest @ ..] if rest.iter().all(|it| it == group) => {
                self.facts.bit_groups.get(*group).unwrap_or(&only)
            }
            // Several classes have such a bit-field, and the source does not show which one it is.
            _ => &only,
        };
        let is_it =
            |it: &Adjacent| matches!(it, Adjacent::Bits { name: other, .. } if other == name);
        let at = members.iter().rposition(is_it).unwrap_or(0);
        let (before, after) = members.split_at(at);
        let mut text = filling_in_turn(before.iter().rev());
        text += &filling_in_turn(after.iter());
        format!("[](auto& hirace_object) {{ {}}}", text)
    }
}

/// Fills bit-fields in the order given, as far as nothing separates one from the next.
fn filling_in_turn<'a>(members: impl Iterator<Item = &'a Adjacent>) -> String {
    let mut text = String::new();
    let mut open = 0;
    for member in members {
        match member {
            Adjacent::Bits {
                name,
                uncertain: false,
            } => text += &format!("HIRACE_FILL({name}) "),
            Adjacent::Bits {
                name,
                uncertain: true,
            } => text += &format!("HIRACE_FILL_IF({name}) "),
            Adjacent::Separator { name } => {
                text += &format!("if (!HIRACE_HAS_MEMBER({name})) {{ ");
                open += 1;
            }
        }
    }
    text + &"} ".repeat(open)
}
