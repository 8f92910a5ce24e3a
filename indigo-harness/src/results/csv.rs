//! A table as CSV (RFC 4180, but with Unix line ends), with a first line of keys.

use super::table::Table;

/// The table.
#[must_use]
pub fn render(table: &Table) -> String {
    let keys: Vec<&str> = table.columns.iter().map(|column| column.key).collect();
    let mut text = keys.join(",") + "\n";
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| field(cell.for_programs())).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

fn field(text: String) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Cell, numbers, words};
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must() {
        let mut table = Table::new("t", "", &[words("name", "Name"), numbers("x", "X")]);
        let row = |name: &str, value| vec![Cell::text(name), value];
        table.rows = vec![
            row("a,\"b\"", Cell::Ratio(1.0 / 3.0)),
            row("plain", Cell::Nothing),
        ];
        assert_eq!(
            render(&table),
            "name,x\n\"a,\"\"b\"\"\",0.333333333\nplain,\n"
        );
    }
}
