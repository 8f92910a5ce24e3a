//! `hirace watch`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecursiveMode, Watcher as _};

use crate::cli::check::Check;
use crate::exit::Exit;
use hirace_model::error::{Error, Result};
use hirace_terminal::tell;
use hirace_toolchain::{Arguments, Call, interrupt};

/// Editors write a file in several steps.
const PAUSE: Duration = Duration::from_millis(150);

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(200);

/// The extensions of what a check reads.
const EXTENSIONS: [&str; 11] = [
    "cu", "cuh", "cc", "cpp", "cxx", "h", "hh", "hpp", "inl", "ptx", "toml",
];

/// Checks until a signal comes.
pub(super) fn run(arguments: &Check) -> Result<Exit> {
    let (sender, changes) = channel();
    let failed =
        |source: notify::Error| Error::system("watch files", std::io::Error::other(source));
    let mut watcher = notify::recommended_watcher(sender).map_err(failed)?;
    let directories = directories(arguments);
    for directory in &directories {
        let watched = watcher.watch(directory, RecursiveMode::NonRecursive);
        watched.map_err(|source| Error::read(directory, std::io::Error::other(source)))?;
    }
    let check = Call {
        program: std::env::current_exe()
            .map_err(|it| Error::system("find hirace itself", it))?
            .into(),
        arguments: check_arguments(std::env::args_os().skip(1)),
        environment: Vec::new(),
    };
    loop {
        check.run()?;
        tell("hirace: waiting for a change; Ctrl-C ends\n");
        if !wait(&changes)? {
            return Ok(Exit::Clean);
        }
        tell("\n");
    }
}

/// The same command line for `hirace check`.
fn check_arguments(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut is_first = true;
    let replace = |it: OsString| match it == "watch" && std::mem::take(&mut is_first) {
        true => "check".into(),
        false => it,
    };
    arguments.map(replace).collect()
}

/// The directories of the source files and of the launch file, and those that the compiler searches.
fn directories(arguments: &Check) -> BTreeSet<PathBuf> {
    let files = arguments.files.iter().chain(&arguments.launch);
    let files = files.filter_map(|it| it.parent());
    let files = files.map(|it| match it.as_os_str().is_empty() {
        true => Path::new("."),
        false => it,
    });
    let searched = Arguments::parse(&arguments.cc_arg);
    let searched = searched
        .include_directories
        .into_iter()
        .chain(searched.quote_directories);
    let existing = searched.filter(|it| it.is_dir());
    files.map(Path::to_path_buf).chain(existing).collect()
}

/// Waits for a change of a source file, and then until no more follow. False once nothing can change.
fn wait(changes: &Receiver<notify::Result<Event>>) -> Result<bool> {
    loop {
        match changes.recv_timeout(TICK) {
            Ok(Ok(event)) if matters(&event) => break,
            Ok(_) | Err(RecvTimeoutError::Timeout) => interrupt::check()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
        }
    }
    let mut last = Instant::now();
    while last.elapsed() < PAUSE {
        // Other files of the directory may change, and be read, all the time.
        if matches!(changes.recv_timeout(PAUSE), Ok(Ok(event)) if matters(&event)) {
            last = Instant::now();
        }
    }
    Ok(true)
}

fn matters(event: &Event) -> bool {
    let changes = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    let is_source = |path: &PathBuf| {
        let extension = path.extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| EXTENSIONS.contains(&it))
    };
    changes && event.paths.iter().any(is_source)
}
