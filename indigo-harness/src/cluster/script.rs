//! The script that each job of an array runs.

use super::Submission;
use crate::shell::quoted;

/// Creates the script. `SLURM_ARRAY_TASK_ID` contains the shard's number.
#[must_use]
pub fn text(submission: &Submission) -> String {
    let mut sweep = submission.sweep.clone();
    // A job has the cores that it requested, which may be fewer than the machine has.
    let jobs = match sweep.iter().any(|word| is_jobs(word)) {
        true => "",
        false => " --jobs \"${SLURM_CPUS_PER_TASK:-1}\"",
    };
    sweep.insert(0, "sweep".into());
    sweep.insert(0, submission.program.display().to_string());
    format!(
        "#!/bin/sh\n\
         # A shard of a sweep; written by `hirace-indigo submit`.\n\
         cd {workdir} || exit 2\n\
         exec {sweep}{jobs} \\\n    \
             --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" \\\n    \
             --database {directory}/shard-\"$SLURM_ARRAY_TASK_ID\".sqlite\n",
        workdir = quoted([submission.workdir.display().to_string()]),
        sweep = quoted(sweep),
        shards = submission.shards,
        directory = quoted([submission.directory.display().to_string()]),
    )
}

/// Whether a word is the option `--jobs` or `-j`, in any form.
fn is_jobs(word: &str) -> bool {
    word == "--jobs" || word.starts_with("--jobs=") || word.starts_with("-j")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;

    /// Runs the script in a shell, with a program that prints its arguments.
    #[test]
    fn a_shell_hands_every_word_on() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["--filter", "it's $HOME \"`x`\" \\", "--suite", "a b*"];
        let words = words.map(str::to_owned);
        let directory = folder.path().join("with 'quotes' & $dollars");
        std::fs::create_dir(&directory).unwrap();
        let mut submission = Submission::new(&directory, 7, &words, &[]).unwrap();
        submission.workdir = directory.clone();
        submission.program = Path::new("printf").into();
        submission.sweep.insert(0, "%s\\n".into());
        let text = text(&submission).replacen("printf sweep", "printf", 1);
        let run = |cores: Option<&str>| {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(&text).env("SLURM_ARRAY_TASK_ID", "3");
            cores.map(|cores| shell.env("SLURM_CPUS_PER_TASK", cores));
            let output = shell.output().unwrap();
            let lines = String::from_utf8(output.stdout).unwrap();
            lines.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let database = directory.join("shard-3.sqlite").display().to_string();
        let mut expected = words.to_vec();
        for word in ["--jobs", "1", "--shard", "3/7", "--database", &database] {
            expected.push(word.into());
        }
        assert_eq!(run(None), expected, "{text}");
        expected[5] = "12".into();
        assert_eq!(run(Some("12")), expected);
    }
}
