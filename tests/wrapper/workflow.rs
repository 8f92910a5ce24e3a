//! Runs a GitHub Actions workflow locally: each `run` as the runner would start it, and a stand-in
//! for each action that it uses.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::harness::{Outcome, Sandbox};

/// The parts of a workflow file that are used here.
#[derive(Deserialize)]
pub struct Workflow {
    env: BTreeMap<String, String>,
    jobs: BTreeMap<String, Job>,
}

#[derive(Deserialize)]
struct Job {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    name: Option<String>,
    #[serde(rename = "if")]
    condition: Option<String>,
    uses: Option<String>,
    #[serde(default)]
    with: BTreeMap<String, String>,
    run: Option<String>,
}

/// The event that starts a workflow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Push,
    PullRequest,
}

/// Data that outlives a run.
#[derive(Default)]
pub struct Store {
    /// Contents of cached files, by the constant part of their keys.
    cache: BTreeMap<String, Vec<u8>>,
    /// The results that the last run sent to code scanning.
    pub sarif: Option<serde_json::Value>,
    /// The files that the last run uploaded.
    pub artifact: Vec<String>,
}

impl Workflow {
    pub fn parse(text: &str) -> Self {
        serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a job. Returns the outcome of each script, by the name of its step.
    pub fn run(
        &self,
        job: &str,
        event: Event,
        sandbox: &Sandbox,
        store: &mut Store,
    ) -> BTreeMap<String, Outcome> {
        let mut outcomes = BTreeMap::new();
        let mut failed = false;
        for step in &self.jobs[job].steps {
            if !step.is_due(event, failed) {
                continue;
            }
            match (&step.uses, &step.run) {
                (Some(action), None) => store.act(action, &step.with, sandbox),
                (None, Some(script)) => {
                    // The runner's default shell.
                    let mut command = sandbox.command(&["bash", "-e", "-c", script]);
                    let output = command.envs(&self.env).output().expect("bash starts");
                    let outcome = Outcome::of(output);
                    failed |= outcome.status != Some(0);
                    let name = step.name.clone().expect("a script has a name");
                    outcomes.insert(name, outcome);
                }
                _ => panic!("a step uses an action or runs a script"),
            }
        }
        outcomes
    }
}

impl Step {
    /// Whether the step runs, after others that may have failed.
    fn is_due(&self, event: Event, failed: bool) -> bool {
        let condition = self.condition.as_deref().unwrap_or("success()");
        let condition = condition
            .strip_prefix("${{")
            .and_then(|it| it.strip_suffix("}}"))
            .unwrap_or(condition);
        let after_failures = condition.contains("!cancelled()");
        (after_failures || !failed)
            && condition.split("&&").all(|term| match term.trim() {
                "success()"
                | "!cancelled()"
                | "steps.hirace.outputs.cache-hit != 'true'"
                | "github.event.pull_request.head.repo.fork != true" => true,
                "github.event_name == 'push'" => event == Event::Push,
                "github.event_name == 'pull_request'" => event == Event::PullRequest,
                term => panic!("`{term}` is not known here"),
            })
    }
}

impl Store {
    /// Performs an action, as far as later steps need it.
    fn act(&mut self, action: &str, with: &BTreeMap<String, String>, sandbox: &Sandbox) {
        let (name, _) = action.split_once('@').expect("a version");
        match name {
            "actions/checkout" | "actions/setup-python" | "actions/cache" => {}
            "actions/cache/save" => {
                let (key, _) = with["key"].split_once("${{").expect("a variable key");
                let content = std::fs::read(sandbox.path(&with["path"])).expect("a file to keep");
                self.cache.insert(key.to_owned(), content);
            }
            "actions/cache/restore" => {
                assert!(with["key"].starts_with(&with["restore-keys"]));
                if let Some(content) = self.cache.get(&with["restore-keys"]) {
                    std::fs::write(sandbox.path(&with["path"]), content).expect("a file");
                }
            }
            "github/codeql-action/upload-sarif" => {
                let text = sandbox.read(&with["sarif_file"]);
                self.sarif = Some(serde_json::from_str(&text).expect("JSON"));
            }
            "actions/upload-artifact" => self.artifact = sandbox.names(&with["path"]),
            _ => panic!("no stand-in for {action}"),
        }
    }
}
