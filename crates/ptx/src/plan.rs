//! What the generated program does: arrays in device memory, and launches.
//!
//! The launch file ([`crate::launch`]) and the C library (`crates/capi`) make the same value here, so both accept
//! the same, and give the same messages. A message is a lowercase fragment without a position; a caller that has one
//! adds it.

use std::ops::Range;
use std::path::PathBuf;

use crate::module::{Clusters, Function, Module, Variable};
use crate::names;

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in launch files.
    pub name: &'static str,
    /// Its name in C++.
    pub(crate) cpp: &'static str,
    /// Its name in `.npy` files.
    pub(crate) numpy: &'static str,
    /// Its size.
    pub bytes: u64,
}

const fn kind(name: &'static str, cpp: &'static str, numpy: &'static str, bytes: u64) -> Kind {
    Kind {
        name,
        cpp,
        numpy,
        bytes,
    }
}

const KINDS: [Kind; 12] = [
    kind("s8", "std::int8_t", "<i1", 1),
    kind("u8", "std::uint8_t", "<u1", 1),
    kind("s16", "std::int16_t", "<i2", 2),
    kind("u16", "std::uint16_t", "<u2", 2),
    kind("s32", "std::int32_t", "<i4", 4),
    kind("u32", "std::uint32_t", "<u4", 4),
    kind("s64", "std::int64_t", "<i8", 8),
    kind("u64", "std::uint64_t", "<u8", 8),
    kind("f32", "float", "<f4", 4),
    kind("f64", "double", "<f8", 8),
    kind("f16", "::hirace::cpu::ptx::f16", "<f2", 2),
    // NumPy has no such type: files have the bits.
    kind("bf16", "::hirace::cpu::ptx::bf16", "<u2", 2),
];

impl Kind {
    /// The type with this name.
    ///
    /// # Errors
    /// There is none; the message lists all.
    pub fn named(name: &str) -> Result<Self, String> {
        KINDS.into_iter().find(|it| it.name == name).ok_or_else(|| {
            let known: Vec<&str> = KINDS.iter().map(|it| it.name).collect();
            format!("unknown type `{name}`; known are {}", known.join(", "))
        })
    }
}

/// The first values of an array.
#[derive(Debug)]
pub enum Fill {
    /// This number in every element.
    Value(u8),
    /// 0, 1, 2, …
    Iota,
    /// Random numbers from a seed.
    Random(u64),
    /// The bytes of a file, from an offset on.
    File(PathBuf, usize),
}

/// Where the last values of an array go.
#[derive(Debug)]
pub enum Output {
    /// To a `.npy` file.
    Npy(PathBuf),
    /// To a file that has only their bytes.
    Raw(PathBuf),
}

/// Where reports say that something is: in the launch file, or in the source that it names.
#[derive(Clone, Debug)]
pub enum Place {
    /// A range of the launch file.
    Here(Range<usize>),
    /// A file and its line.
    Source(String, u32),
}

/// An array in device memory.
#[derive(Debug)]
pub struct Array {
    /// Its name in reports.
    pub name: String,
    /// What passes it first; if `None`, the first launch that does.
    pub at: Option<Place>,
    /// The type of its elements.
    pub kind: Kind,
    /// Its sizes, in row-major order.
    pub shape: Vec<u64>,
    /// Its first values.
    pub fill: Fill,
    /// Where its last values go.
    pub output: Option<Output>,
    /// What its last values should be: a file, where its values start, and the tolerance.
    pub expect: Option<(PathBuf, usize, f64)>,
}

impl Array {
    /// Its size in bytes; no more than `1 << 40` once the plan has it.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let mut sizes = self.shape.iter();
        sizes.try_fold(self.kind.bytes, |all, it| all.checked_mul(*it))
    }
}

/// An argument.
#[derive(Debug)]
pub enum Argument {
    /// An array, by number, and the bytes from its start to where the argument points.
    Array(usize, u64),
    /// A number as text, and its type.
    Scalar(String, Kind),
    /// The bytes of any value that is passed by value.
    Bytes(Vec<u8>),
}

/// A launch.
#[derive(Debug)]
pub struct Launch {
    /// The kernel's symbol.
    pub kernel: String,
    /// The call.
    pub at: Place,
    /// The size of the grid, in blocks.
    pub grid: [u32; 3],
    /// The size of a block, in threads.
    pub block: [u32; 3],
    /// The size of a cluster, in blocks.
    pub cluster: [u32; 3],
    /// Bytes.
    pub dynamic_shared: u32,
    /// Whether all blocks run together, so that they can wait for one another.
    pub cooperative: bool,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
}

/// What the generated program does.
#[derive(Debug, Default)]
pub struct Plan {
    pub(crate) arrays: Vec<Array>,
    pub(crate) launches: Vec<Launch>,
    /// The name and the text of the launch file, for which [`Place::Here`] has ranges; empty if there is none.
    pub(crate) file: (String, String),
}

/// What may be wrong, without a position.
pub type Checked<T> = Result<T, String>;

impl Plan {
    /// Adds an array, and returns its number.
    ///
    /// # Errors
    /// It is too large.
    pub fn add_array(&mut self, array: Array) -> Checked<usize> {
        if array.bytes().is_none_or(|it| it > 1 << 40) {
            return Err("the array is too large".to_owned());
        }
        self.arrays.push(array);
        Ok(self.arrays.len() - 1)
    }

    /// An argument that points into an array, or to its end.
    ///
    /// # Errors
    /// The offset is beyond the end.
    pub fn pointer(&self, array: usize, offset: u64) -> Checked<Argument> {
        let bytes = self.arrays[array].bytes().unwrap_or(0);
        if offset > bytes {
            return Err(format!(
                "the array has {bytes} bytes, so no offset of {offset}"
            ));
        }
        Ok(Argument::Array(array, offset))
    }

    /// Adds a launch, whose arguments were found to fit ([`Parameters`]).
    pub fn add_launch(&mut self, launch: Launch) {
        for argument in &launch.arguments {
            if let Argument::Array(array, _) = argument {
                let at = &mut self.arrays[*array].at;
                at.get_or_insert_with(|| launch.at.clone());
            }
        }
        self.launches.push(launch);
    }

    /// Number of launches.
    #[must_use]
    pub fn launches(&self) -> usize {
        self.launches.len()
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

/// The kernel that a launch names, by its symbol or its name in the source.
pub(crate) fn kernel<'m>(module: &'m Module, name: &str) -> Checked<&'m Function> {
    let kernels: Vec<&Function> = module.kernels().collect();
    let exact = kernels.iter().find(|it| it.name == name);
    let mut plain = kernels.iter().filter(|it| names::plain(&it.name) == name);
    match (exact, plain.next(), plain.next()) {
        (Some(found), _, _) | (None, Some(found), None) => Ok(found),
        (None, Some(_), Some(_)) => Err(format!(
            "several kernels are called `{name}`; give the symbol"
        )),
        (None, None, _) => {
            let known: Vec<String> = kernels.iter().map(|it| names::plain(&it.name)).collect();
            Err(format!(
                "no kernel `{name}`; the file has: {}",
                known.join(", ")
            ))
        }
    }
}

/// What a kernel is launched with: the sizes of its parameters, in bytes, and what it says of clusters.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The kernel's symbol.
    pub kernel: String,
    sizes: Vec<u64>,
    clusters: Clusters,
}

impl Parameters {
    pub(crate) fn of(kernel: &Function) -> Self {
        Self {
            kernel: kernel.name.clone(),
            sizes: kernel.parameters.iter().map(Variable::bytes).collect(),
            clusters: kernel.clusters(),
        }
    }

    /// How many there are.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a kernel without parameters is nothing special"
    )]
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Checks the number of arguments.
    ///
    /// # Errors
    /// It differs from the number of parameters.
    pub fn count(&self, given: usize) -> Checked<()> {
        let wanted = self.sizes.len();
        match wanted == given {
            true => Ok(()),
            false => Err(format!(
                "the kernel has {wanted} parameters, but there are {given} arguments"
            )),
        }
    }

    /// Checks the size of an argument, by its number from 0. One without a parameter is left to [`Self::count`].
    ///
    /// # Errors
    /// The parameter has another size.
    pub fn fit(&self, number: usize, argument: &Argument) -> Checked<()> {
        let bytes = match argument {
            Argument::Array(..) => 8,
            Argument::Scalar(_, kind) => kind.bytes,
            Argument::Bytes(bytes) => bytes.len() as u64,
        };
        match self.sizes.get(number) {
            Some(&needed) if needed != bytes => Err(format!(
                "parameter {number} of the kernel has {needed} bytes, but the argument has {bytes}"
            )),
            _ => Ok(()),
        }
    }
}

impl Parameters {
    /// The size of the clusters of a launch that gives up to three sizes, or none.
    ///
    /// # Errors
    /// A size is out of range, does not divide that of the grid, or is not what the kernel takes.
    pub fn cluster(&self, grid: [u32; 3], given: Option<&[u32]>) -> Checked<[u32; 3]> {
        let size = given
            .map(|it| dimensions(it, [MAX_CLUSTER; 3]))
            .transpose()?;
        let Clusters {
            required,
            is_explicit,
            max_blocks,
        } = self.clusters;
        let size = match (size, required) {
            (Some(size), Some(required)) if size != required => {
                let [x, y, z] = required;
                return Err(format!(
                    "the kernel takes clusters of {x} x {y} x {z} blocks (`.reqnctapercluster`)"
                ));
            }
            (None, None) if is_explicit => {
                return Err(
                    "the kernel needs a size of clusters (`.explicitcluster`), and the launch gives none"
                        .to_owned(),
                );
            }
            (given, required) => given.or(required).unwrap_or([1; 3]),
        };
        let most = max_blocks.unwrap_or(MAX_CLUSTER).min(MAX_CLUSTER);
        let blocks = size.iter().product::<u32>();
        if blocks == 0 || blocks > most {
            return Err(format!(
                "clusters of {blocks} blocks; the kernel can have from 1 to {most}"
            ));
        }
        let is_divided = grid.iter().zip(size).all(|(all, one)| all % one == 0);
        match is_divided {
            true => Ok(size),
            false => Err(format!(
                "a grid of {} x {} x {} blocks has no clusters of {} x {} x {}",
                grid[0], grid[1], grid[2], size[0], size[1], size[2]
            )),
        }
    }
}

/// The most blocks of a cluster on any device.
const MAX_CLUSTER: u32 = 16;

/// Up to three sizes of a grid.
///
/// # Errors
/// There are none, or too many, or one is out of range.
pub fn grid(sizes: &[u32]) -> Checked<[u32; 3]> {
    dimensions(sizes, [u32::MAX >> 1, 65535, 65535])
}

/// The bytes of dynamic shared memory of a launch.
///
/// # Errors
/// No device has so many.
pub fn dynamic_shared(bytes: u32) -> Checked<u32> {
    const MAX: u32 = 227 * 1024;
    match bytes <= MAX {
        true => Ok(bytes),
        false => Err(format!(
            "a launch has at most {MAX} bytes of dynamic shared memory"
        )),
    }
}

/// Up to three sizes of a block.
///
/// # Errors
/// There are none, or too many, or one is out of range.
pub fn block(sizes: &[u32]) -> Checked<[u32; 3]> {
    dimensions(sizes, [1024, 1024, 64])
}

fn dimensions(sizes: &[u32], most: [u32; 3]) -> Checked<[u32; 3]> {
    let mut out = [1; 3];
    if sizes.is_empty() || sizes.len() > 3 {
        return Err("expected one to three numbers".to_owned());
    }
    for ((slot, size), most) in out.iter_mut().zip(sizes).zip(most) {
        if *size == 0 || *size > most {
            return Err(format!("expected a number from 1 to {most}"));
        }
        *slot = *size;
    }
    Ok(out)
}
