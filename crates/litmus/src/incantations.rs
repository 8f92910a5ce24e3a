//! What brings weak behaviour out on a GPU (Alglave et al., "GPU Concurrency", ASPLOS 2015).

use hirace_model::error::{Error, Result};

/// One of them. The numbers are those of `program/gpu.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incantation {
    /// Other threads access other memory.
    Stress = 1,
    /// Other threads access one bank of shared memory.
    Conflicts = 2,
    /// The threads of a test start together.
    Synchronization = 4,
    /// Blocks and warps run other threads of the tests each time.
    Randomization = 8,
}

/// All of them, with their names.
const ALL: [(Incantation, &str); 4] = [
    (Incantation::Stress, "stress"),
    (Incantation::Conflicts, "conflicts"),
    (Incantation::Synchronization, "sync"),
    (Incantation::Randomization, "random"),
];

/// A combination of incantations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Incantations(u8);

impl Incantations {
    /// All combinations.
    pub fn combinations() -> impl Iterator<Item = Self> {
        (0..1 << ALL.len()).map(Self)
    }

    /// Reads `none`, `all`, or names with commas between them.
    ///
    /// # Errors
    /// There is no such incantation.
    pub fn parse(text: &str) -> Result<Self> {
        match text {
            "none" => return Ok(Self(0)),
            "all" => return Ok(Self((1 << ALL.len()) - 1)),
            _ => {}
        }
        let mut bits = 0;
        for name in text.split(',') {
            let found = ALL.iter().find(|(_, known)| *known == name.trim());
            let Some((incantation, _)) = found else {
                return Err(Error::Input {
                    message: format!("there is no incantation `{name}`"),
                    help: Some(
                        "name stress, conflicts, sync or random, with commas between them, or all, \
                         or none"
                            .to_owned(),
                    ),
                });
            };
            bits |= *incantation as u8;
        }
        Ok(Self(bits))
    }

    /// As the program takes them.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The names of those in it.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let all = ALL.iter().filter(|(it, _)| self.0 & *it as u8 != 0);
        all.map(|(_, name)| *name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_combinations() {
        for combination in Incantations::combinations() {
            let names = combination.names().join(",");
            let names = if names.is_empty() { "none" } else { &names };
            assert_eq!(Incantations::parse(names).expect("known"), combination);
        }
        assert_eq!(Incantations::combinations().count(), 16);
        assert_eq!(Incantations::parse("all").expect("known").bits(), 15);
        assert!(Incantations::parse("stres").is_err());
    }
}
