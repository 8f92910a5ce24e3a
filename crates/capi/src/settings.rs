//! Options by name: those of `hirace check`, and the keys of `hirace.toml`.

use std::path::PathBuf;

use hirace_check::{BlockOrder, Schedules};
use hirace_config::Config;
use hirace_model::error::{Error, Result};

use super::boundary::Told;

/// Options of `hirace check` that are short for a key of `hirace.toml`.
const SHORT: [(&str, &str); 6] = [
    ("engine", "check.engine"),
    ("predict", "check.predict"),
    ("init-check", "check.init-check"),
    ("timeout", "run.timeout"),
    ("explore", "explore.schedules"),
    ("explore-depth", "explore.depth"),
];

/// The other ones.
const OTHER: [&str; 7] = [
    "seed",
    "seeds",
    "jobs",
    "block-order",
    "strict",
    "no-cache",
    "config",
];

/// The options of a session.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub schedules: Schedules,
    pub jobs: Option<u32>,
    pub block_order: Option<BlockOrder>,
    pub strict: bool,
    no_cache: bool,
    file: Option<PathBuf>,
    /// Keys of `hirace.toml`, each once.
    keys: Vec<(String, String)>,
}

impl Settings {
    /// Sets an option; a later value replaces an earlier one.
    pub fn set(&mut self, key: &str, value: &str) -> Told<()> {
        let bad = |wanted: &str| Err(format!("`{key}` is {wanted}, not `{value}`"));
        let number = || value.parse::<u32>().ok();
        let is_on = || value.parse::<bool>().ok();
        match key {
            "seed" => match number() {
                Some(seed) => self.schedules = Schedules::Seed(seed),
                None => return bad("a number below 2^32"),
            },
            "seeds" => {
                let (first, last) =
                    Schedules::parse_range(value).map_err(|it| format!("`seeds`: {it}"))?;
                self.schedules = Schedules::Range(first, last);
            }
            "jobs" => match number().filter(|it| (1..=1024).contains(it)) {
                Some(jobs) => self.jobs = Some(jobs),
                None => return bad("a number from 1 to 1024"),
            },
            "block-order" => match BlockOrder::named(value) {
                Some(order) => self.block_order = Some(order),
                None => return bad("natural, reverse or random"),
            },
            "strict" => match is_on() {
                Some(strict) => self.strict = strict,
                None => return bad("true or false"),
            },
            "no-cache" => match is_on() {
                Some(no_cache) => self.no_cache = no_cache,
                None => return bad("true or false"),
            },
            "config" => {
                Config::load(Some(value.as_ref()), value.as_ref()).map_err(|it| it.text())?;
                self.file = Some(value.into());
            }
            _ => self.set_key(key, value)?,
        }
        Ok(())
    }

    fn set_key(&mut self, given: &str, value: &str) -> Told<()> {
        let short = SHORT.iter().find(|it| it.0 == given);
        let key = short.map_or(given, |it| it.1);
        if !key.contains('.') {
            let short = SHORT.iter().map(|it| it.0);
            let known: Vec<&str> = OTHER.into_iter().chain(short).collect();
            return Err(format!(
                "no option `{given}`; known are {}, and keys of hirace.toml such as check.engine",
                known.join(", ")
            ));
        }
        let one = [(key.to_owned(), value.to_owned())];
        // Of the two, only the message helps: the caller has no such text.
        let explained = |it: Error| format!("`{given}` with the value `{value}`: {it}");
        Config::with_keys(None, &one).map_err(explained)?;
        let [one] = one;
        self.keys.retain(|it| it.0 != one.0);
        self.keys.push(one);
        if given == "explore" {
            // As on the command line, it is another way to choose the schedules.
            self.schedules = Schedules::Configured;
        }
        Ok(())
    }

    /// The configuration that they make.
    pub fn config(&self) -> Result<Config> {
        let mut config = Config::with_keys(self.file.as_deref(), &self.keys)?;
        config.validate()?;
        config.cache.enabled &= !self.no_cache;
        Ok(config)
    }

    /// The seed of the first schedule.
    pub fn first_seed(&self) -> u32 {
        self.schedules.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hirace_config::Engine;

    #[test]
    fn options_mean_what_those_of_the_command_mean() {
        let mut settings = Settings::default();
        for (key, value) in [
            ("seed", "7"),
            ("engine", "machine"),
            ("check.engine", "order"),
            ("timeout", "2.5"),
            ("explore-depth", "5"),
            ("block-order", "reverse"),
            ("strict", "true"),
            ("no-cache", "true"),
        ] {
            assert_eq!(settings.set(key, value), Ok(()), "{key}");
        }
        assert_eq!(settings.schedules, Schedules::Seed(7));
        assert_eq!(settings.block_order, Some(BlockOrder::Reverse));
        assert!(settings.strict);
        let config = settings.config().expect("valid");
        assert_eq!(config.semantics.engine, Engine::Order);
        assert_eq!(config.timeout, Some(2.5));
        assert_eq!(config.explore.depth.get(), 5);
        assert!(!config.cache.enabled);
    }

    #[test]
    fn the_last_choice_of_schedules_counts() {
        let mut settings = Settings::default();
        let mut after = |key, value| {
            settings.set(key, value).expect("valid");
            let config = settings.config().expect("valid");
            (settings.schedules, config.explore.schedules.get())
        };
        assert_eq!(after("seeds", "3..5"), (Schedules::Range(3, 5), 1));
        assert_eq!(after("explore", "4"), (Schedules::Configured, 4));
        assert_eq!(after("seed", "9"), (Schedules::Seed(9), 4));
    }

    #[test]
    fn mistakes_name_the_option() {
        for (key, value, says) in [
            ("seed", "-1", "`seed` is a number below 2^32, not `-1`"),
            ("seeds", "5..3", "`seeds`: the last seed is below the first"),
            ("jobs", "0", "`jobs` is a number from 1 to 1024, not `0`"),
            ("strict", "yes", "`strict` is true or false, not `yes`"),
            ("sead", "1", "no option `sead`; known are seed, seeds,"),
            (
                "engine",
                "fast",
                "`engine` with the value `fast`: bad configuration: unknown variant",
            ),
            ("check.engines", "order", "unknown field `engines`"),
            (
                "explore",
                "0",
                "`explore` with the value `0`: bad configuration",
            ),
            ("config", "none.toml", "cannot read `none.toml`"),
        ] {
            let text = Settings::default().set(key, value).unwrap_err();
            assert!(text.contains(says), "{text}");
        }
    }

    #[test]
    fn options_that_exclude_one_another() {
        let mut settings = Settings::default();
        settings.set("predict", "true").expect("valid");
        settings.set("engine", "machine").expect("valid");
        let text = settings.config().unwrap_err().to_string();
        assert_eq!(text, "the state machine predicts no races");
    }
}
