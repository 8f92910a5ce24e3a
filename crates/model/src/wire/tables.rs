//! The table of a file's sites, as a program appends it to its records.
//!
//! It consists of [`MAGIC`], the number of bytes that follow (32 bits), a [`TableHead`], and
//! [`SiteRow`]s.

use super::stream::stream;

/// The first bytes of each table.
pub const MAGIC: [u8; 8] = *b"HRTABLE1";

stream! {
    /// The properties of a file.
    pub struct TableHead {
        /// The number of the first site.
        pub base: u32,
        /// Distinguishes tables with the same base.
        pub key: u64,
        /// The file as the user would write it.
        pub path: String,
        /// Remarks for the report, as JSON.
        pub notes: String,
        /// The number of sites that follow.
        pub count: u32,
    }

    /// A site.
    pub struct SiteRow {
        /// From 1.
        pub line: u32,
        /// From 1, in characters.
        pub column: u32,
        /// Of the expression in the file, in bytes.
        pub length: u32,
        /// A SiteKind.
        pub kind: u32,
        /// The expression as written.
        pub text: String,
        /// The variable at the root of the expression.
        pub variable: String,
        /// The kernel or device function around it.
        pub function: String,
    }
}
