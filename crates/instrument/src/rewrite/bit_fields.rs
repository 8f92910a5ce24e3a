//! Accesses to bit-fields.
//!
//! A reference cannot bind to a bit-field, so the hook wraps the object. It also takes a function
//! that marks the bytes of the bit-field (`device/hirace/hooks/bits.h`).

use std::cmp::Reverse;

use super::binding::Storage;
use super::context::Rewriter;
use super::facts::Class;
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
        let text = match groups {
            [group, rest @ ..] if rest.iter().all(|it| it == group) => {
                filling_around(name, self.group(*group), Presence::AsDeclared)
            }
            _ => self.filling_of_class(groups, name),
        };
        format!("[](auto& hirace_object) {{ {text}}}")
    }

    /// The same if several classes have such a bit-field, and the source does not show which one it is. The
    /// compiler tells them apart by the names of their members: of the classes whose members the object has,
    /// it is the one with most of them.
    fn filling_of_class(&self, groups: &[usize], name: &str) -> String {
        let mut choices = Vec::new();
        for &group in groups {
            choices.extend(self.class_of_bits(group, name).map(|it| (it, group)));
            choices.push((certain_names(self.group(group)), group));
        }
        // With the same names, the smaller group is the one that hides no other member between its own.
        choices.sort_by_key(|(names, group)| (Reverse(names.len()), self.group(*group).len()));
        choices.dedup_by(|(later, _), (earlier, _)| later == earlier);
        let mut text = String::new();
        for (names, group) in choices {
            let has = names.iter().map(|it| format!("HIRACE_HAS_MEMBER({it})"));
            let has = has.collect::<Vec<_>>().join(" && ");
            let fill = filling_around(name, self.group(group), Presence::Unknown);
            text += &format!("if ({has}) {{ {fill}}} else ");
        }
        format!("{text}{{ HIRACE_FILL({name}) }} ")
    }

    fn group(&self, number: usize) -> &[Adjacent] {
        self.facts.bit_groups.get(number).map_or(&[], Vec::as_slice)
    }

    /// The names of all members of the class that has the bit-field `name` in a group.
    fn class_of_bits(&self, group: usize, name: &str) -> Option<Vec<&str>> {
        let is_in_group =
            |it: &&Class| it.fields.get(name).is_some_and(|it| it.bits == Some(group));
        let class = self.facts.classes.values().find(is_in_group)?;
        let names = class.fields.keys().map(String::as_str);
        let mut names: Vec<&str> = names.filter(|it| !it.is_empty()).collect();
        names.sort_unstable();
        Some(names)
    }
}

/// Whether a class has the members of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// Those that the preprocessor does not leave out.
    AsDeclared,
    /// The class may be another one.
    Unknown,
}

/// The names of the bit-fields that the class certainly has.
fn certain_names(group: &[Adjacent]) -> Vec<&str> {
    let mut names = Vec::new();
    for member in group {
        if let Adjacent::Bits { name, uncertain } = member
            && !uncertain
        {
            names.push(name.as_str());
        }
    }
    names.sort_unstable();
    names
}

/// Fills the bit-field `name` and its neighbours in a group, as far as nothing separates them.
fn filling_around(name: &str, group: &[Adjacent], presence: Presence) -> String {
    let is_it = |it: &Adjacent| matches!(it, Adjacent::Bits { name: other, .. } if other == name);
    let Some(at) = group.iter().rposition(is_it) else {
        return format!("HIRACE_FILL({name}) ");
    };
    let (before, after) = group.split_at(at);
    let before = filling_in_turn(before.iter().rev(), presence);
    before + &filling_in_turn(after.iter(), presence)
}

/// Fills bit-fields in the order given, as far as nothing separates one from the next.
fn filling_in_turn<'a>(members: impl Iterator<Item = &'a Adjacent>, presence: Presence) -> String {
    let mut text = String::new();
    let mut open = 0;
    for member in members {
        match member {
            Adjacent::Bits {
                name,
                uncertain: false,
            } if presence == Presence::AsDeclared => text += &format!("HIRACE_FILL({name}) "),
            Adjacent::Bits { name, .. } => text += &format!("HIRACE_FILL_IF({name}) "),
            Adjacent::Separator { name } => {
                text += &format!("if (!HIRACE_HAS_MEMBER({name})) {{ ");
                open += 1;
            }
        }
    }
    text + &"} ".repeat(open)
}
