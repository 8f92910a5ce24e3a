//! `[semantics]` and `[check]`: what orders accesses, what counts as a race, and which engine decides.

use serde::Deserialize;

/// An enumeration whose values are written in lower case, with dashes, in the configuration file, in
/// options, and in the environment of a program that is checked.
macro_rules! choice {
    ($(#[$about:meta])* $name:ident: $($(#[$what:meta])* $value:ident = $text:literal),+ $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$what])* $value),+
        }

        impl $name {
            /// As the configuration file has it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text),+
                }
            }
        }
    };
}

choice! {
    /// What `volatile` accesses mean.
    Volatile:
    /// They do not race with one another or with device-scope atomics.
    #[default]
    Strong = "strong",
    /// They are accesses like any other.
    Plain = "plain",
}

choice! {
    /// How lanes of a warp are ordered.
    Warps:
    /// Unordered without a warp barrier.
    #[default]
    Independent = "independent",
    /// In lockstep.
    Lockstep = "lockstep",
}

choice! {
    /// Whether lanes that exchange values by shuffles, votes and the like are ordered by that.
    Shuffles:
    /// They are not: only `__syncwarp()` orders memory.
    #[default]
    Exchange = "exchange",
    /// They are, as by a `__syncwarp()` of the same mask.
    Order = "order",
}

choice! {
    /// Which reads can acquire what a release published.
    Acquire:
    /// Acquires, and relaxed reads with a fence after them.
    #[default]
    Model = "model",
    /// Each strong read, as much published code assumes.
    RelaxedLoads = "relaxed-loads",
}

choice! {
    /// What decides on the CPU whether accesses race.
    Engine:
    /// The order engine where a program may order accesses by anything but barriers of whole blocks
    /// and warps; else the state machine.
    #[default]
    Auto = "auto",
    /// The state machine.
    Machine = "machine",
    /// The order engine.
    Clocks = "clocks",
}

/// `[semantics]` in the file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SemanticsKeys {
    volatile: Option<Volatile>,
    warps: Option<Warps>,
    shuffles: Option<Shuffles>,
    acquire: Option<Acquire>,
}

/// `[check]` in the file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct CheckKeys {
    engine: Option<Engine>,
}

#[cfg(test)]
impl SemanticsKeys {
    /// Whether the file has all keys.
    pub(super) fn is_complete(&self) -> bool {
        let rest = self.shuffles.is_some() && self.acquire.is_some();
        self.volatile.is_some() && self.warps.is_some() && rest
    }
}

#[cfg(test)]
impl CheckKeys {
    pub(super) fn is_complete(&self) -> bool {
        self.engine.is_some()
    }
}

/// What orders accesses, what counts as a race, and which engine decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Semantics {
    /// What `volatile` means.
    pub volatile: Volatile,
    /// How lanes of a warp are ordered.
    pub warps: Warps,
    /// Whether exchanging values orders lanes.
    pub shuffles: Shuffles,
    /// Which reads acquire.
    pub acquire: Acquire,
    /// Which engine decides.
    pub engine: Engine,
}

impl Semantics {
    /// The values of a file; what it omits comes from `default`.
    pub(super) fn new(
        file: (SemanticsKeys, CheckKeys),
        default: (SemanticsKeys, CheckKeys),
    ) -> Self {
        let ((semantics, check), (unsaid, unchosen)) = (file, default);
        Self {
            volatile: semantics.volatile.or(unsaid.volatile).unwrap_or_default(),
            warps: semantics.warps.or(unsaid.warps).unwrap_or_default(),
            shuffles: semantics.shuffles.or(unsaid.shuffles).unwrap_or_default(),
            acquire: semantics.acquire.or(unsaid.acquire).unwrap_or_default(),
            engine: check.engine.or(unchosen.engine).unwrap_or_default(),
        }
    }

    /// The variables of the environment by which the executor gets them.
    #[must_use]
    pub fn variables(&self) -> [(&'static str, &'static str); 5] {
        [
            ("HIRACE_VOLATILE", self.volatile.name()),
            ("HIRACE_WARPS", self.warps.name()),
            ("HIRACE_SHUFFLES", self.shuffles.name()),
            ("HIRACE_ACQUIRE", self.acquire.name()),
            ("HIRACE_ENGINE", self.engine.name()),
        ]
    }

    /// The macros by which the GPU backend gets them: it has no environment at a kernel's run.
    pub(super) fn macros(&self) -> Vec<String> {
        let chosen = [
            (self.volatile == Volatile::Plain, "-DHIRACE_VOLATILE_PLAIN"),
            (self.warps == Warps::Lockstep, "-DHIRACE_WARPS_LOCKSTEP"),
            (self.shuffles == Shuffles::Order, "-DHIRACE_SHUFFLES_ORDER"),
        ];
        let chosen = chosen.into_iter().filter(|(is, _)| *is);
        chosen.map(|(_, name)| name.to_owned()).collect()
    }
}
