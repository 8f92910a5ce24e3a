//! Which part of a run is checked: the rules of `--sample`.
//!
//! `device/hirace/checker/sample.h` reads the same format in programs.

use std::fmt;
use std::str::FromStr;

/// Rules such as `launches=1/10,blocks=1/8,90s`, in the form in which a program reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample(String);

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(wrong) = text.split(',').find(|rule| !is_rule(rule)) {
            return Err(format!(
                "`{wrong}` is not a sample such as `launches=1/10`, `blocks=1/8` or `90s`"
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The largest number, which leaves a program room for products.
const MAX_NUMBER: u32 = 1_000_000;

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let value = text.parse().ok().filter(|_| digits)?;
    (1..=MAX_NUMBER).contains(&value).then_some(value)
}

fn is_rule(rule: &str) -> bool {
    let share = ["launches=", "blocks="]
        .iter()
        .find_map(|name| rule.strip_prefix(name));
    if let Some(share) = share {
        let parts = share.split_once('/');
        let parts = parts.and_then(|(taken, of)| Some((number(taken)?, number(of)?)));
        return parts.is_some_and(|(taken, of)| taken <= of);
    }
    let units = ["ms", "s", "m"];
    let amount = units.iter().find_map(|unit| rule.strip_suffix(unit));
    amount.is_some_and(|it| number(it).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples() {
        for text in [
            "launches=1/10",
            "blocks=3/8,launches=1/1",
            "60s",
            "500ms,blocks=1/2",
            "5m",
        ] {
            let sample: Sample = text.parse().unwrap();
            assert_eq!(sample.to_string(), text);
        }
        for text in [
            "",
            "1/10",
            "launches=0/10",
            "launches=2/1",
            "launches=+1/2",
            "blocks=1",
            "60",
            "1.5s",
            "s",
            "60s,",
            "blocks=1/1000001",
        ] {
            let error = text.parse::<Sample>().unwrap_err();
            assert!(error.contains("is not a sample such as"), "{text}: {error}");
        }
    }
}
