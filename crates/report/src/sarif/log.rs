//! The objects of a SARIF log that hirace writes.
//!
//! Crates with all of them use generators that are no longer maintained; a test validates these few
//! against the schema itself.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::Suppressed;

#[derive(Debug, Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

impl Log {
    pub fn with(run: Run) -> Self {
        Self {
            schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            version: "2.1.0",
            runs: [run],
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub tool: Tool,
    pub original_uri_base_ids: BTreeMap<&'static str, ArtifactLocation>,
    pub invocations: [Invocation; 1],
    pub column_kind: &'static str,
    pub results: Vec<SarifResult>,
}

#[derive(Debug, Serialize)]
pub(super) struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: String,
    rules: Vec<Rule>,
}

/// The tool with its rules.
pub(super) fn tool(version: &str, rules: Vec<Rule>) -> Tool {
    Tool {
        driver: Driver {
            name: "hirace",
            semantic_version: version.to_owned(),
            rules,
        },
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: &'static str,
    pub name: String,
    pub short_description: Message,
    pub full_description: Message,
    pub help: MarkdownMessage,
    pub default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    pub level: Level,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Message {
    pub text: String,
}

impl Message {
    pub fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct MarkdownMessage {
    pub text: String,
    pub markdown: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Note,
    Warning,
    Error,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<usize>,
    pub level: Level,
    pub message: Message,
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    pub occurrence_count: u64,
    pub properties: serde_json::Value,
    /// Empty if the finding is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Suppression>,
}

#[derive(Debug, Serialize)]
pub(super) struct Suppression {
    kind: &'static str,
    justification: String,
}

impl Suppression {
    /// The suppression of a finding.
    pub fn of(hidden: &Suppressed) -> Self {
        Self {
            kind: if hidden.in_source {
                "inSource"
            } else {
                "external"
            },
            justification: format!("suppressed by {}", hidden.by),
        }
    }
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    name: String,
    kind: &'static str,
}

impl LogicalLocation {
    pub fn function(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: "function",
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_configuration_notifications: Vec<Notification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_directory: Option<ArtifactLocation>,
}

#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub level: Level,
    pub message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}
