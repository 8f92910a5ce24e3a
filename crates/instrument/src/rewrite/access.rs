//! The hook around an access: whether the access needs one, which one, and where it begins and
//! ends.

use std::ops::Range;

use hirace_model::{ResultUse, SiteKind};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::Words;

use super::binding::{Shape, Storage};
use super::context::Rewriter;
use super::hooked::{Checks, Hooked};
use super::result_use::is_unused_update;
use super::role::{Role, Target};

/// Hooks that need the type of the value's target.
const TARGET_HOOKS: Words = Words::of("read_into read_called read_assigned write_from");

/// The hook function for an access.
pub(crate) struct Hook {
    pub(crate) name: &'static str,
    pub(crate) kind: SiteKind,
    /// The target of the value, if the hook needs its type.
    pub(crate) target: Option<Target>,
}

impl Rewriter<'_> {
    /// Opens a hook around the lvalue `node` if its use is an access to monitor. The caller closes
    /// it with [`Rewriter::close_access`].
    pub(crate) fn open_access(&mut self, node: Node<'_>, role: Role) -> bool {
        let shape = self.shape(node);
        let Some(hook) = self.hook(node, &shape, role) else {
            return false;
        };
        if shape.rank > 0 {
            return false;
        }
        let storage = self.storage(node);
        if storage != Storage::Memory {
            if self.constant_element(node) {
                return false;
            }
            self.sites.remarks.private += usize::from(self.is_object_access(node, storage));
            return false;
        }
        if self.is_packed(node) {
            let reason = format!("member of a packed struct `{}`", self.folded(node));
            self.sites.not_monitored(node.start(), reason);
            return false;
        }
        if let Some(name) = self.bit_field_macro(node) {
            let reason = format!("bit-field that the macro `{name}` stands for");
            self.sites.not_monitored(node.start(), reason);
            return false;
        }
        let variable = self.root(node);
        let Some(id) = self.access_site(hook.kind, node.range(), &variable) else {
            return false;
        };
        if hook.kind == SiteKind::Update && is_unused_update(node) {
            self.sites.last_result(ResultUse::Unused);
        }
        let target = hook.target.map_or_else(String::new, |it| format!("<{it}>"));
        let start = self.expression_start(node);
        let edit = self.edits.open(start, "");
        self.hooked.push(Hooked {
            range: node.range(),
            name: hook.name,
            target,
            id,
            edit,
            variable,
            checks: Checks::Everything,
        });
        true
    }

    /// Closes the hook around `node`.
    pub(crate) fn close_access(&mut self, node: Node<'_>, opened: bool) {
        if opened {
            self.edits.close(node.end(), ")");
        }
    }

    /// The hook for the use of the lvalue `node`; none if the use is not an access.
    pub(crate) fn hook(&self, node: Node<'_>, shape: &Shape, role: Role) -> Option<Hook> {
        let number = shape.pointers > 0 || shape.exact;
        let (name, kind) = match role {
            Role::Locate => return None,
            Role::Base if shape.rank > 0 || self.is_object(node) => return None,
            Role::Load => ("read", SiteKind::Read),
            Role::Copy | Role::Argument | Role::Base if number => ("read", SiteKind::Read),
            Role::Assigned if number => ("read", SiteKind::Read),
            Role::Copy => ("copy", SiteKind::Read),
            Role::Argument => ("read_argument", SiteKind::Read),
            Role::Initializer => ("read_into", SiteKind::Read),
            Role::Called => ("read_called", SiteKind::Read),
            Role::Taken => ("read_if_taken", SiteKind::Read),
            Role::Assigned => ("read_assigned", SiteKind::Read),
            Role::Base => ("read_pointer", SiteKind::Read),
            Role::StoreFrom if !number => ("write_from", SiteKind::Write),
            Role::Store | Role::StoreFrom => ("write", SiteKind::Write),
            Role::Update => ("update", SiteKind::Update),
            Role::Exchange => ("exchange", SiteKind::Update),
        };
        let target = TARGET_HOOKS.has(name).then(|| self.target.clone());
        Some(Hook { name, kind, target })
    }

    /// Whether to monitor the access at `range` to `variable`.
    pub(crate) fn wanted(&mut self, range: Range<usize>, variable: &str) -> bool {
        if self.sites.remarks.is_commented(range.start) {
            let text = self.shown(range.clone());
            return !self.sites.remarks.commented_out(range.start, &text, 1);
        }
        let function = &self.enclosing.name;
        let wanted = self.options.selection.monitors(function, variable);
        if !wanted {
            let what = format!("variable `{variable}` in `{function}`");
            self.sites.remarks.configured_out(range.start, what, 1);
        }
        wanted
    }

    /// Whether `node`, whose object is not in memory that threads share, still accesses an object:
    /// it is not a call, a register or a constant expression.
    fn is_object_access(&self, node: Node<'_>, storage: Storage) -> bool {
        if storage == Storage::Local {
            return true;
        }
        let operands = std::iter::successors(Some(node), |it| match it.kind() {
            Kind::SubscriptExpression | Kind::FieldExpression | Kind::PointerExpression => {
                it.child(Field::Argument)
            }
            Kind::ParenthesizedExpression => it.first_named(),
            _ => None,
        });
        let root = operands.last();
        let root =
            root.filter(|it| matches!(it.kind(), Kind::Identifier | Kind::QualifiedIdentifier));
        let binding = root.and_then(|it| self.binding(it));
        binding.is_some_and(|it| it.type_text != "typename")
    }

    /// Start of an expression, including a `typename` that the pre-pass blanked.
    pub(crate) fn expression_start(&self, node: Node<'_>) -> usize {
        if self.body.is_some() {
            return node.start();
        }
        self.prepass
            .begin(self.source, node.start(), |word| word == "typename")
    }
}
