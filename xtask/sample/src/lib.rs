//! Which of the checks that take long run now, and random inputs for tests ([`random`]).
//!
//! A check that takes long runs on a sample of its inputs. The sample changes every four hours, 42
//! times a week. A check tries one input of `every` ≤ 42, so a week of commits tries all of them.
//! [`VARIABLE`] repeats an earlier sample, or selects everything.
//!
//! # Dependencies
//! None, so that the tests of every crate can use this one.

pub mod random;

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
    /// A number: one input of several. By default it counts periods of four hours since 1970, in
    /// universal time, so the next period has other inputs.
    Number(u64),
    /// `K/N`: the `K`th of `N` parts that together are everything; `1 <= K <= N`.
    Part(u64, u64),
}

impl Sample {
    /// What [`VARIABLE`] says, or the current sample.
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
            _ => Self::of_this_period(),
        }
    }

    /// The sample of the current period.
    #[must_use]
    pub fn of_this_period() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self::Number(now.map_or(0, |it| it.as_secs() / (4 * 60 * 60)))
    }

    /// Whether everything runs, at once or in parts.
    #[must_use]
    pub fn is_everything(self) -> bool {
        !matches!(self, Self::Number(_))
    }

    /// Whether checks that do not depend on a sample run: in one part only.
    #[must_use]
    pub fn has_the_rest(self) -> bool {
        !matches!(self, Self::Part(number, _) if number != 1)
    }

    /// Whether the running test of the standard harness is in the sample of a program that runs one
    /// test of `every`. All tests are if a filter chooses them.
    #[must_use]
    pub fn takes_this_test(self, every: u64) -> bool {
        // The harness names each thread like the test that it runs.
        let thread = std::thread::current();
        self.takes_for_this_test(thread.name().unwrap_or_default(), every)
    }

    /// Whether the running test tries an input. It tries all of them if a filter chooses the test.
    #[must_use]
    pub fn takes_for_this_test(self, input: &str, every: u64) -> bool {
        let is_chosen = std::env::args()
            .skip(1)
            .any(|argument| !argument.starts_with('-'));
        let takes = is_chosen || self.takes(input, every);
        if !takes {
            println!("not in the sample: {input}");
        }
        takes
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
            // After each round, the inputs change places. Otherwise runs at the same hour of each
            // day, or once a week, would try the same third or seventh of the inputs for ever. With
            // this distance they try everything in seven rounds.
            Self::Number(number) => {
                ((hash >> 32) + number + 73 * (number / every)).is_multiple_of(every)
            }
            Self::Part(number, parts) => hash % u32::MAX as u64 % parts == number - 1,
        }
    }

    /// The seeds of a check that makes its inputs from seeds: `few` of them, which change with the
    /// sample, or all below `many`.
    #[must_use]
    pub fn seeds(self, few: u64, many: u64) -> Range<u64> {
        match self {
            Self::All => 0..many,
            Self::Number(sample) => {
                let first = sample * few % (many / few * few);
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
            None => number(text).map(Self::Number),
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
            Self::Number(number) => write!(f, "{number}"),
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
    fn each_round_covers_everything_once() {
        for every in 1..=42 {
            let first = 120_000 / every * every;
            for name in names() {
                let round = first..first + every;
                let taken = round.filter(|&it| Sample::Number(it).takes(&name, every));
                assert_eq!(taken.count(), 1, "{name}, one of {every}");
            }
        }
    }

    #[test]
    fn one_run_a_day_or_a_week_covers_everything_in_time() {
        for distance in [6, 42] {
            for every in 1..=42 {
                for name in names() {
                    let mut runs = (0..7 * every).map(|it| 120_000 + distance * it);
                    let is_covered = runs.any(|it| Sample::Number(it).takes(&name, every));
                    assert!(
                        is_covered,
                        "{name}, one of {every}, each {distance}th sample"
                    );
                }
            }
        }
    }

    #[test]
    fn a_sample_has_its_share() {
        let taken = names()
            .filter(|it| Sample::Number(120_000).takes(it, 4))
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
    fn seeds_change_with_the_sample() {
        let mut seeds: Vec<u64> = (60_000..60_010)
            .flat_map(|it| Sample::Number(it).seeds(10, 100))
            .collect();
        seeds.sort_unstable();
        assert_eq!(seeds, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn samples_are_read_as_they_are_written() {
        for sample in [Sample::All, Sample::Number(62_347), Sample::Part(2, 4)] {
            assert_eq!(sample.to_string().parse(), Ok(sample));
        }
        for wrong in ["", "some", "0/4", "5/4", "1/", "-1"] {
            assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
        }
    }
}
