//! Branches of `#if` that the grammar did not see, because they cannot be combined with the others.
//! They are listed if they may contain device code.

use std::ops::Range;

use super::context::{Extent, Rewriter};
use hirace_syntax::qualifier::Treatment;

impl Rewriter<'_> {
    /// Lists the dropped branches that the compiler may take.
    pub(crate) fn list_dropped_branches(&mut self, extents: &[Extent]) {
        for range in &self.prepass.directives.unchosen {
            // Sorted by start, and nested: the last one is the innermost.
            let before = extents.partition_point(|it| it.range.start <= range.start);
            let mut outer = extents[..before].iter().rev();
            let Some(around) = outer.find(|it| it.range.contains(&range.start)) else {
                continue;
            };
            let head = self.is_in_head(around, range);
            let runs = match around.on_device {
                true => !head || self.initialises(range),
                false => head && self.is_qualified(range),
            };
            if runs {
                let text = &self.source[range.clone()];
                let offset = range.start + text.len() - text.trim_start().len();
                let reason = "`#if` branch that cannot be combined with the other branches";
                self.sites.not_read(offset, text, reason);
            }
        }
    }

    /// Whether `range` is before the function's body: in its type, name or parameters.
    fn is_in_head(&self, function: &Extent, range: &Range<usize>) -> bool {
        let head = &self.prepass.text[function.range.start..range.start];
        !head.contains(&b'{')
    }

    /// Whether the branch contains a constructor's initialisers.
    fn initialises(&self, range: &Range<usize>) -> bool {
        let live = self.prepass.tokens_in(range);
        live.iter().any(|it| it.text(self.source) == ":")
            || self.source[range.clone()].contains('{')
    }

    /// Whether the branch makes a function a device function.
    fn is_qualified(&self, range: &Range<usize>) -> bool {
        self.prepass.tokens_in(range).iter().any(|token| {
            let treatment = self.facts.aliases.treatment(token.text(self.source));
            matches!(
                treatment,
                Some(Treatment::Blank(found) | Treatment::Mark(found)) if found.on_device()
            )
        })
    }
}
