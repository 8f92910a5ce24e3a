//! Writing reports to files, standard output and the terminal.

use super::target::Target;
use crate::cli::outputs::{Format, Outputs};
use hirace_model::error::Result;
use hirace_model::table::Texts;
use hirace_report::diff::Diff;
use hirace_report::human::{self, Style};
use hirace_report::{Report, github, html, json, junit, sarif};
use hirace_terminal::{print, tell};

/// A report, and what its human form needs.
#[derive(Clone, Copy)]
pub(super) struct Content<'a> {
    pub report: &'a Report,
    /// The human form shows this instead; the report then holds only the new findings.
    pub diff: Option<&'a Diff>,
    pub texts: &'a Texts,
    /// Notes for the user of this machine, which no machine-readable format contains.
    pub notes: &'a [String],
    /// How many races to show in full.
    pub limit: Option<usize>,
}

impl Content<'_> {
    /// The human report.
    pub fn human(&self, style: Style) -> String {
        if let Some(diff) = self.diff {
            return human::render_diff(diff, self.texts, self.limit, style);
        }
        human::render(&self.with_notes(), self.texts, self.limit, style)
    }

    fn with_notes(&self) -> Report {
        let mut report = self.report.clone();
        report.notes.extend_from_slice(self.notes);
        report
    }

    /// The report in a format.
    pub fn render(&self, format: Format, style: Style) -> String {
        match format {
            Format::Human => self.human(style),
            Format::Json => json::render(self.report),
            Format::Sarif => sarif::render(self.report),
            Format::Junit => junit::render(self.report),
            Format::Github => github::render(self.report),
            Format::Html => html::render(&self.with_notes(), self.texts),
        }
    }
}

/// The reports to write, and their files, which were all found writable.
pub(super) struct Delivery {
    reports: Vec<(Format, Option<Target>)>,
}

impl Delivery {
    /// Opens all files. Call this before anything that takes time.
    pub fn open(outputs: &Outputs) -> Result<Self> {
        let reports = outputs.iter().map(|(format, file)| {
            let target = file.map(|it| Target::open(it)).transpose()?;
            Ok((format, target))
        });
        Ok(Self {
            reports: reports.collect::<Result<_>>()?,
        })
    }

    /// These reports without the human ones.
    pub fn without_human(mut self) -> Self {
        self.reports.retain(|(format, _)| *format != Format::Human);
        self
    }

    /// Writes all reports; those without a file go to standard output.
    pub fn write(self, content: Content<'_>) -> Result<()> {
        for (format, target) in self.reports {
            match target {
                Some(target) => target.write(content.render(format, Style::for_file()))?,
                None => print(&content.render(format, Style::for_stdout()))?,
            }
        }
        Ok(())
    }

    /// Writes all reports, with the human report or its summary on standard error.
    pub fn write_beside_a_program(mut self, content: Content<'_>) -> Result<()> {
        let takes_stdout = |(format, target): &(Format, Option<Target>)| {
            *format != Format::Human && target.is_none()
        };
        let human = self.reports.iter().position(|(it, _)| *it == Format::Human);
        match human {
            Some(index) if self.reports[index].1.is_none() => {
                self.reports.remove(index);
                tell(&content.human(Style::for_stderr()));
            }
            Some(_) => tell(&format!("{}\n", human::summary(content.report))),
            None if self.reports.iter().any(takes_stdout) => {
                if let Some(failure) = &content.report.failure {
                    tell(&human::render_failure(
                        failure,
                        content.texts,
                        Style::for_stderr(),
                    ));
                }
            }
            None => tell(&content.human(Style::for_stderr())),
        }
        self.write(content)
    }
}
