//! The structure of a configuration file. Every value is checked while it is parsed, so that
//! errors have a position.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use globset::GlobMatcher;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::Explore;
use super::sample::Sample;
use super::semantics::{CheckKeys, SemanticsKeys};
use super::shadow::ShadowKeys;
use hirace_instrument::rewrite::Skip;

/// A configuration file; the default supplies missing keys.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub monitor: MonitorKeys,
    pub kernel: Vec<KernelKeys>,
    pub skip: SkipKeys,
    pub shadow: Option<Spanned<ShadowKeys>>,
    pub check: CheckKeys,
    pub semantics: SemanticsKeys,
    pub report: ReportKeys,
    pub explore: ExploreKeys,
    pub run: RunKeys,
    pub cache: CacheKeys,
}

/// `[monitor]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct MonitorKeys {
    pub kernels: Option<Vec<Spanned<Pattern>>>,
    pub exclude_kernels: Option<Vec<Spanned<Pattern>>>,
    pub variables: Option<Vec<Spanned<Pattern>>>,
    pub exclude_variables: Option<Vec<Spanned<Pattern>>>,
    pub spaces: Option<Vec<Space>>,
    pub blocks: Option<Blocks>,
}

impl MonitorKeys {
    /// These keys, with missing ones taken from `default`.
    pub fn over(self, default: Self) -> Self {
        Self {
            kernels: self.kernels.or(default.kernels),
            exclude_kernels: self.exclude_kernels.or(default.exclude_kernels),
            variables: self.variables.or(default.variables),
            exclude_variables: self.exclude_variables.or(default.exclude_variables),
            spaces: self.spaces.or(default.spaces),
            blocks: self.blocks.or(default.blocks),
        }
    }
}

/// `[[kernel]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct KernelKeys {
    pub name: Spanned<Pattern>,
    pub variables: Option<Vec<Spanned<Pattern>>>,
    pub exclude_variables: Option<Vec<Spanned<Pattern>>>,
    pub spaces: Option<Vec<Space>>,
    pub blocks: Option<Blocks>,
}

/// `[skip]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct SkipKeys {
    pub stable_reads: Option<bool>,
    pub read_only_memory: Option<bool>,
}

impl SkipKeys {
    /// These keys, with missing ones taken from `default`.
    pub fn over(self, default: Self) -> Skip {
        let fallback = Skip::default();
        let stable_reads = self.stable_reads.or(default.stable_reads);
        let read_only_memory = self.read_only_memory.or(default.read_only_memory);
        Skip {
            stable_reads: stable_reads.unwrap_or(fallback.stable_reads),
            read_only_memory: read_only_memory.unwrap_or(fallback.read_only_memory),
        }
    }
}

/// `[report]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ReportKeys {
    #[serde(deserialize_with = "limit")]
    pub limit: Option<usize>,
    pub suppressions: Option<Vec<PathBuf>>,
}

/// `[explore]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ExploreKeys {
    #[serde(deserialize_with = "schedules")]
    pub schedules: Option<NonZeroU32>,
    #[serde(deserialize_with = "depth")]
    pub depth: Option<NonZeroU32>,
}

/// `[run]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RunKeys {
    #[serde(deserialize_with = "seconds")]
    pub timeout: Option<f64>,
    #[serde(deserialize_with = "sample")]
    pub sample: Option<Option<Sample>>,
}

/// `[cache]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CacheKeys {
    #[serde(deserialize_with = "byte_count")]
    pub size: Option<u64>,
}

/// Reads a size such as `"512 MiB"`.
fn byte_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0)];
    let parsed = units.iter().find_map(|(unit, shift)| {
        let number = text.trim().strip_suffix(unit)?.trim().parse::<u64>().ok()?;
        number.checked_mul(1 << shift)
    });
    parsed.map(Some).ok_or_else(|| {
        D::Error::custom(format!(
            "bad size \"{text}\": expected a number and B, KiB, MiB, GiB or TiB"
        ))
    })
}

/// A memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Shared memory: one copy per block.
    Shared,
    /// Global memory: one for the whole grid.
    Global,
}

/// A name with wildcards.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Pattern {
    glob: GlobMatcher,
    /// Whether any name has matched, in any copy of the pattern.
    matched: Arc<AtomicBool>,
}

impl Pattern {
    pub fn matches(&self, name: &str) -> bool {
        let matches = self.glob.is_match(name);
        if matches {
            self.matched.store(true, Ordering::Relaxed);
        }
        matches
    }

    /// Whether any name has matched so far.
    pub fn has_matched(&self) -> bool {
        self.matched.load(Ordering::Relaxed)
    }

    pub fn text(&self) -> &str {
        self.glob.glob().glob()
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        globset::Glob::new(&text)
            .map(|glob| Self {
                glob: glob.compile_matcher(),
                matched: Arc::default(),
            })
            .map_err(|error| format!("bad pattern: {}", error.kind()))
    }
}

/// The range of blocks to check, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Blocks {
    pub first: u32,
    pub last: u32,
}

impl TryFrom<String> for Blocks {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self {
                first: 0,
                last: u32::MAX,
            });
        }
        let expected = || format!("`{text}` is neither \"all\" nor a range such as \"0..15\"");
        let (first, last) = text.split_once("..").ok_or_else(expected)?;
        let first = first.trim().parse().map_err(|_| expected())?;
        let last = last.trim().parse().map_err(|_| expected())?;
        if first > last {
            return Err(format!("the range `{text}` is empty"));
        }
        Ok(Self { first, last })
    }
}

/// Reads a number of races, 0 for all.
fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let value = i64::deserialize(deserializer)?;
    usize::try_from(value)
        .map(Some)
        .map_err(|_| D::Error::custom(format!("{value} is not a number of races")))
}

/// Reads a number of schedules.
fn schedules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    number_up_to(u32::MAX, deserializer)
}

/// Reads the depth of races.
fn depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    number_up_to(Explore::GREATEST_DEPTH, deserializer)
}

fn number_up_to<'de, D: Deserializer<'de>>(
    most: u32,
    deserializer: D,
) -> Result<Option<NonZeroU32>, D::Error> {
    let value = i64::deserialize(deserializer)?;
    u32::try_from(value)
        .ok()
        .filter(|&number| number <= most)
        .and_then(NonZeroU32::new)
        .map(Some)
        .ok_or_else(|| D::Error::custom(format!("{value} is not in 1..={most}")))
}

/// Reads a length of time in seconds, 0 for no limit.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let seconds = f64::deserialize(deserializer)
        .map_err(|_| D::Error::custom("expected a number of seconds"))?;
    if (0.0..1e9).contains(&seconds) {
        Ok(Some(seconds))
    } else {
        Err(D::Error::custom(format!(
            "{seconds} is not a number of seconds"
        )))
    }
}

/// The rules of a sample; an empty text stands for all of a run.
fn sample<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Sample>>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(Some(None));
    }
    text.parse()
        .map(|it| Some(Some(it)))
        .map_err(D::Error::custom)
}

impl File {
    /// All patterns in the file.
    pub fn patterns(&self) -> Vec<Spanned<Pattern>> {
        let monitor = &self.monitor;
        let of_kernels = self
            .kernel
            .iter()
            .flat_map(|it| [&it.variables, &it.exclude_variables]);
        [
            &monitor.kernels,
            &monitor.exclude_kernels,
            &monitor.variables,
            &monitor.exclude_variables,
        ]
        .into_iter()
        .chain(of_kernels)
        .flatten()
        .flatten()
        .chain(self.kernel.iter().map(|it| &it.name))
        .cloned()
        .collect()
    }
}
