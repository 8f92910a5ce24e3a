//! The style of text on a terminal or in a file.

use std::io::IsTerminal;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, ThemeCharacters, ThemeStyles};
use textwrap::WordSplitter;

use hirace_model::error::Error;

/// A drawing style.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Width in columns.
    pub width: usize,
    /// Whether to use colours.
    pub color: bool,
    /// Whether to use line-drawing characters beyond ASCII.
    pub unicode: bool,
}

impl Style {
    /// The style for standard error.
    #[must_use]
    pub fn for_stderr() -> Self {
        Self::for_stream(std::io::stderr())
    }

    /// The style for standard output.
    #[must_use]
    pub fn for_stdout() -> Self {
        Self::for_stream(std::io::stdout())
    }

    fn for_stream(stream: impl IsTerminal + std::os::fd::AsFd) -> Self {
        let terminal = stream.is_terminal();
        let columns =
            terminal_size::terminal_size_of(stream).map_or(100, |(width, _)| usize::from(width.0));
        Self {
            width: columns.clamp(40, 120),
            color: terminal && !is_set("NO_COLOR") && !is("TERM", "dumb"),
            unicode: speaks_utf8(),
        }
    }

    /// The style for a file.
    #[must_use]
    pub fn for_file() -> Self {
        Self {
            width: 100,
            color: false,
            unicode: speaks_utf8(),
        }
    }

    /// Draws a diagnostic with its causes.
    #[must_use]
    pub fn draw(self, diagnostic: &dyn Diagnostic) -> String {
        drawn(&self.handler(), diagnostic)
    }

    /// Draws an error, whose message says what the system said.
    pub(super) fn draw_error(self, error: &Error) -> String {
        drawn(&self.handler().without_cause_chain(), error)
    }

    fn handler(self) -> GraphicalReportHandler {
        let theme = GraphicalTheme {
            characters: if self.unicode {
                ThemeCharacters::unicode()
            } else {
                ThemeCharacters::ascii()
            },
            styles: if self.color {
                ThemeStyles::ansi()
            } else {
                ThemeStyles::none()
            },
        };
        GraphicalReportHandler::new_themed(theme)
            .with_width(self.width)
            // An option such as `--kernel-name` stays whole, to be copied.
            .with_word_splitter(WordSplitter::NoHyphenation)
            .with_links(false)
            .with_context_lines(1)
    }
}

fn drawn(handler: &GraphicalReportHandler, diagnostic: &dyn Diagnostic) -> String {
    let mut text = String::new();
    match handler.render_report(&mut text, diagnostic) {
        Ok(()) => text,
        // A label outside its text must not lose the message.
        Err(_) => format!("{diagnostic}\n"),
    }
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn is(name: &str, value: &str) -> bool {
    std::env::var_os(name).is_some_and(|found| found == value)
}

/// The locale's encoding, by the rules for LC_CTYPE.
fn speaks_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
