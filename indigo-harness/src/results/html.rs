//! A document as one HTML page that needs no network, no other files and no scripts.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::document::{Document, Section};
use super::plot::{COLOURS, Plot, Width};
use super::table::{Cell, Column, Table};

const STYLE: &str = include_str!("html/style.css");

/// The page loads and executes nothing: names in a database are only text.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// The page.
#[must_use]
pub fn render(document: &Document) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "Results of a sweep" }
                style { (PreEscaped(STYLE)) (PreEscaped(plot_colours())) }
            }
            body {
                header {
                    p.product { "hirace" }
                    h1 { "Results of a sweep" }
                    @for warning in &document.warnings {
                        p.warning role="note" { (warning) }
                    }
                    ul.facts {
                        @for fact in &document.facts { li { (fact) } }
                    }
                    nav aria-label="Sections" {
                        @for part in &document.sections {
                            a href={ "#" (anchor(part)) } { (part.title) }
                        }
                    }
                }
                main {
                    @for part in &document.sections { (section(part)) }
                }
            }
        }
    };
    page.into_string()
}

fn anchor(section: &Section) -> String {
    section
        .title
        .to_lowercase()
        .replace(|character: char| !character.is_alphanumeric(), "-")
}

fn section(section: &Section) -> Markup {
    html! {
        section id=(anchor(section)) {
            // In print a heading stays with the text after it.
            div.opening {
                h2 { (section.title) }
                p.text { (section.text) }
                @for it in section.plots.iter().take(1) { (plot(it)) }
            }
            @for it in section.plots.iter().skip(1) { (plot(it)) }
            @for it in &section.tables { (table(it)) }
        }
    }
}

/// A plot, drawn for wide and for narrow screens; its numbers are also in a table.
fn plot(plot: &Plot) -> Markup {
    let svg = |width, class| {
        let start = format!("<svg aria-hidden=\"true\" class=\"{class}\" ");
        // Only the start of the element contains this text.
        PreEscaped(plot.element(width).replacen("<svg ", &start, 1))
    };
    html! {
        figure.plot id=(plot.name) {
            (svg(Width::Wide, "wide"))
            (svg(Width::Narrow, "narrow"))
            figcaption { (plot.caption) }
        }
    }
}

/// A table. Cells that repeat the row above are faded, so that groups are visible.
fn table(table: &Table) -> Markup {
    let again = |row: usize| row > 0 && table.rows[row - 1][0] == table.rows[row][0];
    html! {
        div.scroll tabindex="0" role="region" aria-label=(table.caption) {
            table id={ "table-" (table.name) } {
                caption { (table.caption) }
                thead {
                    tr {
                        @for column in &table.columns {
                            th scope="col" class=[number(column)] { (column.title) }
                        }
                    }
                }
                tbody {
                    @for (number, row) in table.rows.iter().enumerate() {
                        @let again = again(number);
                        tr class=[(!again).then_some("first")] {
                            @for (at, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
                                td class=[class(cell, column, again && at == 0)] {
                                    @match cell {
                                        Cell::Code(code) => { code { (code) } }
                                        other => { (other.for_people()) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn number(column: &Column) -> Option<&'static str> {
    column.number.then_some("number")
}

fn class(cell: &Cell, column: &Column, again: bool) -> Option<&'static str> {
    match cell {
        _ if again => Some("again"),
        Cell::Nothing | Cell::Count(0) => Some("number zero"),
        _ => number(column),
    }
}

/// Rules that replace the plots' colours by those of the page, which differ in dark mode.
fn plot_colours() -> String {
    let mut rules = String::new();
    for (name, colour) in COLOURS {
        let hex = format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2);
        for attribute in ["fill", "stroke"] {
            rules +=
                &format!(".plot [{attribute}=\"{hex}\"] {{ {attribute}: var(--plot-{name}); }}\n");
        }
    }
    rules
}
