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

use crate::module::{Function, Module};
use crate::{names, npy};
use keys::{ArgumentKeys, File, LaunchKeys};
use values::{absolute, dimensions, scalar};

mod keys;
mod values;

/// A type of numbers: its name here, in C++, in NumPy, and its bytes.
type Kind = (&'static str, &'static str, &'static str, u64);

const KINDS: [Kind; 12] = [
    ("s8", "std::int8_t", "<i1", 1),
    ("u8", "std::uint8_t", "<u1", 1),
    ("s16", "std::int16_t", "<i2", 2),
    ("u16", "std::uint16_t", "<u2", 2),
    ("s32", "std::int32_t", "<i4", 4),
    ("u32", "std::uint32_t", "<u4", 4),
    ("s64", "std::int64_t", "<i8", 8),
    ("u64", "std::uint64_t", "<u8", 8),
    ("f32", "float", "<f4", 4),
    ("f64", "double", "<f8", 8),
    ("f16", "::hirace::cpu::ptx::f16", "<f2", 2),
    // NumPy has no such type: files have the bits.
    ("bf16", "::hirace::cpu::ptx::bf16", "<u2", 2),
];

/// The first values of an array.
#[derive(Debug)]
pub(crate) enum Fill {
    Value(u8),
    Iota,
    Random(u64),
    /// A file, and where its values start.
    File(PathBuf, usize),
}

/// Where reports say that something is: in the launch file, or in the source that it names.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Here(Range<usize>),
    /// A file and its line.
    Source(String, u32),
}

/// An array in device memory.
#[derive(Debug)]
pub(crate) struct Array {
    pub name: String,
    /// What passes it first.
    pub at: Place,
    pub kind: Kind,
    pub shape: Vec<u64>,
    pub fill: Fill,
    pub output: Option<PathBuf>,
    /// A file, where its values start, and the tolerance.
    pub expect: Option<(PathBuf, usize, f64)>,
}

/// An argument.
#[derive(Debug)]
pub(crate) enum Argument {
    /// An array, by number, and the bytes from its start to where the argument points.
    Array(usize, u64),
    /// A number as text, and its type.
    Scalar(String, Kind),
}

/// A launch.
#[derive(Debug)]
pub(crate) struct Launch {
    /// The kernel's symbol.
    pub kernel: String,
    pub at: Place,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    /// Whether all blocks run together, so that they can wait for one another.
    pub cooperative: bool,
    pub arguments: Vec<Argument>,
}

/// What the generated program does.
#[derive(Debug, Default)]
pub struct Plan {
    pub(crate) arrays: Vec<Array>,
    pub(crate) launches: Vec<Launch>,
}

/// What is wrong, and where.
type Wrong = (String, Option<Range<usize>>);

struct Reader<'a> {
    directory: &'a Path,
    module: &'a Module,
    plan: Plan,
    named: HashMap<String, usize>,
}

impl Plan {
    /// Reads the launch file `name`, whose files are relative to its own place `path`.
    ///
    /// # Errors
    /// It has mistakes, or does not fit the kernels of `module`.
    pub(crate) fn read(name: &str, text: &str, path: &Path, module: &Module) -> Result<Self> {
        let mut reader = Reader {
            directory: path.parent().unwrap_or(Path::new("")),
            module,
            plan: Self::default(),
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

    /// The name of the array that parameter `number` of a kernel points to, in all launches of the kernel.
    pub(crate) fn argument_name(&self, kernel: &str, number: usize) -> Option<String> {
        let launches = self.launches.iter().filter(|it| it.kernel == kernel);
        let mut arrays = launches.map(|it| match it.arguments.get(number) {
            Some(Argument::Array(array, _)) => Some(&self.arrays[*array].name),
            _ => None,
        });
        let first = arrays.next()??;
        arrays.all(|it| it == Some(first)).then(|| first.to_owned())
    }
}

fn wrong<T>(message: impl Into<String>, span: Range<usize>) -> std::result::Result<T, Wrong> {
    Err((message.into(), Some(span)))
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
                    dynamic_shared: file.dynamic_shared,
                    cooperative: file.cooperative,
                    source: file.source,
                    line: file.line,
                    argument: file.argument,
                });
            }
            (None, None, None) if file.argument.is_empty() && file.dynamic_shared == 0 => {}
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
        let kernel = self.kernel(keys.kernel.get_ref(), &span)?;
        let (wanted, given) = (kernel.parameters.len(), keys.argument.len());
        if wanted != given {
            let message =
                format!("the kernel has {wanted} parameters, but there are {given} arguments");
            return wrong(message, span);
        }
        let source = match (keys.source, keys.line) {
            (Some(file), Some(line)) => Some(Place::Source(file, line)),
            (None, None) => None,
            _ => return wrong("give both `source` and `line`", span),
        };
        let mut arguments = Vec::new();
        for (number, (keys, parameter)) in keys
            .argument
            .into_iter()
            .zip(&kernel.parameters)
            .enumerate()
        {
            let at = keys.span();
            let argument = self.argument(number, keys, source.as_ref())?;
            let bytes = match &argument {
                Argument::Array(..) => 8,
                Argument::Scalar(_, kind) => kind.3,
            };
            let needed = parameter.bytes();
            if bytes != needed {
                let message = format!(
                    "parameter {number} of the kernel has {needed} bytes, but the argument has {bytes}"
                );
                return wrong(message, at);
            }
            arguments.push(argument);
        }
        self.plan.launches.push(Launch {
            kernel: kernel.name.clone(),
            at: source.unwrap_or(Place::Here(span)),
            grid: dimensions(&keys.grid, [u32::MAX >> 1, 65535, 65535])?,
            block: dimensions(&keys.block, [1024, 1024, 64])?,
            dynamic_shared: keys.dynamic_shared,
            cooperative: keys.cooperative,
            arguments,
        });
        Ok(())
    }

    fn kernel(&self, name: &str, span: &Range<usize>) -> std::result::Result<&'a Function, Wrong> {
        let kernels: Vec<&'a Function> = self.module.kernels().collect();
        let exact = kernels.iter().find(|it| it.name == name);
        let mut plain = kernels.iter().filter(|it| names::plain(&it.name) == name);
        match (exact, plain.next(), plain.next()) {
            (Some(found), _, _) | (None, Some(found), None) => Ok(found),
            (None, Some(_), Some(_)) => {
                let message = format!("several kernels are called `{name}`; give the symbol");
                wrong(message, span.clone())
            }
            (None, None, _) => {
                let known: Vec<String> = kernels.iter().map(|it| names::plain(&it.name)).collect();
                let message = format!("no kernel `{name}`; the file has: {}", known.join(", "));
                wrong(message, span.clone())
            }
        }
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
            return self.pointer(*known, keys.offset, span);
        }
        let Some(kind) = &keys.r#type else {
            return wrong("missing key `type`", span);
        };
        let Some(kind) = KINDS.into_iter().find(|it| it.0 == kind.get_ref()) else {
            let known: Vec<&str> = KINDS.iter().map(|it| it.0).collect();
            return wrong(
                format!("unknown type; known are {}", known.join(", ")),
                kind.span(),
            );
        };
        match (&keys.shape, &keys.value) {
            (None, Some(value)) => Ok(Argument::Scalar(scalar(value, kind)?, kind)),
            (Some(shape), None) => {
                let (shape, offset) = (shape.clone(), keys.offset);
                let at = source.cloned().unwrap_or(Place::Here(span.clone()));
                let array = self.array(number, kind, shape, keys, at, span.clone())?;
                if let Some(name) = name {
                    self.named.insert(name, self.plan.arrays.len());
                }
                self.plan.arrays.push(array);
                self.pointer(self.plan.arrays.len() - 1, offset, span)
            }
            _ => wrong("give `shape` for an array or `value` for a number", span),
        }
    }

    /// An argument that points into an array, or to its end.
    fn pointer(
        &self,
        array: usize,
        offset: u64,
        span: Range<usize>,
    ) -> std::result::Result<Argument, Wrong> {
        let it = &self.plan.arrays[array];
        let bytes = it.shape.iter().product::<u64>() * it.kind.3;
        if offset > bytes {
            let message = format!("the array has {bytes} bytes, so no offset of {offset}");
            return wrong(message, span);
        }
        Ok(Argument::Array(array, offset))
    }

    fn array(
        &self,
        number: usize,
        kind: Kind,
        shape: Vec<u64>,
        keys: ArgumentKeys,
        at: Place,
        span: Range<usize>,
    ) -> std::result::Result<Array, Wrong> {
        let bytes = shape
            .iter()
            .try_fold(kind.3, |all, it| all.checked_mul(*it));
        if bytes.is_none_or(|it| it > 1 << 40) {
            return wrong("the array is too large", span);
        }
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
                Some((path, offset, keys.tolerance))
            }
            None => None,
        };
        let output = keys.output.map(|it| absolute(&self.directory.join(it)));
        Ok(Array {
            name: keys
                .name
                .map_or_else(|| format!("argument {number}"), Spanned::into_inner),
            at,
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
        match npy::read(&path, kind.2, kind.3) {
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
