//! The JSON Schema of the JSON report, derived from the types that are written and read.

use schemars::generate::SchemaSettings;

use super::Report;

/// The schema as JSON, with a newline.
#[must_use]
pub fn render() -> String {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Report>();
    schema.insert("$id".to_owned(), "urn:hirace:report:1".into());
    schema.insert("title".to_owned(), "hirace report".into());
    // Maps of texts: nothing in it can fail to serialise.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    #[test]
    fn the_published_schema_is_that_of_the_types() {
        // UPDATE_EXPECT=1 writes it. A change that breaks readers needs another `SCHEMA`, any
        // other a new `SCHEMA_VERSION`.
        expect_file!["../../../docs/report.schema.json"].assert_eq(&super::render());
    }
}
