//! Values one after another, with texts of any length; declared like the structs of fixed layout in
//! [`super::schema`].

use super::schema::Wire;

/// A struct whose members follow one another.
pub trait Stream: Sized {
    /// The members, in order: name, meaning, type.
    const MEMBERS: &'static [(&'static str, &'static [&'static str], Item)];

    /// Takes the members off the front of `bytes`; `None` if there are too few bytes.
    fn read(bytes: &mut &[u8]) -> Option<Self>;

    /// Appends the members.
    fn write(&self, out: &mut Vec<u8>);
}

/// The type of a [`Stream`]'s member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A number, of this C++ type.
    Number(&'static str),
    /// Its length in bytes, as a number of 32 bits, and the bytes.
    Text,
}

/// A value in a stream.
pub trait Streamed: Sized {
    /// Its type in C++.
    const ITEM: Item;

    /// Takes it off the front.
    fn read(bytes: &mut &[u8]) -> Option<Self>;

    /// Appends it.
    fn write(&self, out: &mut Vec<u8>);
}

macro_rules! streamed_integers {
    ($($type:ident $cpp:literal)*) => {$(
        impl Streamed for $type {
            const ITEM: Item = Item::Number($cpp);

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Some(<Self as Wire>::read(bytes.split_off(..<Self as Wire>::SIZE)?))
            }

            fn write(&self, out: &mut Vec<u8>) {
                Wire::write(self, out);
            }
        }
    )*};
}

streamed_integers! {
    u32 "std::uint32_t"
    u64 "std::uint64_t"
}

impl Streamed for String {
    const ITEM: Item = Item::Text;

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = <u32 as Streamed>::read(bytes)? as usize;
        let text = bytes.split_off(..length)?;
        Some(Self::from_utf8_lossy(text).into_owned())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let length = u32::try_from(self.len()).unwrap_or(u32::MAX);
        Streamed::write(&length, out);
        out.extend(self.as_bytes());
    }
}

/// Declares structs whose members follow one another, with texts of any length.
macro_rules! stream {
    ($(
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* pub $field:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $crate::wire::stream::Stream for $name {
            const MEMBERS: &'static [(
                &'static str,
                &'static [&'static str],
                $crate::wire::stream::Item,
            )] = &[$((
                stringify!($field),
                &[$($doc),*],
                <$type as $crate::wire::stream::Streamed>::ITEM,
            )),*];

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                $(let $field = <$type as $crate::wire::stream::Streamed>::read(bytes)?;)*
                Some(Self { $($field),* })
            }

            fn write(&self, out: &mut Vec<u8>) {
                $($crate::wire::stream::Streamed::write(&self.$field, out);)*
            }
        }
    )*};
}
pub(super) use stream;
