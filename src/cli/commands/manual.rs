//! `hirace man`.

use hirace_model::error::{Error, Result};

/// Prints the manual page of a command, or of hirace itself.
pub(super) fn print(mut hirace: clap::Command, name: Option<&str>) -> Result<()> {
    hirace.build();
    let command = match name {
        None => hirace,
        Some(name) => {
            let found = hirace.find_subcommand(name).cloned();
            found.ok_or_else(|| Error::Input {
                message: format!("hirace has no command `{name}`"),
                help: Some("`hirace --help` lists the commands".to_owned()),
            })?
        }
    };
    let title = command
        .get_display_name()
        .unwrap_or(command.get_name())
        .replace(' ', "-");
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .title(title)
        .render(&mut page)
        .map_err(|source| Error::write("the manual page", source))?;
    hirace_terminal::print(&page)
}
