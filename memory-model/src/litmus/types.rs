//! The integer types of accesses, arithmetic and locations: `.u32` and the like.

/// A number that memory and registers hold.
pub type Value = i64;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// How its bits are read.
    pub kind: TypeKind,
    /// 8, 16, 32 or 64.
    pub bits: u8,
}

/// How bits are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `.b`: as without sign.
    Bits,
    /// `.s`: with sign.
    Signed,
    /// `.u`: without sign.
    Unsigned,
}

impl Type {
    /// The type of what has no type in the text.
    pub const S64: Self = Self::signed(64);
    /// C's `int`.
    pub const S32: Self = Self::signed(32);
    /// The only type of `inc` and `dec` in PTX.
    pub const U32: Self = Self::unsigned(32);

    pub(super) const fn signed(bits: u8) -> Self {
        let kind = TypeKind::Signed;
        Self { kind, bits }
    }

    pub(super) const fn unsigned(bits: u8) -> Self {
        let kind = TypeKind::Unsigned;
        Self { kind, bits }
    }

    /// Reads `u32`.
    pub(super) fn parse(word: &str) -> Option<Self> {
        let kind = match word.chars().next()? {
            'b' => TypeKind::Bits,
            's' => TypeKind::Signed,
            'u' => TypeKind::Unsigned,
            _ => return None,
        };
        let bits = match &word[1..] {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        Some(Self { kind, bits })
    }

    /// Whether a word is a type of PTX that tests cannot use: floating point, vectors, predicates,
    /// and integers of other sizes.
    pub(super) fn is_unsupported(word: &str) -> bool {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = &word[..word.len() - digits.len()];
        let sized = digits.starts_with(|c: char| c.is_ascii_digit());
        word == "pred"
            || sized && matches!(letters, "b" | "s" | "u" | "f" | "bf" | "tf" | "e" | "v")
    }

    /// The suffix without its dot, such as `u32`.
    #[must_use]
    pub fn name(self) -> String {
        let letter = match self.kind {
            TypeKind::Bits => 'b',
            TypeKind::Signed => 's',
            TypeKind::Unsigned => 'u',
        };
        format!("{letter}{}", self.bits)
    }

    /// Whether the highest bit is a sign.
    #[must_use]
    pub fn is_signed(self) -> bool {
        self.kind == TypeKind::Signed
    }

    /// The number that the low bits of `value` are, in a register of 64 bits: they are extended
    /// with their sign, or with zeros. Numbers from 2^63 on are negative ones in Rust's type.
    #[must_use]
    pub fn fit(self, value: Value) -> Value {
        let unused = 64 - u32::from(self.bits);
        let high = value.cast_unsigned() << unused;
        if self.is_signed() {
            high.cast_signed() >> unused
        } else {
            (high >> unused).cast_signed()
        }
    }

    /// Whether `value`, with or without sign, needs no more bits than the type has.
    #[must_use]
    pub fn holds(self, value: Value) -> bool {
        self.fit(value) == value
            || Self::signed(self.bits).fit(value) == value
            || Self::unsigned(self.bits).fit(value) == value
    }

    /// The lesser one of two numbers of this type.
    pub(super) fn min(self, a: Value, b: Value) -> Value {
        if self.less(b, a) { b } else { a }
    }

    /// The greater one of two numbers of this type.
    pub(super) fn max(self, a: Value, b: Value) -> Value {
        if self.less(a, b) { b } else { a }
    }

    /// Whether `a` is less than `b`, both of this type.
    #[must_use]
    pub fn less(self, a: Value, b: Value) -> bool {
        if self.is_signed() {
            a < b
        } else {
            a.cast_unsigned() < b.cast_unsigned()
        }
    }
}
