//! The keys of a launch file.

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[derive(Default)]
pub(super) struct File {
    pub kernel: Option<Spanned<String>>,
    pub grid: Option<Spanned<Vec<u32>>>,
    pub block: Option<Spanned<Vec<u32>>>,
    pub cluster: Option<Spanned<Vec<u32>>>,
    pub dynamic_shared: Option<Spanned<u32>>,
    pub cooperative: bool,
    pub source: Option<String>,
    pub line: Option<u32>,
    pub argument: Vec<Spanned<ArgumentKeys>>,
    pub launch: Vec<LaunchKeys>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LaunchKeys {
    pub kernel: Spanned<String>,
    pub grid: Spanned<Vec<u32>>,
    pub block: Spanned<Vec<u32>>,
    pub cluster: Option<Spanned<Vec<u32>>>,
    pub dynamic_shared: Option<Spanned<u32>>,
    #[serde(default)]
    pub cooperative: bool,
    pub source: Option<String>,
    pub line: Option<u32>,
    #[serde(default)]
    pub argument: Vec<Spanned<ArgumentKeys>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ArgumentKeys {
    pub name: Option<Spanned<String>>,
    pub r#type: Option<Spanned<String>>,
    pub shape: Option<Vec<u64>>,
    pub value: Option<Spanned<toml::Value>>,
    #[serde(default)]
    pub offset: u64,
    pub fill: Option<Spanned<String>>,
    pub seed: Option<u64>,
    pub file: Option<Spanned<String>>,
    pub output: Option<String>,
    pub expect: Option<Spanned<String>>,
    pub tolerance: Option<Spanned<f64>>,
}
