//! Which parts of a program are checked.

use toml::Spanned;

use super::file::{Blocks, KernelKeys, MonitorKeys, Pattern, Space};
use hirace_instrument::rewrite::{LaunchSelection, Selection};

/// Which kernels, variables, spaces and blocks are checked.
#[derive(Clone, Debug)]
pub struct Monitor {
    all: MonitorKeys,
    kernels: Vec<KernelKeys>,
}

impl Monitor {
    pub(crate) fn new(all: MonitorKeys, kernels: Vec<KernelKeys>) -> Self {
        Self { all, kernels }
    }

    /// Whether launches of `kernel` are checked.
    #[must_use]
    pub fn checks_kernel(&self, kernel: &str) -> bool {
        let wanted = any(self.all.kernels.as_deref(), kernel);
        let unwanted = any(self.all.exclude_kernels.as_deref(), kernel);
        wanted && !unwanted
    }

    /// The value of a key for `kernel`: that of the last matching `[[kernel]]` that has the key,
    /// otherwise the general value.
    fn key<'a, T: ?Sized>(
        &'a self,
        kernel: &str,
        of_kernel: impl Fn(&'a KernelKeys) -> Option<&'a T>,
        general: Option<&'a T>,
    ) -> Option<&'a T> {
        let of_kernel = self
            .kernels
            .iter()
            .filter(|keys| keys.name.get_ref().matches(kernel))
            .filter_map(of_kernel);
        of_kernel.reduce(|_, later| later).or(general)
    }
}

/// Whether any pattern matches. Tries all patterns, because each records whether it ever matched.
fn any(patterns: Option<&[Spanned<Pattern>]>, name: &str) -> bool {
    let matching = patterns.unwrap_or_default().iter();
    matching.filter(|it| it.get_ref().matches(name)).count() > 0
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
        let (wanted, unwanted) = (any(wanted, variable), any(unwanted, variable));
        wanted && !unwanted
    }
}
