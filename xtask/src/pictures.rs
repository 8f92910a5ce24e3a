//! The pictures of the README: a report in a browser and on a terminal.

use std::fs;

use anstyle_svg::{Term, WIN10_CONSOLE};
use anyhow::{Result, anyhow};
use hirace::check::{self, RunOptions};
use hirace::config::Config;
use hirace::fix;
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::human::{self, Style};
use hirace::report::{Report, html};
use hirace::table::Texts;
use hirace::toolchain::Output;

use crate::browser::{self, Browser};
use crate::files;

const PROGRAM: &str = "examples/block_sum.cu";

/// A size that fits into the README's column.
const STYLE: Style = Style {
    width: 100,
    color: true,
    unicode: true,
};

/// Writes the pictures to `docs/pictures`.
///
/// # Errors
/// The program could not be checked, there is no browser, or a file could not be written.
pub fn write() -> Result<()> {
    let (report, texts) = checked()?;
    let folder = crate::root().join("docs/pictures");
    fs::create_dir_all(&folder)?;

    let command = format!("$ hirace check {PROGRAM}\n");
    let terminal = command + &human::render(&report, &texts, None, STYLE);
    let picture = Term::new().palette(WIN10_CONSOLE).render_svg(&terminal);
    files::write(&folder.join("terminal.svg"), picture)?;

    let page = crate::root().join("target/browser/report.html");
    fs::create_dir_all(crate::root().join("target/browser"))?;
    files::write(&page, html::render(&report, &texts))?;
    let program = browser::locate().map_err(|reason| anyhow!(reason))?;
    let mut browser = Browser::start(&program)?;
    browser.resize(1180, 1120, 1.0)?;
    for scheme in ["light", "dark"] {
        browser.prefer(scheme)?;
        browser.open(&page)?;
        browser.screenshot(&folder.join(format!("report-{scheme}.png")))?;
    }
    println!("wrote {}", folder.display());
    Ok(())
}

/// Checks the program; returns its report.
fn checked() -> Result<(Report, Texts)> {
    let config = Config::builtin();
    let program = check::build(&[PROGRAM.into()], Backend::Cpu, &[], &config)?;
    let options = RunOptions {
        arguments: &[],
        seed: 0,
        jobs: Some(1),
        timeout: Some(60.0),
        block_order: None,
        output: Output::Discarded,
        control: &ProgramOptions::default(),
    };
    let mut report = program.run(&config, &options)?;
    fix::complete_help(&mut report, &program.texts(), Some(&[]));
    Ok((report, program.texts()))
}
