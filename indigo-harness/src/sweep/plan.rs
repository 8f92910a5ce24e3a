//! The runs of a sweep: programs, graphs, shapes and tools, and the targets to build for them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hirace::instrument;
use hirace::instrument::tree::{Content, Tree};
use hirace::toolchain::Arguments;

use super::cache::{Cache, digest};
use super::explore;
use super::options::{Options, Shard};
use super::tool::{Form, Tool, WARP};
use crate::error::{Error, Result};
use crate::graphs;
use crate::store::{GraphKey, Shape};
use crate::suite::{self, Program, Suite};

/// All runs of a sweep or of a shard.
#[derive(Debug)]
pub struct Plan {
    /// The suite's name.
    pub suite: String,
    /// The programs of the shard.
    pub programs: Vec<Prepared>,
    /// In the order given.
    pub graphs: Vec<Input>,
    /// In the order given.
    pub shapes: Vec<Shape>,
    /// The targets to build and run.
    pub targets: Vec<Target>,
    /// Requests of the user that will not be fulfilled, one sentence each.
    pub notes: Vec<String>,
}

/// A program and its files.
#[derive(Debug)]
pub struct Prepared {
    /// The program from the suite.
    pub program: Program,
    /// Its text as a file.
    pub path: PathBuf,
    /// The text and its includes.
    pub tree: Tree,
    /// SHA-256 of the tree.
    pub digest: String,
}

/// An input graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its key in results.
    pub key: GraphKey,
    /// The file.
    pub path: PathBuf,
}

/// One program in one form, and its runs.
#[derive(Debug)]
pub struct Target {
    /// Index of the program.
    pub program: usize,
    /// The form to build.
    pub form: Form,
    /// Lanes per warp.
    pub warp_size: u32,
    /// Its runs.
    pub runs: Vec<Planned>,
}

/// A planned run.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// The tool.
    pub tool: Tool,
    /// Index of the graph.
    pub graph: usize,
    /// Index of the shape.
    pub shape: usize,
}

impl Plan {
    /// Reads the suite and prepares the inputs.
    ///
    /// # Errors
    /// The suite cannot be read, a graph is invalid, or there is nothing to run.
    pub fn make(options: &Options, cache: &Cache) -> Result<Self> {
        let mut suite = suite::open(options.suite.as_deref())?;
        suite.filter(&options.filter)?;
        only_exact(&mut suite, &options.exact)?;
        if let Some(shard) = options.shard {
            let mut number = 0;
            suite.programs.retain(|_| {
                number += 1;
                shard.has(number - 1)
            });
        }
        let prepared: Result<Vec<Prepared>> = suite
            .programs
            .into_iter()
            .map(|program| Prepared::new(program, cache))
            .collect();
        let programs = prepared?;
        let mut notes = Vec::new();
        let mut graphs = inputs(&options.graphs, cache)?;
        if !programs.iter().any(|it| it.program.arguments.take_graph()) {
            if !options.graphs.is_empty() {
                notes.push("no program takes a graph, so --graph has no effect".into());
            }
            graphs.clear();
        }
        let mut plan = Self {
            suite: suite.name,
            programs,
            graphs,
            shapes: Vec::new(),
            targets: Vec::new(),
            notes,
        };
        plan.fill(options);
        // A shard may be empty if there are more shards than programs.
        if plan.targets.is_empty() && !plan.programs.is_empty() {
            return Err(Error::Usage(
                "nothing to run: no program supports the selected warp sizes".into(),
            ));
        }
        Ok(plan)
    }

    /// Creates targets from programs, tools and shapes.
    fn fill(&mut self, options: &Options) {
        let shapes = explore::shapes(options);
        let sizes = explore::warp_sizes(options);
        let mut forms: BTreeMap<Form, Vec<Tool>> = BTreeMap::new();
        for &tool in &options.tools {
            let tools = forms.entry(tool.form()).or_default();
            if !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        // All shapes and graphs get rows before the first run, in the order given.
        for &warp_size in &sizes {
            for &(threads, blocks) in &shapes {
                self.shape(threads, blocks, warp_size);
            }
        }
        let mut only_whole_warps = 0;
        for program in 0..self.programs.len() {
            let mut left_out = false;
            for (&form, tools) in &forms {
                for &warp_size in &sizes {
                    if !form.can_have(warp_size)
                        || (warp_size != WARP && !self.programs[program].asks_for_warp_size())
                    {
                        left_out = true;
                        continue;
                    }
                    let target = self.target(program, form, warp_size, tools, &shapes);
                    self.targets.push(target);
                }
            }
            only_whole_warps += usize::from(left_out);
        }
        if only_whole_warps > 0 && sizes.iter().any(|&size| size != WARP) {
            self.notes.push(format!(
                "{only_whole_warps} of {} programs run only in warps of {WARP} lanes: they do \
                 not use `warpSize`",
                self.programs.len()
            ));
        }
    }

    fn target(
        &mut self,
        program: usize,
        form: Form,
        warp_size: u32,
        tools: &[Tool],
        shapes: &[(u32, u32)],
    ) -> Target {
        let arguments = &self.programs[program].program.arguments;
        let (take_graph, take_shape) = (arguments.take_graph(), arguments.take_shape());
        let graphs: Vec<usize> = if take_graph {
            (0..self.graphs.len())
                .filter(|&graph| self.graphs[graph].key.name != NO_GRAPH)
                .collect()
        } else {
            vec![index_of(&mut self.graphs, Input::nothing())]
        };
        let shapes: Vec<usize> = if take_shape {
            shapes
                .iter()
                .map(|&(threads, blocks)| self.shape(threads, blocks, warp_size))
                .collect()
        } else {
            vec![self.shape(0, 0, warp_size)]
        };
        let mut runs = Vec::new();
        for &shape in &shapes {
            for &graph in &graphs {
                runs.extend(tools.iter().map(|&tool| Planned { tool, graph, shape }));
            }
        }
        Target {
            program,
            form,
            warp_size,
            runs,
        }
    }

    /// The index of a shape; a new shape is added.
    fn shape(&mut self, threads: u32, blocks: u32, warp_size: u32) -> usize {
        let shape = Shape {
            threads,
            blocks,
            warp_size,
        };
        index_of(&mut self.shapes, shape)
    }
}

/// The index of an item; a new item is added.
fn index_of<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    let known = items.iter().position(|known| *known == item);
    known.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

impl Prepared {
    fn new(program: Program, cache: &Cache) -> Result<Self> {
        let path = match &program.path {
            Some(path) => path.clone(),
            None => cache.source(&format!("{}.cu", program.name), &program.text)?,
        };
        let tree = instrument::collect(
            std::slice::from_ref(&path),
            &Arguments::parse(&arguments_of(&program)),
        )?;
        let mut parts: Vec<Vec<u8>> = program
            .compiler_args
            .iter()
            .map(|it| it.clone().into())
            .collect();
        for file in &tree.files {
            parts.push(
                tree.mirrored(&file.path)
                    .into_os_string()
                    .into_encoded_bytes(),
            );
            parts.push(match &file.content {
                Content::Source(text) => text.clone().into_bytes(),
                Content::Opaque(bytes, _) => bytes.clone(),
            });
        }
        Ok(Self {
            digest: digest(parts),
            program,
            path,
            tree,
        })
    }

    /// The arguments for its compiler.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        arguments_of(&self.program)
    }

    /// Whether the program queries the number of lanes per warp; otherwise it assumes 32.
    #[must_use]
    pub fn asks_for_warp_size(&self) -> bool {
        self.tree
            .sources()
            .any(|(_, text)| text.contains("warpSize"))
    }
}

fn arguments_of(program: &Program) -> Vec<String> {
    let mut arguments: Vec<String> = program
        .includes
        .iter()
        .map(|directory| format!("-I{}", directory.display()))
        .collect();
    arguments.extend(program.compiler_args.iter().cloned());
    arguments
}

fn only_exact(suite: &mut Suite, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    if let Some(name) = names
        .iter()
        .find(|name| !suite.programs.iter().any(|it| it.name == **name))
    {
        return Err(Error::Usage(format!(
            "{} has no program `{name}`; `hirace-indigo suite` lists those it has",
            suite.name
        )));
    }
    suite.programs.retain(|it| names.contains(&it.name));
    Ok(())
}

/// The name of the graph for programs that take none.
pub const NO_GRAPH: &str = "none";

impl Input {
    /// The graph for programs that take none.
    fn nothing() -> Self {
        let key = GraphKey {
            name: NO_GRAPH.into(),
            vertices: 0,
            edges: 0,
            digest: String::new(),
        };
        let path = PathBuf::new();
        Self { key, path }
    }
}

/// The selected graphs, as files.
fn inputs(specs: &[String], cache: &Cache) -> Result<Vec<Input>> {
    let graphs = if specs.is_empty() {
        graphs::standard()
    } else {
        let mut graphs = Vec::new();
        for spec in specs {
            graphs.extend(graphs::resolve_all(spec)?);
        }
        graphs
    };
    let mut inputs: Vec<Input> = Vec::new();
    for (name, graph) in graphs {
        let content = hirace_graphs::egr::encode(&graph);
        let key = GraphKey {
            vertices: graph.nodes().into(),
            edges: graph.edges().into(),
            digest: digest([&content]),
            name,
        };
        if inputs.iter().any(|it| it.key == key) {
            continue;
        }
        inputs.push(Input {
            path: cache.graph(&format!("{}.egr", key.name), &content)?,
            key,
        });
    }
    Ok(inputs)
}

impl Shard {
    /// Whether the program with that index belongs to the shard.
    #[must_use]
    pub fn has(self, index: usize) -> bool {
        index % self.count as usize == self.number as usize - 1
    }
}
