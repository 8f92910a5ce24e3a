//! The CUDA driver, if there is one: lists its GPUs, and runs kernels on them.
//!
//! Only this module uses `cudarc`. Unsafe code is confined to this module and the places that
//! launch kernels. The driver's library is opened on first use, so that `hirace` starts without it.
//! Calling a function that the library lacks would panic. So [`installed`] calls no function newer
//! than CUDA 5, and [`Session::open`] rejects drivers older than [`MIN_CUDA`].

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaModule, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
    result, sys,
};
use cudarc::nvrtc::Ptx;
use serde::Serialize;
use thiserror::Error;

/// A version of CUDA: major and minor.
pub type Version = (u32, u32);

/// The oldest driver on which kernels are launched, as the CUDA version that it supports.
pub const MIN_CUDA: Version = (11, 4);

/// The number of threads in each block that [`Session::launch`] launches.
const BLOCK: u32 = 128;

/// Why the driver cannot be used.
#[derive(Debug, Error)]
pub enum Unavailable {
    /// The dynamic linker finds no `libcuda.so.1`.
    #[error("its library, libcuda.so.1, was not found")]
    NoLibrary,
    /// The driver is older than [`MIN_CUDA`].
    #[error("it supports CUDA {}.{} and no later version", .0.0, .0.1)]
    TooOld(Version),
    /// A function of the driver failed.
    #[error("it cannot {what}: {message}")]
    Failed {
        /// The task that failed.
        what: &'static str,
        /// The driver's message.
        message: String,
    },
}

/// The driver and its GPUs.
#[derive(Clone, Debug, Serialize)]
pub struct Installed {
    /// The newest CUDA version that the driver supports.
    pub cuda: Version,
    /// The GPUs that this process may use, in the driver's order.
    pub gpus: Vec<Gpu>,
}

/// One GPU.
#[derive(Clone, Debug, Serialize)]
pub struct Gpu {
    /// The GPU's number, from 0.
    pub ordinal: usize,
    /// The product name.
    pub name: String,
    /// The compute capability, major and minor: 9 and 0 for an H100.
    pub compute_capability: (u32, u32),
    /// The size of its memory in bytes.
    pub memory: usize,
    /// The number of multiprocessors.
    pub multiprocessors: u32,
}

impl Gpu {
    /// The compiler's name for its architecture: `sm_90`.
    #[must_use]
    pub fn architecture(&self) -> String {
        let (major, minor) = self.compute_capability;
        format!("sm_{major}{minor}")
    }
}

fn failed(what: &'static str) -> impl Fn(DriverError) -> Unavailable {
    move |error| Unavailable::Failed {
        what,
        message: match (error.error_string(), error.error_name()) {
            (Ok(text), Ok(name)) => {
                format!("{} ({})", text.to_string_lossy(), name.to_string_lossy())
            }
            _ => format!("error {}", error.0 as u32),
        },
    }
}

/// Queries the driver for its version and GPUs.
///
/// # Errors
/// There is no driver, or it does not work.
pub fn installed() -> Result<Installed, Unavailable> {
    // SAFETY: opening the library only runs its initialisers, which are safe to run.
    if !unsafe { sys::is_culib_present() } {
        return Err(Unavailable::NoLibrary);
    }
    let mut version = 0;
    // SAFETY: the pointer is to an integer of the right type. Unlike others, this function may be
    // called before `init`, which fails without a GPU.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }
        .result()
        .map_err(failed("report its version"))?;
    let version = u32::try_from(version).unwrap_or(0);
    let cuda = (version / 1000, version % 1000 / 10);
    let count = match result::init() {
        Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
        Err(error) => return Err(failed("start")(error)),
        Ok(()) => result::device::get_count().map_err(failed("count GPUs"))?,
    };
    let gpus = (0..count).map(gpu).collect::<Result<_, _>>();
    Ok(Installed {
        cuda,
        gpus: gpus.map_err(failed("describe a GPU"))?,
    })
}

fn gpu(ordinal: i32) -> Result<Gpu, DriverError> {
    use sys::CUdevice_attribute_enum as Attribute;
    let device = result::device::get(ordinal)?;
    let attribute = |attribute| {
        // SAFETY: `device` came from the driver.
        let value = unsafe { result::device::get_attribute(device, attribute) }?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    Ok(Gpu {
        ordinal: usize::try_from(ordinal).unwrap_or(0),
        name: result::device::get_name(device)?,
        compute_capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        // SAFETY: as above.
        memory: unsafe { result::device::total_mem(device) }?,
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
    })
}

/// A GPU in use.
#[derive(Debug)]
pub struct Session {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// Loaded kernels.
#[derive(Debug)]
pub struct Module(Arc<CudaModule>);

/// Memory of the GPU, aligned for every type.
#[derive(Debug)]
pub struct Buffer(CudaSlice<u8>);

/// An argument of a kernel.
#[derive(Debug)]
pub enum Argument<'a> {
    /// The address of memory, which the kernel may write to.
    Buffer(&'a mut Buffer),
    /// An unsigned 32-bit number.
    Number(u32),
}

impl Session {
    /// Starts to use a GPU.
    ///
    /// # Errors
    /// The driver is too old, or cannot open the GPU.
    pub fn open(installed: &Installed, gpu: &Gpu) -> Result<Self, Unavailable> {
        if installed.cuda < MIN_CUDA {
            return Err(Unavailable::TooOld(installed.cuda));
        }
        let context = CudaContext::new(gpu.ordinal).map_err(failed("open the GPU"))?;
        let stream = context.default_stream();
        Ok(Self { context, stream })
    }

    /// Loads nvcc's output: PTX, a cubin or a fatbin.
    ///
    /// # Errors
    /// The image is in none of these formats, or not for this GPU.
    pub fn load(&self, mut image: Vec<u8>) -> Result<Module, Unavailable> {
        // PTX is text and needs a terminating zero; the other formats contain their length.
        image.push(0);
        let module = self.context.load_module(Ptx::from_binary(image));
        module.map(Module).map_err(failed("load a module"))
    }

    /// Copies bytes to the GPU.
    ///
    /// # Errors
    /// There is not enough memory, or an earlier kernel failed.
    pub fn upload(&self, bytes: &[u8]) -> Result<Buffer, Unavailable> {
        let slice = self.stream.clone_htod(bytes);
        slice.map(Buffer).map_err(failed("copy to the GPU"))
    }

    /// Allocates zeroed memory on the GPU.
    ///
    /// # Errors
    /// There is not enough memory, or an earlier kernel failed.
    pub fn zeros(&self, bytes: usize) -> Result<Buffer, Unavailable> {
        let slice = self.stream.alloc_zeros(bytes);
        slice.map(Buffer).map_err(failed("allocate memory"))
    }

    /// Copies from the GPU, after all launched kernels have ended.
    ///
    /// # Errors
    /// A kernel failed.
    pub fn download(&self, buffer: &Buffer) -> Result<Vec<u8>, Unavailable> {
        let bytes = self.stream.clone_dtoh(&buffer.0);
        let done = bytes.and_then(|bytes| self.stream.synchronize().map(|()| bytes));
        done.map_err(failed("copy from the GPU"))
    }

    /// Launches a kernel with at least `threads` threads, in one-dimensional blocks.
    ///
    /// # Safety
    /// The arguments match the kernel's parameters, and the kernel stays within the buffers.
    ///
    /// # Errors
    /// The module has no such kernel, or it cannot be launched. [`Session::download`] returns
    /// errors that occur in the kernel.
    pub unsafe fn launch(
        &self,
        module: &Module,
        kernel: &str,
        threads: u32,
        arguments: &mut [Argument<'_>],
    ) -> Result<(), Unavailable> {
        let function = module.0.load_function(kernel);
        let function = function.map_err(failed("find the kernel in a module"))?;
        let mut launch = self.stream.launch_builder(&function);
        for argument in arguments {
            match argument {
                Argument::Buffer(buffer) => launch.arg(&mut buffer.0),
                Argument::Number(number) => launch.arg(&*number),
            };
        }
        let shape = LaunchConfig {
            grid_dim: (threads.div_ceil(BLOCK), 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the caller guarantees that the arguments match and that accesses stay in bounds.
        let launched = unsafe { launch.launch(shape) };
        launched.map(drop).map_err(failed("launch a kernel"))
    }
}
