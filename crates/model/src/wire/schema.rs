//! Values of fixed size, and the descriptions that the C++ header is generated from.

/// A value of fixed size.
pub trait Wire: Sized {
    /// Its bytes.
    const SIZE: usize;
    /// Its alignment in C++.
    const ALIGN: usize;

    /// Its type in C++.
    fn cpp() -> Cpp;

    /// The value in the first [`Wire::SIZE`] bytes.
    ///
    /// # Panics
    /// There are fewer.
    fn read(bytes: &[u8]) -> Self;

    /// Appends the value.
    fn write(&self, out: &mut Vec<u8>);
}

/// The C++ type of a struct member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cpp {
    /// `TYPE name`.
    Type(&'static str),
    /// `TYPE name[LENGTH]`.
    Array(&'static str, usize),
    /// An anonymous union of these members.
    Union(&'static [Field]),
}

/// A member of a struct or a union.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it means, line by line.
    pub about: &'static [&'static str],
    /// Its type.
    pub cpp: fn() -> Cpp,
    /// Its bytes.
    pub size: usize,
    /// Its alignment.
    pub align: usize,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Field {}

/// A struct.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Its name.
    pub name: &'static str,
    /// What it is, line by line.
    pub about: &'static [&'static str],
    /// Its members, in order.
    pub fields: &'static [Field],
    /// Its bytes.
    pub size: usize,
}

/// An enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: &'static str,
    /// Its underlying type in Rust.
    pub underlying: &'static str,
    /// Whether its members are bits; in C++ they are plain constants.
    pub is_flags: bool,
    /// What it is, line by line.
    pub about: &'static [&'static str],
    /// The members: name, number, meaning line by line.
    pub members: &'static [(&'static str, u32, &'static [&'static str])],
}

macro_rules! integers {
    ($($type:ident $cpp:literal)*) => {$(
        impl Wire for $type {
            const SIZE: usize = size_of::<$type>();
            const ALIGN: usize = size_of::<$type>();

            fn cpp() -> Cpp {
                Cpp::Type($cpp)
            }

            fn read(bytes: &[u8]) -> Self {
                let mut value = [0; size_of::<$type>()];
                value.copy_from_slice(&bytes[..size_of::<$type>()]);
                Self::from_le_bytes(value)
            }

            fn write(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        }
    )*};
}

integers! {
    u8 "std::uint8_t"
    u16 "std::uint16_t"
    i16 "std::int16_t"
    u32 "std::uint32_t"
    i32 "std::int32_t"
    u64 "std::uint64_t"
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    const SIZE: usize = N * T::SIZE;
    const ALIGN: usize = T::ALIGN;

    fn cpp() -> Cpp {
        match T::cpp() {
            Cpp::Type(name) => Cpp::Array(name, N),
            // No layout contains them, as `tests::members_are_aligned` shows.
            Cpp::Array(..) | Cpp::Union(_) => Cpp::Array("void", N),
        }
    }

    fn read(bytes: &[u8]) -> Self {
        std::array::from_fn(|index| T::read(&bytes[index * T::SIZE..]))
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|it| it.write(out));
    }
}

/// Text of at most `N` bytes that ends at the first zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<const N: usize>(pub String);

impl<const N: usize> Wire for Text<N> {
    const SIZE: usize = N;
    const ALIGN: usize = 1;

    fn cpp() -> Cpp {
        Cpp::Array("char", N)
    }

    fn read(bytes: &[u8]) -> Self {
        let bytes = &bytes[..N];
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(N);
        Self(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let end = out.len() + N;
        out.extend(self.0.bytes().take(N));
        out.resize(end, 0);
    }
}
