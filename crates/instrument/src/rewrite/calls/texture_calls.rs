//! Texture fetches, surface reads and writes: accesses of texels inside a call.

use super::NamedCall;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Kind, Node};
use hirace_syntax::words::Words;

/// Functions that fetch through an object of type `cudaTextureObject_t`.
const FETCHES: Words = Words::of(
    "tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered \
     tex1DLod tex2DLod tex3DLod tex1DLayeredLod tex2DLayeredLod \
     tex1DGrad tex2DGrad tex3DGrad tex1DLayeredGrad tex2DLayeredGrad \
     texCubemap texCubemapLayered texCubemapLod texCubemapLayeredLod tex2Dgather",
);

/// Families of functions that access a surface, each with `read` and `write`.
const SURFACES: Words =
    Words::of("surf1D surf2D surf3D surf1DLayered surf2DLayered surfCubemap surfCubemapLayered");

/// Whether a call accesses texels, and how.
fn texel_access(name: &str) -> Option<SiteKind> {
    let is_surface = |suffix| name.strip_suffix(suffix).is_some_and(|it| SURFACES.has(it));
    if FETCHES.has(name) || is_surface("read") {
        Some(SiteKind::Read)
    } else {
        is_surface("write").then_some(SiteKind::Write)
    }
}

impl Rewriter<'_> {
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
        if !self.candidates(name, given.len()).is_empty() {
            return false;
        }
        // `tex2D(&out, t, …)` and writes have the stored value before the object.
        let stores = kind == SiteKind::Write || !callee.is(Kind::TemplateFunction);
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
