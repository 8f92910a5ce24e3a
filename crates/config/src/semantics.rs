//! `[semantics]` and `[check]`: what orders accesses, what counts as a race, and the engine that
//! detects it.

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
            /// The value as written in the configuration file.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text),+
                }
            }
        }
    };
}

pub(super) use choice;

choice! {
    /// What `volatile` accesses mean.
    Volatile:
    /// `volatile` accesses do not race with one another or with device-scope atomics.
    #[default]
    Strong = "strong",
    /// `volatile` accesses are like any others.
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
    /// Whether shuffles, votes and the like order the lanes that exchange values.
    Shuffles:
    /// They do not: only `__syncwarp()` orders memory accesses.
    #[default]
    Exchange = "exchange",
    /// They do, like a `__syncwarp()` with the same mask.
    Order = "order",
}

choice! {
    /// Which reads can acquire what a release published.
    Acquire:
    /// Acquires, and relaxed reads with a fence after them.
    #[default]
    Model = "model",
    /// Every strong read, as much published code assumes.
    RelaxedLoads = "relaxed-loads",
}

choice! {
    /// What plain writes of the same value to the same bytes are.
    SameValueWrites:
    /// A race like any other.
    #[default]
    Race = "race",
    /// No race.
    Benign = "benign",
}

choice! {
    /// The race-detection engine of the CPU executor.
    Engine:
    /// The order engine where a program may order accesses by anything but barriers of whole blocks
    /// and warps; else the state machine.
    #[default]
    Auto = "auto",
    /// The state machine.
    Machine = "machine",
    /// The order engine.
    Order = "order",
}

/// `[semantics]` in the file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
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
    predict: Option<bool>,
    init_check: Option<bool>,
    same_value_writes: Option<SameValueWrites>,
}

#[cfg(test)]
impl SemanticsKeys {
    /// Whether the file has all keys.
    pub(super) fn is_complete(&self) -> bool {
        let lanes = self.warps.is_some() && self.shuffles.is_some();
        let accesses = self.volatile.is_some() && self.acquire.is_some();
        lanes && accesses
    }
}

#[cfg(test)]
impl CheckKeys {
    pub(super) fn is_complete(&self) -> bool {
        let passes = self.predict.is_some() && self.init_check.is_some();
        passes && self.engine.is_some() && self.same_value_writes.is_some()
    }
}

/// What orders accesses, what counts as a race, and the engine that detects it.
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
    /// Whether writes of the same value race.
    pub same_value_writes: SameValueWrites,
    /// The race-detection engine.
    pub engine: Engine,
    /// Whether the order engine predicts races of other schedules.
    pub predict: bool,
    /// Whether a read of memory that nothing has written is an error instead of a warning.
    pub init_check: bool,
}

impl Semantics {
    /// The values of a file; those that it omits come from `default`.
    pub(super) fn new(
        file: (SemanticsKeys, CheckKeys),
        default: (SemanticsKeys, CheckKeys),
    ) -> Self {
        let ((semantics, check), (default, default_check)) = (file, default);
        Self {
            volatile: semantics.volatile.or(default.volatile).unwrap_or_default(),
            warps: semantics.warps.or(default.warps).unwrap_or_default(),
            shuffles: semantics.shuffles.or(default.shuffles).unwrap_or_default(),
            acquire: semantics.acquire.or(default.acquire).unwrap_or_default(),
            same_value_writes: (check.same_value_writes)
                .or(default_check.same_value_writes)
                .unwrap_or_default(),
            engine: check.engine.or(default_check.engine).unwrap_or_default(),
            predict: check.predict.or(default_check.predict).unwrap_or_default(),
            init_check: (check.init_check)
                .or(default_check.init_check)
                .unwrap_or_default(),
        }
    }

    /// The environment variables that pass these settings to the executor.
    #[must_use]
    pub fn variables(&self) -> [(&'static str, &'static str); 8] {
        let switch = |on| if on { "on" } else { "off" };
        [
            ("HIRACE_VOLATILE", self.volatile.name()),
            ("HIRACE_WARPS", self.warps.name()),
            ("HIRACE_SHUFFLES", self.shuffles.name()),
            ("HIRACE_ACQUIRE", self.acquire.name()),
            ("HIRACE_SAME_VALUE_WRITES", self.same_value_writes.name()),
            ("HIRACE_ENGINE", self.engine.name()),
            ("HIRACE_PREDICT", switch(self.predict)),
            ("HIRACE_INIT_CHECK", switch(self.init_check)),
        ]
    }

    /// The value of `HIRACE_ENGINE` with which the state machine may look first, so that the order
    /// engine only has to judge what it reports; `None` if the engine checks anyway or never.
    #[must_use]
    pub fn first_pass(&self) -> Option<&'static str> {
        let clears = self.engine == Engine::Auto
            && self.same_value_writes == SameValueWrites::Race
            && !self.predict;
        clears.then_some("machine-first")
    }

    /// The macros that pass these settings to the GPU backend, whose kernels have no environment.
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
