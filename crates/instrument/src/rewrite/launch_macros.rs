//! Launches whose configuration is a macro, as editors need it that do not know CUDA:
//!
//! ```text
//! #define CONFIGURATION(grid, block) <<<grid, block>>>
//! k CONFIGURATION(2, 32)(a);
//! ```

use std::ops::Range;

use hirace_syntax::alias::configuration;
use hirace_syntax::tree::Node;
use hirace_syntax::view::split_name;

use super::context::Rewriter;

impl Rewriter<'_> {
    /// `k CONFIGURATION(grid, block)(a)`, where the macro is `<<<grid, block>>>`; false for any other call.
    pub(crate) fn launch_by_macro(&mut self, node: Node<'_>) -> bool {
        let Some((callee, arguments)) = node.as_call() else {
            return false;
        };
        let inner = callee.as_call();
        let kernel = inner.map_or(callee, |(kernel, _)| kernel);
        let between = kernel.end()..arguments.start();
        let words: Vec<&str> = self
            .words_within(between.clone())
            .map(|(_, word)| word)
            .collect();
        if !words
            .first()
            .is_some_and(|it| self.facts.aliases.is_configuration(it))
        {
            return false;
        }
        self.out.launches += 1;
        let (name, _) = split_name(kernel, self.source);
        self.check_defined(&name, node.start());
        let Some(info) = self.launch_info(&name, node.start()..between.end) else {
            return false;
        };
        if !self.on_cpu() {
            self.edits
                .open(node.start(), format!("(::hirace::begin_launch({info}), "));
            self.edits.close(node.end(), ")");
            return true;
        }
        let kernel_text = self.folded_range(kernel.range());
        self.replace(
            kernel.range(),
            format!(
                "::hirace::cpu::pending_launch({info}, \
                 [=](auto... hirace_a) {{ {kernel_text}(hirace_a...); }}, ::hirace::cpu::Configuration("
            ),
        );
        self.edits.close(between.end, "))");
        for value in inner
            .iter()
            .flat_map(|(_, it)| it.named_children())
            .chain(arguments.named_children())
        {
            self.host_or_device(value);
        }
        true
    }

    /// Turns what such a macro stands for into values: `<<<grid, block>>>` into `grid, block`.
    pub(crate) fn configuration_macro(&mut self, body: Range<usize>) {
        if self.on_cpu() && configuration(&self.source[body.clone()]).is_some() {
            self.replace(body.start..body.start + 3, "");
            self.replace(body.end - 3..body.end, "");
        }
    }
}
