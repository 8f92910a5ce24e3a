//! `hirace man`.

use clap::Arg;
use hirace_model::error::{Error, Result};

/// Names of compilers that `hirace NAME` stands for; they are not read with clap.
const WRAPPERS: [(&str, &str); 4] = [
    ("nvcc", "hirace nvcc"),
    ("g++", "hirace g++"),
    ("c++", "hirace c++"),
    ("clang++", "hirace clang++"),
];

const WRAPPER: &str = "\
Compiles as NAME does, with the same arguments, outputs and messages, but adds checks to CUDA code. \
`hirace run` then runs the program and reports its data races. `hirace build` runs a whole build \
with these compilers.";

const WRAPPER_NOTES: &str = "\
Environment:
  HIRACE_BACKEND             `cpu` (the executor, without a GPU), `gpu` or `auto`
  HIRACE_CHECK_ALL=1         checks every access, as `--check-all` of `hirace check`
  HIRACE_ALLOW_UNMONITORED=1 the same as `--allow-unmonitored`
  HIRACE_DISABLE=1           runs the compiler unchanged

Exit status: that of the compiler; 2 if the code cannot be instrumented";

/// The page of a compiler's wrapper.
fn wrapper(name: &str, full: &'static str) -> clap::Command {
    let own = Arg::new("allow")
        .long("allow-unmonitored")
        .num_args(0)
        .help("Build device code that cannot be instrumented without checks, with a warning");
    let given = Arg::new("ARGUMENT")
        .num_args(0..)
        .help(format!("The arguments of {name}"));
    let command = clap::Command::default()
        .name(full)
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!("Compile with checks in place of {name}"))
        .long_about(WRAPPER.replace("NAME", name))
        .after_help(WRAPPER_NOTES)
        .disable_help_flag(true)
        .disable_version_flag(true);
    match name {
        "nvcc" => command.arg(own).arg(given),
        _ => command.arg(given),
    }
}

/// Prints the manual page of a command, or of hirace itself.
pub(super) fn print(mut hirace: clap::Command, name: Option<&str>) -> Result<()> {
    hirace.build();
    let mut command = match name {
        None => hirace,
        Some(name) => {
            let known = WRAPPERS.iter().find(|it| it.0 == name);
            let wrapper = known.map(|(name, full)| wrapper(name, full));
            let found = wrapper.or_else(|| hirace.find_subcommand(name).cloned());
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
