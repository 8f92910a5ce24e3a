//! `hirace man`.

use hirace_model::error::{Error, Result};

/// Prints the manual page of a command, or of hirace itself.
pub(super) fn print(mut hirace: clap::Command, name: Option<&str>) -> Result<()> {
    hirace.build();
    let mut command = match name {
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
    let page = render(title, &mut command);
    hirace_terminal::print(&page.map_err(|source| Error::write("the manual page", source))?)
}

/// The page of a command. clap's own synopsis lists all options, and none of their values.
fn render(title: String, command: &mut clap::Command) -> std::io::Result<Vec<u8>> {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace('-', "\\-");
    let man = clap_mangen::Man::new(command.clone())
        .title(title)
        .source(concat!("hirace ", env!("CARGO_PKG_VERSION")))
        .manual("hirace manual");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend(format!(".SH SYNOPSIS\n{usage}\n").bytes());
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if command.get_after_help().is_some() || command.get_after_long_help().is_some() {
        man.render_extra_section(&mut page)?;
    }
    Ok(once(&page))
}

/// The page with one definition of the apostrophe, which clap repeats for each section.
fn once(page: &[u8]) -> Vec<u8> {
    let is_definition = |line: &[u8]| line.starts_with(b".ie ") || line.starts_with(b".el ");
    let lines = page.split_inclusive(|it| *it == b'\n').enumerate();
    let kept = lines.filter(|(index, line)| *index < 2 || !is_definition(line));
    kept.flat_map(|(_, line)| line.to_vec()).collect()
}
