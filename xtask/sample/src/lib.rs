//! Which of the checks that take long run now.
//!
//! A check that takes long runs on a sample of its inputs. The sample rotates: each input runs on
//! one of `every` consecutive days, so a week of daily runs covers all inputs of a check with
//! `every` ≤ 7. [`VARIABLE`] repeats the sample of another day, or selects everything.
//!
//! # Dependencies
//! None, so that the tests of every crate can use this one.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that chooses the sample: a [`Sample`] as text.
pub const VARIABLE: &str = "HIRACE_SAMPLE";

/// The chosen part of the inputs of all checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// `all`: every input.
    All,
    /// A number, by default that of the day since 1970: one input of several, another one the day
    /// after.
    Day(u64),
    /// `K/N`: the `K`th of `N` parts that together are everything; `1 <= K <= N`.
    Part(u64, u64),
}

impl Sample {
    /// What [`VARIABLE`] says, or today's sample.
    ///
    /// # Panics
    /// The variable is not a sample.
    #[must_use]
    pub fn current() -> Self {
        match std::env::var(VARIABLE) {
            Ok(text) if !text.is_empty() => {
                let sample = text.parse();
                sample.unwrap_or_else(|why| panic!("{VARIABLE}={text}: {why}"))
            }
            _ => Self::today(),
        }
    }

    /// The sample of this day, in universal time.
    #[must_use]
    pub fn today() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self::Day(now.map_or(0, |it| it.as_secs() / 86_400))
    }

    /// Whether everything runs, at once or in parts.
    #[must_use]
    pub fn is_everything(self) -> bool {
        !matches!(self, Self::Day(_))
    }

    /// Whether checks that do not depend on a sample run: in one part only.
    #[must_use]
    pub fn has_the_rest(self) -> bool {
        !matches!(self, Self::Part(number, _) if number != 1)
    }

    /// Whether the input with this name is in the sample of a check that tries one input of
    /// `every`. New inputs do not move others.
    #[must_use]
    pub fn takes(self, name: impl Hash, every: u64) -> bool {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let hash = hasher.finish();
        match self {
            Self::All => true,
            // The upper half, as parts are chosen by the lower one.
            Self::Day(day) => ((hash >> 32) + day).is_multiple_of(every),
            Self::Part(number, parts) => hash % u32::MAX as u64 % parts == number - 1,
        }
    }

    /// The seeds of a check that makes its inputs from seeds: `few` of them, which are new each
    /// day, or all below `many`.
    #[must_use]
    pub fn seeds(self, few: u64, many: u64) -> Range<u64> {
        match self {
            Self::All => 0..many,
            Self::Day(day) => {
                let first = day * few % (many / few * few);
                first..first + few
            }
            Self::Part(number, parts) => many * (number - 1) / parts..many * number / parts,
        }
    }
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let number = text.parse::<u64>();
            number.map_err(|_| "not `all`, `K/N` or a number".to_owned())
        };
        match text.split_once('/') {
            None if text == "all" => Ok(Self::All),
            None => number(text).map(Self::Day),
            Some((part, parts)) => {
                let (part, parts) = (number(part)?, number(parts)?);
                if part == 0 || part > parts {
                    return Err(format!("there is no part {part} of {parts}"));
                }
                Ok(Self::Part(part, parts))
            }
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(f, "all"),
            Self::Day(day) => write!(f, "{day}"),
            Self::Part(number, parts) => write!(f, "{number}/{parts}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    fn names() -> impl Iterator<Item = String> {
        (0..1_000).map(|number| format!("order/locks/{number}"))
    }

    #[test]
    fn consecutive_days_cover_everything_once() {
        for every in 1..=7 {
            for name in names() {
                let days =
                    (20_000..20_000 + every).filter(|&day| Sample::Day(day).takes(&name, every));
                assert_eq!(days.count(), 1, "{name}, one of {every}");
            }
        }
    }

    #[test]
    fn a_day_has_its_share() {
        let taken = names()
            .filter(|it| Sample::Day(20_000).takes(it, 4))
            .count();
        assert!((200..300).contains(&taken), "{taken}");
    }

    #[test]
    fn parts_cover_everything_once() {
        for name in names() {
            let parts = (1..=3).filter(|&it| Sample::Part(it, 3).takes(&name, 4));
            assert_eq!(parts.count(), 1, "{name}");
        }
        let seeds: Vec<u64> = (1..=3)
            .flat_map(|it| Sample::Part(it, 3).seeds(10, 100))
            .collect();
        assert_eq!(seeds, (0..100).collect::<Vec<_>>());
        assert!(Sample::Part(1, 3).has_the_rest() && !Sample::Part(2, 3).has_the_rest());
    }

    #[test]
    fn seeds_are_new_each_day() {
        let mut seeds: Vec<u64> = (20_000..20_010)
            .flat_map(|it| Sample::Day(it).seeds(10, 100))
            .collect();
        seeds.sort_unstable();
        assert_eq!(seeds, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn samples_are_read_as_they_are_written() {
        for sample in [Sample::All, Sample::Day(20_416), Sample::Part(2, 4)] {
            assert_eq!(sample.to_string().parse(), Ok(sample));
        }
        for wrong in ["", "some", "0/4", "5/4", "1/", "-1"] {
            assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
        }
    }
}
