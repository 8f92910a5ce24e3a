//! Many UI programs in one executable: compiling them together takes a third of the time.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;

use hirace::check::Program;
use hirace::check::batch::Builder;
use hirace::config::Config;
use hirace::error::Error;
use hirace::instrument::tree::Tree;
use tempfile::TempDir;
use xtask::ui;

/// How many programs share an executable. Compilers need memory and time for larger ones, and
/// smaller ones keep more cores busy.
pub const PROGRAMS: usize = 16;

/// Programs that are compiled together when the first of them is needed.
pub struct Batch {
    programs: Vec<ui::Program>,
    compiler_arguments: Vec<String>,
    config: Config,
    built: OnceLock<Result<Built, String>>,
}

/// The opened programs, in the order of the batch.
struct Built {
    programs: Vec<Result<Arc<Program>, String>>,
    /// Holds the executable.
    _directory: TempDir,
}

/// A program's place in a batch.
#[derive(Clone)]
pub struct Member {
    batch: Arc<Batch>,
    place: usize,
}

impl Batch {
    /// The members of as many batches as these programs need, in their order.
    pub fn members(
        programs: &[ui::Program],
        compiler_arguments: &[String],
        config: &Config,
    ) -> Vec<Member> {
        let mut order: Vec<usize> = (0..programs.len()).collect();
        order.sort_by_key(|&at| concurrency(&programs[at]));
        let classes =
            order.chunk_by(|&a, &b| concurrency(&programs[a]) == concurrency(&programs[b]));
        let mut members = BTreeMap::new();
        for places in classes.flat_map(|class| class.chunks(PROGRAMS)) {
            let batch = Arc::new(Self {
                programs: places.iter().map(|&at| programs[at].clone()).collect(),
                compiler_arguments: compiler_arguments.to_vec(),
                config: config.clone(),
                built: OnceLock::new(),
            });
            for (place, &at) in places.iter().enumerate() {
                let batch = Arc::clone(&batch);
                members.insert(at, Member { batch, place });
            }
        }
        members.into_values().collect()
    }

    fn build(&self) -> Result<Built, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let programs = self.compile(directory.path())?;
        Ok(Built {
            programs,
            _directory: directory,
        })
    }

    fn compile(&self, directory: &Path) -> Result<Vec<Result<Arc<Program>, String>>, String> {
        let builder = Builder::new(&self.compiler_arguments, &self.config).map_err(text)?;
        let trees = self.programs.iter().map(ui::Program::tree);
        let trees: Vec<Tree> = trees.collect::<Result<_, _>>()?;
        let built = builder.build(&trees, &directory.join("batch"));
        let built = built.map_err(text)?.into_iter().zip(&trees);
        let open = |(built, tree): (Result<_, Error>, &Tree)| {
            let program = builder.open(tree, &built.map_err(text)?);
            program.map(Arc::new).map_err(text)
        };
        Ok(built.map(open).collect())
    }
}

impl Member {
    /// The program, which is compiled with the others of its batch unless it is there.
    pub fn program(&self) -> Result<Arc<Program>, String> {
        let built = self.batch.built.get_or_init(|| self.batch.build());
        let built = built.as_ref().map_err(Clone::clone)?;
        built.programs[self.place].clone()
    }
}

/// Compiles the batches of `members` in the background, as many at a time as there are cores. The
/// tests begin with those of the first batch, and would wait for one batch at a time.
pub fn prepare<'a>(members: impl Iterator<Item = &'a Member>) {
    let batches: Vec<Arc<Batch>> = members
        .filter(|it| it.place == 0)
        .map(|it| Arc::clone(&it.batch))
        .collect();
    let next = Arc::new(std::sync::Mutex::new(batches.into_iter()));
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let next = Arc::clone(&next);
        thread::spawn(move || {
            loop {
                let batch = next.lock().expect("no worker panics").next();
                let Some(batch) = batch else { return };
                batch.built.get_or_init(|| batch.build());
            }
        });
    }
}

/// Whether the host, and whether other launches, may run beside any launch of the program. In all programs of
/// an executable more accesses are checked if that is so in one of them.
fn concurrency(program: &ui::Program) -> (bool, bool) {
    // The last ones: kernels launch or copy; any function of the driver may be asked for.
    const CONSTRUCTS: [&str; 7] = [
        "NonBlocking",
        "PerThread",
        "rogrammatic",
        "griddepcontrol",
        "rdc=true",
        "EntryPoint",
        "GetProcAddress",
    ];
    let text = std::fs::read(xtask::root().join(&program.file)).unwrap_or_default();
    let host = hirace::instrument::shares_memory(&text);
    let text = String::from_utf8_lossy(&text);
    (host, CONSTRUCTS.iter().any(|name| text.contains(name)))
}

/// A compiler's messages, or what else went wrong.
pub fn text(error: Error) -> String {
    match error {
        Error::Compile { output, .. } => format!("does not compile:\n{output}"),
        other => other.to_string(),
    }
}
