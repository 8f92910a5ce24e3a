//! The words that qualify instructions: orders, scopes, proxies, kinds of barriers.

/// Declares an enum whose variants have names in the text of tests.
macro_rules! named {
    ($(#[$doc:meta])* $enum:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $enum { $($(#[$variant_doc])* $variant,)* }

        impl $enum {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name, without a dot.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The one of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }
        }
    };
}

named! {
    /// Paths on which memory is accessed (PTX ISA, "Proxies").
    Proxy {
        /// Ordinary accesses.
        Generic = "generic",
        /// Surfaces.
        Surface = "surface",
        /// Textures.
        Texture = "texture",
        /// The constant bank.
        Constant = "constant",
    }
}

named! {
    /// How an access orders others (PTX ISA, "Operation Types").
    Order {
        /// A plain access.
        Weak = "weak",
        /// Strong, and no more.
        Relaxed = "relaxed",
        /// Strong, and part of an acquire pattern.
        Acquire = "acquire",
        /// Strong, and part of a release pattern.
        Release = "release",
        /// Both, for read-modify-writes.
        AcqRel = "acq_rel",
        /// `.volatile`: as relaxed, with the scope of the whole system.
        Volatile = "volatile",
    }
}

named! {
    /// Which threads a strong operation synchronises with (PTX ISA, "Scope").
    Scope {
        /// The block.
        Cta = "cta",
        /// The cluster of blocks.
        Cluster = "cluster",
        /// The GPU.
        Gpu = "gpu",
        /// All GPUs and the host.
        Sys = "sys",
    }
}

named! {
    /// What a barrier does.
    BarrierKind {
        /// Arrives and waits.
        Sync = "sync",
        /// Arrives only.
        Arrive = "arrive",
        /// Arrives, waits, and reduces a predicate.
        Red = "red",
    }
}

named! {
    /// What a `red` barrier computes of the predicates of the threads that meet.
    ReductionOp {
        /// How many are true.
        Popc = "popc",
        /// Whether all are true.
        And = "and",
        /// Whether one is true.
        Or = "or",
    }
}
