//! Texture fetches, surface reads and writes: accesses of texels inside a call.

use super::NamedCall;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::names::{Meaning, meaning};
use hirace_syntax::tree::{Kind, Node};

/// Whether a call accesses texels, and how.
fn texel_access(name: &str) -> Option<SiteKind> {
    match meaning(name)? {
        Meaning::TextureFetch | Meaning::SurfaceRead => Some(SiteKind::Read),
        Meaning::SurfaceWrite => Some(SiteKind::Write),
        _ => None,
    }
}

/// The number of a fetch's arguments after the object.
fn coordinates(name: &str) -> Option<usize> {
    let (name, levels) = match (name.strip_suffix("Lod"), name.strip_suffix("Grad")) {
        (Some(name), _) => (name, 1),
        // A gradient for each coordinate, twice.
        (_, Some(name)) => (name, 2 * coordinates(name.trim_end_matches("Layered"))?),
        _ => (name, 0),
    };
    let (name, layers) = match name.strip_suffix("Layered") {
        Some(name) => (name, 1),
        None => (name, 0),
    };
    let own = match name {
        "tex1D" | "tex1Dfetch" => 1,
        "tex2D" => 2,
        "tex3D" | "texCubemap" => 3,
        _ => return None,
    };
    Some(own + levels + layers)
}

impl Rewriter<'_> {
    /// Whether a fetch with these arguments is from a texture reference: `tex2D(t, x, y)`. An object has no type, so
    /// its fetches have one in `<>`, or begin with the address of their result.
    fn fetches_from_reference(&self, name: &str, given: &[Node<'_>]) -> bool {
        match coordinates(name) {
            Some(count) => given.len() == count + 1,
            None => !given.first().is_some_and(|it| it.is_address(self.source)),
        }
    }

    /// `tex2D<float>(t, x, y)`, `surf2Dwrite(v, s, x, y)` and relatives; false for any
    /// other call.
    pub(super) fn texels(&mut self, call: NamedCall<'_>) -> bool {
        let NamedCall {
            callee,
            arguments,
            name,
            ..
        } = call;
        let given: Vec<Node<'_>> = arguments.named_children().collect();
        let Some(kind) = texel_access(name).filter(|_| call.scope.is_none_or(str::is_empty)) else {
            return false;
        };
        if !self.users_functions(call).is_empty() {
            return false;
        }
        // `tex2D(&out, t, …)` and writes have the stored value before the object.
        let stores = match kind {
            SiteKind::Write => true,
            _ => !callee.is(Kind::TemplateFunction) && !self.fetches_from_reference(name, &given),
        };
        let Some(object) = given.get(usize::from(stores)) else {
            return false;
        };
        let variable = self.root(*object);
        if !self.on_cpu() {
            let reason = format!("`{name}` accesses memory without hooks");
            self.sites.not_monitored(callee.start(), reason);
        } else if self.wanted(object.range(), &variable)
            // The text of the site is the whole call.
            && let Some(id) = self.site(kind, callee.start()..arguments.end(), &variable)
        {
            self.edits
                .open(object.start(), format!("::hirace::texels({id}, "));
            self.edits.close(object.end(), ")");
        }
        if stores && kind == SiteKind::Read {
            if let Some(target) = given.first() {
                self.pointed_to(*target, Role::Store);
            }
            for value in &given[1..] {
                self.expression(*value, Role::Load);
            }
        } else {
            self.expressions(arguments, Role::Load);
        }
        true
    }
}
