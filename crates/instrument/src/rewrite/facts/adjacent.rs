//! Which bit-fields of a class are side by side, and so one memory location.
//!
//! A member between two bit-fields separates them, unless the preprocessor leaves it out. Where that is not known,
//! the compiler decides: a name that the class has only with the member tells it.

use hirace_syntax::prepass::Prepass;
use hirace_syntax::tree::{Field, Kind, Node};

/// One of several members in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Adjacent {
    /// A bit-field.
    Bits {
        name: String,
        /// Whether the preprocessor may leave it out.
        uncertain: bool,
    },
    /// What separates the bit-fields before and after it if the class has a member of this name.
    Separator { name: String },
}

/// Whether the preprocessor may leave out a member and keep its class.
pub(crate) fn is_uncertain_member(node: Node<'_>, prepass: &Prepass) -> bool {
    let class = node.ancestors().find(|it| it.is_class());
    let begin = class.map_or(0, Node::start);
    let mut uncertain = prepass.directives.uncertain.iter();
    uncertain.any(|it| it.start > begin && it.contains(&node.start()))
}

/// Whether a member is `unsigned : 0;`, which separates bit-fields.
pub(crate) fn is_empty_bit_field(node: Node<'_>, source: &str) -> bool {
    let width = node.child_of(Kind::BitfieldClause);
    let width = width.map_or("", |it| it.text(source));
    width.trim_start_matches([':', ' ']) == "0"
}

/// The name that marks an empty bit-field which the preprocessor may leave out, as an enumerator of its class.
/// `None` for any other member, and in an anonymous class, which can have no enumerators.
pub(crate) fn separator_mark(node: Node<'_>, prepass: &Prepass, source: &str) -> Option<String> {
    let class = node.ancestors().find(|it| it.is_class())?;
    let declares = class.parent().filter(|it| it.is(Kind::FieldDeclaration));
    let anonymous = class.class_name().is_none()
        && declares.is_some_and(|it| it.child(Field::Declarator).is_none());
    let marked = is_empty_bit_field(node, source) && is_uncertain_member(node, prepass);
    (marked && !anonymous).then(|| format!("hirace_separator_{}", node.start()))
}
