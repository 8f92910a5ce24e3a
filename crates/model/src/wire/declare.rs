//! How layouts are declared: a Rust type, the code that reads and writes it, and its description
//! for C++, all from one declaration.

/// Declares enums with a number for each variant. A member of a layout is an `Option` of one,
/// because stray writes and other versions leave numbers without a meaning.
macro_rules! numbered {
    ($(
        $(#[doc = $about:literal])*
        pub enum $name:ident: $number:ident {
            $($(#[doc = $doc:literal])* $variant:ident = $value:literal,)*
        }
    )*) => {$(
        $(#[doc = $about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(rename_all = "kebab-case")]
        #[repr($number)]
        pub enum $name {
            $($(#[doc = $doc])* $variant = $value,)*
        }

        impl $name {
            /// All of them, by their numbers.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its description.
            pub const SCHEMA: $crate::wire::schema::Enumeration =
                $crate::wire::schema::Enumeration {
                    name: stringify!($name),
                    underlying: stringify!($number),
                    is_flags: false,
                    about: &[$($about),*],
                    members: &[$((stringify!($variant), $value, &[$($doc),*])),*],
                };

            /// The variant with this number.
            #[must_use]
            pub fn of(number: u64) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| *it as u64 == number)
            }
        }

        impl $crate::wire::schema::Wire for Option<$name> {
            const SIZE: usize = size_of::<$number>();
            const ALIGN: usize = size_of::<$number>();

            fn cpp() -> $crate::wire::schema::Cpp {
                $crate::wire::schema::Cpp::Type(stringify!($name))
            }

            fn read(bytes: &[u8]) -> Self {
                $name::of(<$number as $crate::wire::schema::Wire>::read(bytes).into())
            }

            fn write(&self, out: &mut Vec<u8>) {
                // `None` becomes a number without a meaning.
                let number = self.map_or($number::MAX, |it| it as $number);
                $crate::wire::schema::Wire::write(&number, out);
            }
        }
    )*};
}
pub(super) use numbered;

/// Declares sets of bits.
macro_rules! flags {
    ($(
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* $bit:ident = $value:literal,)*
        }
    )*) => {$(
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub u32);

        impl $name {
            $($(#[doc = $doc])* pub const $bit: Self = Self($value);)*

            /// Its description.
            pub const SCHEMA: $crate::wire::schema::Enumeration =
                $crate::wire::schema::Enumeration {
                    name: stringify!($name),
                    underlying: "u32",
                    is_flags: true,
                    about: &[$($about),*],
                    members: &[$((stringify!($bit), $value, &[$($doc),*])),*],
                };

            /// Whether it holds one of `bits`.
            #[must_use]
            pub fn has(self, bits: Self) -> bool {
                self.0 & bits.0 != 0
            }

            /// Whether it holds nothing.
            #[must_use]
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl $crate::wire::schema::Wire for $name {
            const SIZE: usize = 4;
            const ALIGN: usize = 4;

            fn cpp() -> $crate::wire::schema::Cpp {
                // Its bits are read and written by atomic operations on numbers.
                $crate::wire::schema::Cpp::Type("std::uint32_t")
            }

            fn read(bytes: &[u8]) -> Self {
                Self(u32::read(bytes))
            }

            fn write(&self, out: &mut Vec<u8>) {
                self.0.write(out);
            }
        }
    )*};
}
pub(super) use flags;

/// Declares structs of fixed layout.
macro_rules! layout {
    ($(
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* pub $field:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $name {
            /// Its description.
            pub const SCHEMA: $crate::wire::schema::Layout = $crate::wire::schema::Layout {
                name: stringify!($name),
                about: &[$($about),*],
                fields: &[$($crate::wire::declare::field!($field: $type, $($doc),*)),*],
                size: <Self as $crate::wire::schema::Wire>::SIZE,
            };
        }

        impl $crate::wire::schema::Wire for $name {
            const SIZE: usize = 0 $(+ <$type as $crate::wire::schema::Wire>::SIZE)*;
            const ALIGN: usize = $crate::wire::declare::max(
                &[$(<$type as $crate::wire::schema::Wire>::ALIGN),*]
            );

            fn cpp() -> $crate::wire::schema::Cpp {
                $crate::wire::schema::Cpp::Type(stringify!($name))
            }

            fn read(bytes: &[u8]) -> Self {
                let mut at = 0;
                $(
                    let $field = <$type as $crate::wire::schema::Wire>::read(&bytes[at..]);
                    at += <$type as $crate::wire::schema::Wire>::SIZE;
                )*
                debug_assert_eq!(at, Self::SIZE);
                Self { $($field),* }
            }

            fn write(&self, out: &mut Vec<u8>) {
                $($crate::wire::schema::Wire::write(&self.$field, out);)*
            }
        }
    )*};
}
pub(super) use layout;

/// Declares structs whose members share their bytes: an anonymous union in C++. Reading one reads
/// every member; the rest of the record determines which of them is valid.
macro_rules! overlay {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* pub $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $crate::wire::schema::Wire for $name {
            const SIZE: usize = $crate::wire::declare::max(
                &[$(<$type as $crate::wire::schema::Wire>::SIZE),*]
            );
            const ALIGN: usize = $crate::wire::declare::max(
                &[$(<$type as $crate::wire::schema::Wire>::ALIGN),*]
            );

            fn cpp() -> $crate::wire::schema::Cpp {
                $crate::wire::schema::Cpp::Union(
                    &[$($crate::wire::declare::field!($field: $type, $($doc),*)),*]
                )
            }

            fn read(bytes: &[u8]) -> Self {
                Self { $($field: <$type as $crate::wire::schema::Wire>::read(bytes)),* }
            }

            /// Writes the bits of all members, so that all but one have to be zero.
            fn write(&self, out: &mut Vec<u8>) {
                let begin = out.len();
                out.resize(begin + Self::SIZE, 0);
                $(
                    let mut bytes = Vec::new();
                    $crate::wire::schema::Wire::write(&self.$field, &mut bytes);
                    out[begin..].iter_mut().zip(bytes).for_each(|(all, one)| *all |= one);
                )*
            }
        }
    };
}
pub(super) use overlay;

macro_rules! field {
    ($name:ident: $type:ty, $($doc:literal),*) => {
        $crate::wire::schema::Field {
            name: stringify!($name),
            about: &[$($doc),*],
            cpp: <$type as $crate::wire::schema::Wire>::cpp,
            size: <$type as $crate::wire::schema::Wire>::SIZE,
            align: <$type as $crate::wire::schema::Wire>::ALIGN,
        }
    };
}
pub(super) use field;

/// The largest of these sizes.
pub(super) const fn max(sizes: &[usize]) -> usize {
    let (mut max, mut index) = (0, 0);
    while index < sizes.len() {
        if sizes[index] > max {
            max = sizes[index];
        }
        index += 1;
    }
    max
}
