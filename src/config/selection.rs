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
