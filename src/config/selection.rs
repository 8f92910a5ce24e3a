//! What of a program is checked.

use super::file::{Blocks, KernelKeys, MonitorKeys, Pattern, Space};
use crate::rewrite::{LaunchSelection, Selection};

/// Which kernels, variables, spaces and blocks are checked.
#[derive(Clone, Debug)]
pub struct Monitor {
    all: MonitorKeys,
    kernels: Vec<KernelKeys>,
}

impl Monitor {
    pub(super) fn new(all: MonitorKeys, kernels: Vec<KernelKeys>) -> Self {
        Self { all, kernels }
    }

    /// Whether launches of `kernel` are checked.
    #[must_use]
    pub fn checks_kernel(&self, kernel: &str) -> bool {
        any(self.all.kernels.as_deref(), kernel)
            && !any(self.all.exclude_kernels.as_deref(), kernel)
    }

    /// What of a checked `kernel` is left out, as a sentence's end; `None` for nothing.
    #[must_use]
    pub fn restriction(&self, kernel: &str) -> Option<String> {
        let chosen = self.launch(kernel);
        if !chosen.monitor {
            return None;
        }
        let mut parts = Vec::new();
        match (chosen.shared, chosen.global) {
            (true, true) => {}
            (true, false) => parts.push("only shared memory".to_owned()),
            (false, true) => parts.push("only global memory".to_owned()),
            (false, false) => parts.push("no memory space".to_owned()),
        }
        if (chosen.first_block, chosen.last_block) != (0, u32::MAX) {
            parts.push(format!(
                "only blocks {} to {}",
                chosen.first_block, chosen.last_block
            ));
        }
        let all = |patterns: Option<&[Pattern]>| {
            patterns.is_some_and(|patterns| patterns.iter().any(Pattern::is_all))
        };
        let wanted =
            |keys: &KernelKeys| keys.variables.is_some() || keys.exclude_variables.is_some();
        let own = self
            .kernels
            .iter()
            .any(|keys| keys.name.matches(kernel) && wanted(keys));
        let none_left_out = self
            .all
            .exclude_variables
            .as_deref()
            .is_none_or(<[_]>::is_empty);
        if own || !all(self.all.variables.as_deref()) || !none_left_out {
            parts.push("only some variables".to_owned());
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The value of a key for `kernel`: that of its last override that has one, else
    /// the general one.
    fn key<'a, T: ?Sized>(
        &'a self,
        kernel: &str,
        of_kernel: impl Fn(&'a KernelKeys) -> Option<&'a T>,
        general: Option<&'a T>,
    ) -> Option<&'a T> {
        self.kernels
            .iter()
            .rev()
            .filter(|keys| keys.name.matches(kernel))
            .find_map(of_kernel)
            .or(general)
    }
}

fn any(patterns: Option<&[Pattern]>, name: &str) -> bool {
    patterns.is_some_and(|patterns| patterns.iter().any(|pattern| pattern.matches(name)))
}

impl Selection for Monitor {
    fn launch(&self, kernel: &str) -> LaunchSelection {
        let spaces = self.key(
            kernel,
            |keys| keys.spaces.as_deref(),
            self.all.spaces.as_deref(),
        );
        let has = |space| spaces.is_some_and(|spaces| spaces.contains(&space));
        let blocks = self
            .key(
                kernel,
                |keys| keys.blocks.as_ref(),
                self.all.blocks.as_ref(),
            )
            .copied()
            .unwrap_or(Blocks {
                first: 0,
                last: u32::MAX,
            });
        LaunchSelection {
            monitor: self.checks_kernel(kernel),
            shared: has(Space::Shared),
            global: has(Space::Global),
            first_block: blocks.first,
            last_block: blocks.last,
        }
    }

    fn monitors(&self, function: &str, variable: &str) -> bool {
        let wanted = self.key(
            function,
            |keys| keys.variables.as_deref(),
            self.all.variables.as_deref(),
        );
        let unwanted = self.key(
            function,
            |keys| keys.exclude_variables.as_deref(),
            self.all.exclude_variables.as_deref(),
        );
        any(wanted, variable) && !any(unwanted, variable)
    }
}
