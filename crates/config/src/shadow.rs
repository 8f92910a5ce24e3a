//! Shadow memory: how much it may take, the size of its words, and the widths of their fields
//! (`device/hirace/checker/shadow.h`).

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::Flaw;
use hirace_model::Backend;

/// `[shadow]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct ShadowKeys {
    pub memory: Option<Memory>,
    pub word_bytes: Option<Size>,
    pub thread_bits: Width,
    pub block_bits: Width,
    pub block_clock_bits: Width,
    pub warp_clock_bits: Width,
}

/// How much of a GPU's memory the shadow may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// As much as it needs; if memory runs out, like [`Memory::Cached`].
    #[default]
    Auto,
    /// As much as it needs; if memory runs out, accesses go unchecked.
    Full,
    /// A part of what it needs, so that races may be missed.
    Cached,
}

impl Memory {
    /// The name in the configuration and in the program's environment.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Cached => "cached",
        }
    }
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

    /// The fewest bits that "auto" gives the thread.
    const fn least_thread_bits(self) -> u32 {
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

/// A number of bits, or hirace's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WidthValue")]
pub(super) enum Width {
    #[default]
    Auto,
    Bits(u32),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"auto\" or a number of bits")]
enum WidthValue {
    Number(i64),
    Text(String),
}

/// The widest that a field can be, given the other three.
const WIDEST: u32 = 38;

impl TryFrom<WidthValue> for Width {
    type Error = String;

    fn try_from(value: WidthValue) -> Result<Self, String> {
        match value {
            WidthValue::Text(text) if text == "auto" => Ok(Self::Auto),
            WidthValue::Number(bits) => u32::try_from(bits)
                .ok()
                .filter(|bits| (1..=WIDEST).contains(bits))
                .map(Self::Bits)
                .ok_or_else(|| format!("{bits} bits: expected 1 to {WIDEST}")),
            WidthValue::Text(text) => {
                Err(format!("`{text}` is neither \"auto\" nor a number of bits"))
            }
        }
    }
}

/// Shadow memory, and how its words are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// How much memory it may take.
    pub memory: Memory,
    /// The size of a word.
    pub size: Size,
    /// Bits of thread, block, block clock and warp clock; 0 if hirace chooses.
    pub widths: [u32; 4],
}

impl Shadow {
    /// The settings of a file.
    pub(super) fn asked(keys: Option<&Spanned<ShadowKeys>>) -> Result<Self, Flaw> {
        let Some(spanned) = keys else {
            return Ok(Self::default());
        };
        let keys = spanned.as_ref();
        let wrong = |message| Err((message, Some(spanned.span())));
        let size = keys.word_bytes.unwrap_or_default();
        let asked = [
            keys.thread_bits,
            keys.block_bits,
            keys.block_clock_bits,
            keys.warp_clock_bits,
        ];
        let least = [size.least_thread_bits(), 1, 1, 1];
        let widths = asked.map(|width| match width {
            Width::Bits(bits) => bits,
            Width::Auto => 0,
        });
        if widths[0] != 0 && !THREAD_BITS.contains(&widths[0]) {
            let last = THREAD_BITS.end - 1;
            return wrong(format!(
                "{} bits for the thread: expected {} to {last}",
                widths[0], THREAD_BITS.start
            ));
        }
        let taken = widths.iter().zip(least);
        let taken: u32 = taken.map(|(&bits, least)| bits.max(least)).sum();
        let there = size.split_bits();
        if taken > there {
            return wrong(format!(
                "the widths take {taken} of {there} bits, including those that hirace chooses"
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
