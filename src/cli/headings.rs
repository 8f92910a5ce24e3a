//! The groups of options in help texts.

pub(super) const BUILDING: &str = "Building the program";
pub(super) const SCHEDULES: &str = "Schedules";
pub(super) const CHECKING: &str = "What is checked";
pub(super) const STATUS: &str = "Stopping and exit status";
pub(super) const REPORTS: &str = "Reports";
