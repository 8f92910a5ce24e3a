//! The sources of a project that are outside its directory, by CMake's file API (cmake-file-api(7), object kind
//! "codemodel").

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use hirace_model::error::{Error, Result};
use hirace_model::paths::folded;

/// Has CMake list what it builds when it configures a build directory.
pub(super) fn ask(build: &Path) -> Result<()> {
    let queries = build.join(".cmake/api/v1/query");
    let query = queries.join("codemodel-v2");
    fs::create_dir_all(&queries)
        .and_then(|()| fs::write(&query, ""))
        .map_err(|it| Error::write(&query, it))
}

/// The sources that CMake has listed for a build directory and that are not in `project`, where they were copied
/// from; and the files in directories outside it that a target searches for headers. `root` is the root of copies.
pub(super) fn answer(build: &Path, root: &Path, project: &Path) -> Result<Vec<PathBuf>> {
    let replies = build.join(".cmake/api/v1/reply");
    // A CMake before 3.14 gives no answer.
    let Ok(entries) = fs::read_dir(&replies) else {
        return Ok(Vec::new());
    };
    let mut found = BTreeSet::new();
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with("target-") {
            continue;
        }
        let path = entry.path();
        let text = fs::read(&path).map_err(|it| Error::read(&path, it))?;
        let target: Value = serde_json::from_slice(&text).unwrap_or_default();
        let outside = |it: &str| {
            let place = folded(&project.join(it));
            let beside = place.strip_prefix(root).ok()?;
            let original = Path::new("/").join(beside);
            (!place.starts_with(project)).then_some(original)
        };
        for source in list(&target, "sources") {
            found.extend(source["path"].as_str().and_then(outside));
        }
        for group in list(&target, "compileGroups") {
            for include in list(group, "includes") {
                let directory = include["path"].as_str().and_then(outside);
                let headers = directory.and_then(|it| fs::read_dir(it).ok());
                let files = headers.into_iter().flatten().flatten();
                found.extend(files.map(|it| it.path()).filter(|it| it.is_file()));
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// The elements of an object's list.
fn list<'a>(object: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    object[name].as_array().into_iter().flatten()
}
