//! The launch file: which kernels to launch, with which arguments.
//!
//! ```toml
//! kernel = "softmax"
//! grid = [64]
//! block = [128]
//! dynamic-shared = 4096
//! [[argument]]
//! type = "f32"
//! shape = [64, 128]
//! fill = "iota"
//! output = "y.npy"
//! ```
//!
//! `docs/ptx.md` describes all keys. Everything that can be wrong is found here, with its position,
//! before anything is compiled.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Mistake, Result};
use toml::Spanned;

use crate::plan::{self, Argument, Array, Checked, Fill, Kind, Launch, Output, Place, Plan};
use crate::{Ptx, npy};
use keys::{ArgumentKeys, File, LaunchKeys};
use values::{absolute, scalar};

mod keys;
mod values;

/// What is wrong, and where.
type Wrong = (String, Option<Range<usize>>);

struct Reader<'a> {
    directory: &'a Path,
    ptx: &'a Ptx,
    plan: Plan,
    named: HashMap<String, usize>,
}

impl Plan {
    /// Reads the launch file at `path` for the kernels of a PTX file.
    ///
    /// # Errors
    /// It cannot be read, has mistakes, or does not fit the kernels.
    pub fn read(path: &Path, ptx: &Ptx) -> Result<Self> {
        Self::parse(path, &crate::read(path)?, ptx)
    }

    /// The same for the file's text. The files that it names are relative to its `path`.
    ///
    /// # Errors
    /// It has mistakes, or does not fit the kernels.
    pub fn parse(path: &Path, text: &str, ptx: &Ptx) -> Result<Self> {
        let name = path.display().to_string();
        let mut reader = Reader {
            directory: path.parent().unwrap_or(Path::new("")),
            ptx,
            plan: Self {
                file: (name.clone(), text.to_owned()),
                ..Self::default()
            },
            named: HashMap::new(),
        };
        let read = toml::from_str::<File>(text)
            .map_err(|error| (error.message().to_owned(), error.span()))
            .and_then(|file| reader.file(file));
        match read {
            Ok(()) => Ok(reader.plan),
            Err((message, span)) => {
                let span = span.unwrap_or(0..text.len().min(1));
                Err(Error::Syntax(Mistake::new(name, text, span, message)))
            }
        }
    }
}

fn wrong<T>(message: impl Into<String>, span: Range<usize>) -> std::result::Result<T, Wrong> {
    Err((message.into(), Some(span)))
}

/// A check's result, whose message is about a range of the file.
fn at<T>(checked: Checked<T>, span: &Range<usize>) -> std::result::Result<T, Wrong> {
    checked.map_err(|message| (message, Some(span.clone())))
}

impl<'a> Reader<'a> {
    fn file(&mut self, file: File) -> std::result::Result<(), Wrong> {
        let mut launches = file.launch;
        match (file.kernel, file.grid, file.block) {
            (Some(kernel), Some(grid), Some(block)) if launches.is_empty() => {
                launches.push(LaunchKeys {
                    kernel,
                    grid,
                    block,
                    cluster: file.cluster,
                    dynamic_shared: file.dynamic_shared,
                    cooperative: file.cooperative,
                    source: file.source,
                    line: file.line,
                    argument: file.argument,
                });
            }
            (None, None, None) if file.argument.is_empty() && file.dynamic_shared.is_none() => {}
            (Some(kernel), _, _) if !launches.is_empty() => {
                return wrong("either `kernel` or `[[launch]]` tables", kernel.span());
            }
            (Some(kernel), None, _) => return wrong("missing key `grid`", kernel.span()),
            (Some(kernel), _, None) => return wrong("missing key `block`", kernel.span()),
            _ => return Err(("missing key `kernel`".to_owned(), None)),
        }
        if launches.is_empty() {
            return Err((
                "missing key `kernel`, or `[[launch]]` tables".to_owned(),
                None,
            ));
        }
        launches.into_iter().try_for_each(|it| self.launch(it))
    }

    fn launch(&mut self, keys: LaunchKeys) -> std::result::Result<(), Wrong> {
        let span = keys.kernel.span();
        let parameters = at(self.ptx.parameters(keys.kernel.get_ref()), &span)?;
        at(parameters.count(keys.argument.len()), &span)?;
        let source = match (keys.source, keys.line) {
            (Some(file), Some(line)) => Some(Place::Source(file, line)),
            (None, None) => None,
            _ => return wrong("give both `source` and `line`", span),
        };
        let mut arguments = Vec::new();
        for (number, keys) in keys.argument.into_iter().enumerate() {
            let place = keys.span();
            let argument = self.argument(number, keys, source.as_ref())?;
            at(parameters.fit(number, &argument), &place)?;
            arguments.push(argument);
        }
        let grid = at(plan::grid(keys.grid.get_ref()), &keys.grid.span())?;
        let given = keys.cluster.as_ref();
        let cluster = parameters.cluster(grid, given.map(|it| it.get_ref().as_slice()));
        let cluster = at(cluster, &given.map_or(span.clone(), Spanned::span))?;
        let dynamic_shared = match keys.dynamic_shared {
            Some(bytes) => at(plan::dynamic_shared(*bytes.get_ref()), &bytes.span())?,
            None => 0,
        };
        self.plan.add_launch(Launch {
            kernel: parameters.kernel,
            at: source.unwrap_or(Place::Here(span)),
            grid,
            cluster,
            block: at(plan::block(keys.block.get_ref()), &keys.block.span())?,
            dynamic_shared,
            cooperative: keys.cooperative,
            arguments,
        });
        Ok(())
    }

    fn argument(
        &mut self,
        number: usize,
        keys: Spanned<ArgumentKeys>,
        source: Option<&Place>,
    ) -> std::result::Result<Argument, Wrong> {
        let span = keys.span();
        let keys = keys.into_inner();
        let name = keys.name.as_ref().map(|it| it.get_ref().clone());
        if let Some(known) = name.as_ref().and_then(|it| self.named.get(it)) {
            if keys.r#type.is_some() || keys.shape.is_some() || keys.value.is_some() {
                return wrong(
                    "the array has its type and shape from an earlier launch",
                    span,
                );
            }
            return at(self.plan.pointer(*known, keys.offset), &span);
        }
        let Some(kind) = &keys.r#type else {
            return wrong("missing key `type`", span);
        };
        let kind = at(Kind::named(kind.get_ref()), &kind.span())?;
        match (&keys.shape, &keys.value) {
            (None, Some(value)) => Ok(Argument::Scalar(scalar(value, kind)?, kind)),
            (Some(shape), None) => {
                let (shape, offset) = (shape.clone(), keys.offset);
                let place = source.cloned().unwrap_or(Place::Here(span.clone()));
                let array = self.array(number, kind, shape, keys, place)?;
                let array = at(self.plan.add_array(array), &span)?;
                if let Some(name) = name {
                    self.named.insert(name, array);
                }
                at(self.plan.pointer(array, offset), &span)
            }
            _ => wrong("give `shape` for an array or `value` for a number", span),
        }
    }

    fn array(
        &self,
        number: usize,
        kind: Kind,
        shape: Vec<u64>,
        keys: ArgumentKeys,
        at: Place,
    ) -> std::result::Result<Array, Wrong> {
        let fill = match (&keys.fill, &keys.file) {
            (None, Some(file)) => {
                let (path, offset) = self.npy(file, kind, &shape)?;
                Fill::File(path, offset)
            }
            (Some(_), Some(file)) => return wrong("either `fill` or `file`", file.span()),
            (None, None) => Fill::Value(0),
            (Some(fill), None) => match fill.get_ref().as_str() {
                "zeros" => Fill::Value(0),
                "ones" => Fill::Value(1),
                "iota" => Fill::Iota,
                "random" => Fill::Random(keys.seed.unwrap_or(0)),
                _ => return wrong("`fill` is zeros, ones, iota or random", fill.span()),
            },
        };
        let expect = match &keys.expect {
            Some(file) => {
                let (path, offset) = self.npy(file, kind, &shape)?;
                let tolerance = keys.tolerance.as_ref();
                if let Some(it) =
                    tolerance.filter(|it| it.get_ref().is_nan() || *it.get_ref() < 0.0)
                {
                    return wrong("`tolerance` is not negative", it.span());
                }
                Some((path, offset, tolerance.map_or(0.0, |it| *it.get_ref())))
            }
            None => None,
        };
        let output = keys.output;
        let output = output.map(|it| Output::Npy(absolute(&self.directory.join(it))));
        Ok(Array {
            name: keys
                .name
                .map_or_else(|| format!("argument {number}"), Spanned::into_inner),
            at: Some(at),
            kind,
            shape,
            fill,
            output,
            expect,
        })
    }

    /// A file with the values of an array, and where they start.
    fn npy(
        &self,
        file: &Spanned<String>,
        kind: Kind,
        shape: &[u64],
    ) -> std::result::Result<(PathBuf, usize), Wrong> {
        let path = self.directory.join(file.get_ref());
        match npy::read(&path, kind.numpy, kind.bytes) {
            Ok(header) if header.shape == shape => Ok((absolute(&path), header.offset)),
            Ok(header) => {
                let message = format!(
                    "the file has the shape {:?} instead of {shape:?}",
                    header.shape
                );
                wrong(message, file.span())
            }
            Err(message) => wrong(message, file.span()),
        }
    }
}
