//! The machine's alphabet: its states and the three parts of an input.
//!
//! The order of the variants is the numbering of the device table, and the short names are those of
//! the paper.

/// Declares an enum with a list of all its values, the paper's name and the C++ enumerator of each.
macro_rules! symbols {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $short:literal, $identifier:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)*
        }

        impl $name {
            /// Every value, in the order of the numbering.
            pub const ALL: [Self; [$($short),*].len()] = [$(Self::$variant),*];

            /// The name in the paper's tables.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $short,)* }
            }

            /// The enumerator in the device headers.
            #[must_use]
            pub const fn identifier(self) -> &'static str {
                match self { $(Self::$variant => $identifier,)* }
            }

            /// The value with this name in the paper's tables.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }

            /// The number in the device table.
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }
    };
}

symbols! {
    /// The known accesses to one location so far.
    ///
    /// [`Meaning::of`](crate::spec::Meaning::of) defines each state precisely; the lines here are
    /// the short form. "Closed by a barrier" means that a barrier of that scope came after the access.
    pub enum State {
        /// No access yet.
        Init = "INIT", "init";
        /// Reads; the open ones are by one thread.
        Read = "READ", "read";
        /// An access by one thread that all other accesses must follow.
        Write = "WRITE", "write";
        /// Reads by several threads of one warp.
        WRead = "WREAD", "wread";
        /// Reads by several warps of one block.
        BRead = "BREAD", "bread";
        /// Reads by several blocks.
        GRead = "GREAD", "gread";
        /// A write closed by a warp barrier, then reads by one thread.
        WSync = "WSYNC", "wsync";
        /// A write closed by a block barrier, then reads by one thread.
        BSync = "BSYNC", "bsync";
        /// A write closed by a warp barrier, then reads by several threads of the warp.
        MrWSync = "MR_WSYNC", "mr_wsync";
        /// A write closed by a block barrier, reads closed by a warp barrier, then reads by
        /// one thread.
        BwSync = "BWSYNC", "bwsync";
        /// A write closed by a block barrier, then reads by several warps of the block.
        BMrBSync = "B_MR_BSYNC", "b_mr_bsync";
        /// A write closed by a block barrier, then reads by several threads of one warp.
        WMrBwSync = "W_MR_BWSYNC", "w_mr_bwsync";
        /// Atomics by several warps of one block, some of block scope.
        BAtomB = "BATOM_B", "batom_b";
        /// Other accesses closed by a warp barrier, then atomics by one thread.
        WSyncAtom = "WSYNC_ATOM", "wsync_atom";
        /// Atomics by several threads of one warp, some of block scope.
        BAtomW = "BATOM_W", "batom_w";
        /// Other accesses closed by a warp barrier, then atomics by several threads of
        /// the warp.
        WSyncAtomM = "WSYNC_ATOM_M", "wsync_atom_m";
        /// Device-scope atomics by several blocks.
        GAtomG = "GATOM_G", "gatom_g";
        /// Other accesses closed by a block barrier, then atomics by one thread.
        BSyncAtom = "BSYNC_ATOM", "bsync_atom";
        /// Atomics, some of block scope; the open ones are by one thread.
        BAtom = "BATOM", "batom";
        /// Device-scope atomics by several warps of one block.
        GAtomB = "GATOM_B", "gatom_b";
        /// Other accesses closed by a block barrier, then atomics by several warps of
        /// the block.
        BSyncAtomB = "BSYNC_ATOM_B", "bsync_atom_b";
        /// Device-scope atomics; the open ones are by one thread.
        GAtom = "GATOM", "gatom";
        /// Device-scope atomics by several threads of one warp.
        GAtomW = "GATOM_W", "gatom_w";
        /// Other accesses closed by a block barrier, then atomics by several threads of
        /// one warp.
        BSyncAtomW = "BSYNC_ATOM_W", "bsync_atom_w";
        /// Two accesses raced.
        Race = "RACE", "race";
    }
}

symbols! {
    /// The kind of the current access.
    pub enum Access {
        /// A plain load.
        Read = "R", "read";
        /// A plain store.
        Write = "W", "write";
        /// An atomic whose scope is the thread's block.
        BlockAtomic = "BA", "block_atomic";
        /// An atomic whose scope is the device or the system.
        GridAtomic = "GA", "grid_atomic";
    }
}

symbols! {
    /// The widest barrier since the recorded access, as the clocks show it: `Block` if the block
    /// clocks differ, else `Warp` if the warp clocks differ.
    ///
    /// Clocks of different warps, or of different blocks, count different barriers. Their
    /// comparison carries no information, and no transition depends on it.
    pub enum Sync {
        /// No barrier.
        None = "U", "none";
        /// A warp barrier.
        Warp = "W", "warp";
        /// A block barrier.
        Block = "B", "block";
    }
}

symbols! {
    /// The closest group that contains both the recorded and the current thread.
    pub enum Relation {
        /// They are the same thread.
        Same = "S", "same";
        /// Two threads of one warp.
        Warp = "W", "warp";
        /// Two warps of one block.
        Block = "B", "block";
        /// Two blocks.
        Grid = "G", "grid";
    }
}
