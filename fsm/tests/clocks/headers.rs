//! The device headers on a trace: `headers.cpp`, compiled and running.
//!
//! One process answers all requests. A request is a row of 32-bit numbers, the fields
//! of `Request` and `Event` in `headers.cpp`; an answer is two 64-bit numbers for each
//! access, the word and the verdict.

use std::io::{self, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use hirace_fsm::word::{Size, Word};

use crate::common::cxx::compiler;
use crate::machine::{Keep, Outcome, Verdict};
use crate::trace::{Event, GLOBAL, SHARED, Split, Trace};

/// The compiled program, waiting for traces with words of one size.
pub struct Headers {
    size: Size,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Headers {
    /// Compiles and starts the program; `None` without a C++ compiler.
    pub fn start(size: Size) -> Option<Self> {
        let mut compiler = compiler()?;
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let bytes = match size {
            Size::Four => 4,
            Size::Eight => 8,
            Size::Block => return None,
        };
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clocks-{bytes}"));
        let status = compiler
            .args(["-O2", &format!("-DHIRACE_WORD_BYTES={bytes}"), "-I"])
            .arg(package.join("../device"))
            .arg(package.join("tests/clocks/headers.cpp"))
            .arg("-o")
            .arg(&program)
            .status()
            .expect("failed to start the compiler");
        assert!(status.success(), "headers.cpp does not compile");

        let mut child = Command::new(program)
            // The executor reads its settings from the environment.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("failed to start headers.cpp");
        let requests = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Some(Self {
            size,
            child,
            requests,
            answers,
        })
    }

    /// The outcome of each access of the trace.
    ///
    /// # Errors
    /// If the program ends instead of answering.
    pub fn run(&mut self, trace: &Trace, keep: Keep) -> io::Result<Vec<Outcome>> {
        let request = request(trace, keep);
        let bytes: Vec<u8> = request.iter().flat_map(|n| n.to_ne_bytes()).collect();
        self.requests.write_all(&bytes)?;
        let accesses = trace.events.iter().filter(|event| event.is_access());
        accesses
            .map(|event| {
                let word = self.number()?;
                let verdict = match self.number()? {
                    0 => Verdict::NoRace,
                    1 => Verdict::Race,
                    2 => Verdict::Unchecked,
                    _ => Verdict::PathsDiffer,
                };
                Ok(Outcome {
                    word: Word(word),
                    size: match event {
                        Event::Access { location, .. }
                            if *location >= GLOBAL && trace.split == Split::Gpu =>
                        {
                            Size::Block
                        }
                        _ => self.size,
                    },
                    verdict,
                })
            })
            .collect()
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; size_of::<u64>()];
        self.answers.read_exact(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // It also ends when its input does. Nothing depends on its exit status.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(trace: &Trace, keep: Keep) -> Vec<u32> {
    let Trace { shape, split, .. } = trace;
    let widths = trace.widths();
    let asked = match split {
        Split::Cpu => [0; 4],
        Split::Asked { .. } => [0, 0, widths.block_clock, widths.warp_clock],
        Split::Gpu => [
            widths.thread,
            widths.block,
            widths.block_clock,
            widths.warp_clock,
        ],
    };
    let number = |n: usize| u32::try_from(n).expect("a small number");
    let mut request = vec![
        u32::from(*split == Split::Gpu),
        u32::from(keep == Keep::All),
        number(shape.blocks()),
        number(shape.warps_per_block()),
        number(shape.threads_per_warp()),
    ];
    request.extend(asked);
    request.extend([
        trace.launches_before,
        number(GLOBAL),
        number(SHARED),
        number(trace.events.len()),
    ]);
    for event in &trace.events {
        request.extend(match *event {
            Event::Access {
                thread,
                location,
                access,
            } => [number(access.index()), number(thread), number(location)],
            Event::SyncWarp(warp) => [4, number(warp), 0],
            Event::SyncThreads(block) => [5, number(block), 0],
            Event::NextLaunch => [6, 0, 0],
        });
    }
    request
}
