//! Shadow memory: how much memory it may use, the size of its words, and the widths of their fields
//! (`device/hirace/checker/shadow.h`).

use std::ops::Range;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::Flaw;
use super::semantics::choice;
use hirace_model::Backend;

/// `[shadow]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct ShadowKeys {
    pub memory: Option<Memory>,
    pub word_bytes: Option<Size>,
    #[serde(deserialize_with = "width")]
    pub thread_bits: u32,
    #[serde(deserialize_with = "width")]
    pub block_bits: u32,
    #[serde(deserialize_with = "width")]
    pub block_clock_bits: u32,
    #[serde(deserialize_with = "width")]
    pub warp_clock_bits: u32,
}

choice! {
    /// How much of a GPU's memory the shadow may use.
    Memory:
    /// As much as it needs; if memory runs out, like [`Memory::Cached`].
    #[default]
    Auto = "auto",
    /// As much as it needs; if memory runs out, accesses go unchecked.
    Full = "full",
    /// A part of what it needs; races may be missed.
    Cached = "cached",
}

/// The size of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub enum Size {
    /// Four bytes.
    Four,
    /// Eight bytes.
    #[default]
    Eight,
}

impl TryFrom<i64> for Size {
    type Error = String;

    fn try_from(bytes: i64) -> Result<Self, String> {
        match bytes {
            4 => Ok(Self::Four),
            8 => Ok(Self::Eight),
            _ => Err(format!("a shadow word of {bytes} bytes: expected 4 or 8")),
        }
    }
}

impl Size {
    /// Bits that thread, block and the two clocks share.
    const fn split_bits(self) -> u32 {
        match self {
            Self::Four => 23,
            Self::Eight => 50,
        }
    }

    /// The minimum number of bits that "auto" gives the thread.
    const fn min_thread_bits(self) -> u32 {
        match self {
            Self::Four => THREAD_BITS.start,
            Self::Eight => THREAD_BITS.end - 1,
        }
    }

    /// Bits of thread, block, block clock and warp clock that "auto" gives on a GPU: those of
    /// `device/hirace/gpu/layout.h`.
    const fn gpu(self) -> [u32; 4] {
        match self {
            Self::Four => [8, 9, 3, 3],
            Self::Eight => [10, 18, 12, 10],
        }
    }
}

/// Bits of the thread: from the lanes of a warp to the threads of the largest block.
const THREAD_BITS: Range<u32> = 5..11;

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"auto\" or a number of bits")]
enum WidthValue {
    Number(i64),
    Text(String),
}

/// The maximum width of a field, given the other three.
const MAX_WIDTH: u32 = 38;

/// Reads the width of a field; 0 if hirace chooses it.
fn width<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match WidthValue::deserialize(deserializer)? {
        WidthValue::Text(text) if text == "auto" => Ok(0),
        WidthValue::Number(bits) => u32::try_from(bits)
            .ok()
            .filter(|bits| (1..=MAX_WIDTH).contains(bits))
            .ok_or_else(|| D::Error::custom(format!("{bits} bits: expected 1 to {MAX_WIDTH}"))),
        WidthValue::Text(text) => Err(D::Error::custom(format!(
            "`{text}` is neither \"auto\" nor a number of bits"
        ))),
    }
}

/// Shadow memory, and how its words are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// How much memory the shadow may use.
    pub memory: Memory,
    /// The size of a word.
    pub size: Size,
    /// Bits of thread, block, block clock and warp clock; 0 if hirace chooses.
    pub widths: [u32; 4],
}

impl Shadow {
    /// The settings of a file.
    pub(super) fn of(keys: Option<&Spanned<ShadowKeys>>) -> Result<Self, Flaw> {
        let Some(spanned) = keys else {
            return Ok(Self::default());
        };
        let keys = spanned.as_ref();
        let wrong = |message| Err((message, Some(spanned.span())));
        let size = keys.word_bytes.unwrap_or_default();
        let widths = [
            keys.thread_bits,
            keys.block_bits,
            keys.block_clock_bits,
            keys.warp_clock_bits,
        ];
        let minimum = [size.min_thread_bits(), 1, 1, 1];
        if widths[0] != 0 && !THREAD_BITS.contains(&widths[0]) {
            let last = THREAD_BITS.end - 1;
            return wrong(format!(
                "{} bits for the thread: expected {} to {last}",
                widths[0], THREAD_BITS.start
            ));
        }
        let needed = widths.iter().zip(minimum);
        let needed: u32 = needed.map(|(&bits, minimum)| bits.max(minimum)).sum();
        let available = size.split_bits();
        if needed > available {
            return wrong(format!(
                "the widths take {needed} of {available} bits, including those that hirace chooses"
            ));
        }
        Ok(Self {
            memory: keys.memory.unwrap_or_default(),
            size,
            widths,
        })
    }

    /// The widths on a GPU, where they are constants. Fields that the file leaves open share the
    /// remaining bits in proportion to their defaults.
    fn gpu_widths(self) -> [u32; 4] {
        let default = self.size.gpu();
        let open = |index: &usize| self.widths[*index] == 0;
        let mut widths = self.widths;
        let mut left = self.size.split_bits() - widths.iter().sum::<u32>();
        if open(&0) {
            let others = (1..4).filter(open).count() as u32;
            widths[0] = default[0].min(left - others);
            left -= widths[0];
        }
        let mut share: u32 = (1..4).filter(open).map(|index| default[index]).sum();
        let mut others = (1..4).filter(open).count() as u32;
        for index in (1..4).filter(open) {
            others -= 1;
            widths[index] = (default[index] * left / share).clamp(1, left - others);
            share -= default[index];
            left -= widths[index];
        }
        widths
    }

    /// The macros that configure the device headers, as compiler options.
    pub(super) fn macros(self, backend: Backend) -> Vec<String> {
        let mut macros = Vec::new();
        if self.size == Size::Four {
            macros.push("-DHIRACE_WORD_BYTES=4".to_owned());
        }
        if backend == Backend::Gpu && self.widths != [0; 4] {
            let names = ["THREAD", "BLOCK", "BLOCK_CLOCK", "WARP_CLOCK"];
            let widths = names.iter().zip(self.gpu_widths());
            macros.extend(widths.map(|(name, bits)| format!("-DHIRACE_{name}_BITS={bits}")));
        }
        macros
    }
}
