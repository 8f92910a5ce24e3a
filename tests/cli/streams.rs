//! Streams that depend on how a program is compiled, and on its host threads.

use crate::harness::Sandbox;

/// Two kernels of which nothing orders the accesses, unless the default stream takes turns with all others.
const TWO_STREAMS: &str = r"#include <cuda_runtime.h>
__global__ void fill(int* data) {
  data[threadIdx.x] = threadIdx.x;
}
__global__ void twice(int* data) {
  data[threadIdx.x] *= 2;
}
int main() {
  int* data;
  cudaStream_t stream;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaStreamCreate(&stream);
  fill<<<1, 64>>>(data);
  twice<<<1, 64, 0, stream>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
}
";

#[test]
fn per_thread_default_streams() {
    let sandbox = Sandbox::with(TWO_STREAMS);
    sandbox.check(&["a.cu"]).ends_with(0);
    let option = "-DCUDA_API_PER_THREAD_DEFAULT_STREAM";
    sandbox
        .check(&["a.cu", "--cc-arg", option])
        .ends_with(1)
        .says("HR008")
        .says("in kernel `fill` on stream 2")
        .says("in kernel `twice` on stream 1");
}

#[test]
fn several_host_threads() {
    let text = TWO_STREAMS
        .replacen("#include", "#include <thread>\n#include", 1)
        .replacen("(&stream)", "WithFlags(&stream, cudaStreamNonBlocking)", 1)
        .replacen(
            "  twice<<<1, 64, 0, stream>>>(data);",
            "  cudaDeviceSynchronize();\n  std::thread([=] { twice<<<1, 64, 0, stream>>>(data); }).join();",
            1,
        );
    Sandbox::with(text)
        .check(&["a.cu", "--cc-arg", "-pthread"])
        .ends_with(0)
        .says("several host threads worked in streams");
}

/// A second host thread that only reads what a kernel wrote: the first one has waited, and nothing tells the second.
const READER: &str = r#"#include <cuda_runtime.h>
#include <cstdio>
#include <thread>
__global__ void fill(int* data) {
  data[threadIdx.x] = threadIdx.x;
}
int main() {
  int* data;
  cudaMallocManaged(&data, 64 * sizeof(int));
  fill<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  const auto read = [=] { std::printf("%d\n", data[5]); };
  READ
  cudaFree(data);
}
"#;

#[test]
fn a_host_thread_that_only_reads() {
    let check = |read| {
        let sandbox = Sandbox::with(READER.replace("READ", read));
        sandbox.check(&["a.cu", "--cc-arg", "-pthread"])
    };
    check("std::thread(read).join();")
        .ends_with(0)
        .says("several host threads worked in streams, waited for work or accessed memory");
    check("read();")
        .ends_with(0)
        .is_silent_on("several host threads");
}

#[test]
fn copies_by_kernels() {
    let text = TWO_STREAMS
        .replacen(
            "  data[threadIdx.x] = threadIdx.x;",
            "  if (threadIdx.x == 0) cudaMemsetAsync(data, 1, 256, 0);",
            1,
        )
        .replacen("64, 0, stream", "64, 0, 0", 1);
    let sandbox = Sandbox::with(text);
    let note = "kernels that were launched by kernels ran after them";
    sandbox.check(&["a.cu"]).ends_with(0).is_silent_on(note);
    let machine = sandbox.check(&["a.cu", "--engine", "machine"]);
    machine.ends_with(0).says(note);
}

#[test]
fn streams_created_late() {
    let text = TWO_STREAMS.replacen(
        "  fill<<<1, 64>>>(data);",
        "  cudaStream_t late;\n  fill<<<1, 64, 0, stream>>>(data);\n  cudaStreamCreate(&late);",
        1,
    );
    Sandbox::with(text.replacen(
        "0, stream>>>(data);\n  cudaDevice",
        "0, late>>>(data);\n  cudaDevice",
        1,
    ))
    .check(&["a.cu"])
    .says("a stream was created while another one, until then the only one, had work");
}

#[test]
fn adaptors_of_plain_pointers() {
    let text = TWO_STREAMS
        .replacen(
            "#include <cuda_runtime.h>",
            "#include <thrust/execution_policy.h>\n#include <thrust/fill.h>\n#include <thrust/iterator/reverse_iterator.h>",
            1,
        )
        .replacen("(&stream)", "WithFlags(&stream, cudaStreamNonBlocking)", 1)
        .replacen(
            "  twice<<<1, 64, 0, stream>>>(data);",
            "  thrust::fill_n(thrust::device, thrust::make_reverse_iterator(data + 64), 64, 1);",
            1,
        );
    Sandbox::with(text)
        .check(&["a.cu"])
        .ends_with(0)
        .says("a function of CUB or thrust got an iterator adaptor of a plain pointer");
}

/// A product in one stream, and a kernel in another one that reads its result.
const PRODUCT: &str = r"#include <cuda_runtime.h>
#include <cublas_v2.h>
__global__ void clamp(float* c) {
  if (c[threadIdx.x] < 0) c[threadIdx.x] = 0;
}
int main() {
  float *a, *c, one = 1, zero = 0;
  cublasHandle_t handle;
  cudaStream_t products, work;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMalloc(&c, 64 * sizeof(float));
  cudaMemset(a, 0, 64 * sizeof(float));
  cudaStreamCreate(&products);
  cudaStreamCreate(&work);
  cublasCreate(&handle);
  cublasSetStream(handle, products);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, 8, &one, a, 8, a, 8, &zero, c, 8);
  clamp<<<1, 64, 0, work>>>(c);
  cudaDeviceSynchronize();
  cublasDestroy(handle);
}
";

#[test]
fn products_of_cublas_are_work_of_their_stream() {
    let sandbox = Sandbox::with(PRODUCT);
    sandbox
        .check(&["a.cu"])
        .ends_with(1)
        .says("HR008")
        .says("`cublasSgemm` runs on stream 1 and kernel `clamp` on stream 2")
        .says("cublasSgemm(handle, CUBLAS_OP_N");
    let waits = PRODUCT.replacen(
        "  clamp<<<",
        "  cudaStreamSynchronize(products);\n  clamp<<<",
        1,
    );
    Sandbox::with(waits).check(&["a.cu"]).ends_with(0);
    // A result on the host makes the call wait.
    let waits = PRODUCT.replacen(
        "  clamp<<<",
        "  float norm;\n  cublasSnrm2(handle, 64, c, 1, &norm);\n  clamp<<<",
        1,
    );
    Sandbox::with(waits).check(&["a.cu"]).ends_with(0);
}

#[test]
fn transforms_of_cufft_are_work_of_their_stream() {
    let transform = PRODUCT
        .replacen("cublas_v2.h", "cufft.h", 1)
        .replacen("cublasHandle_t handle", "cufftHandle plan", 1)
        .replacen(
            "cublasCreate(&handle)",
            "cufftPlan1d(&plan, 32, CUFFT_C2R, 1)",
            1,
        )
        .replacen("cublasSetStream(handle", "cufftSetStream(plan", 1)
        .replacen("cublasDestroy(handle)", "cufftDestroy(plan)", 1);
    let text: Vec<&str> = transform
        .lines()
        .map(|line| match line.contains("cublasSgemm") {
            true => "  cufftExecC2R(plan, (cufftComplex*)a, c);",
            false => line,
        })
        .collect();
    Sandbox::with(text.join("\n"))
        .check(&["a.cu"])
        .ends_with(1)
        .says("HR008")
        .says("`cufftExecC2R` runs on stream 1 and kernel `clamp` on stream 2");
}

#[test]
fn host_functions_that_access_memory_of_kernels_are_noted() {
    let text = r"#include <cuda_runtime.h>
__global__ void use(const int* data, int* out) {
  *out = *data;
}
static void set(void* data) {
  *static_cast<int*>(data) = 5;
}
int main() {
  int *data, *out;
  cudaStream_t stream, other;
  cudaMallocManaged(&data, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  *data = 1;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  use<<<1, 1, 0, other>>>(data, out);
  cudaLaunchHostFunc(stream, set, data);
  cudaDeviceSynchronize();
}
";
    const NOTE: &str = "host functions in streams accessed managed or pinned memory";
    Sandbox::with(text).check(&["a.cu"]).ends_with(0).says(NOTE);
    let private = text.replacen("*static_cast<int*>(data) = 5;", "(void)data;", 1);
    Sandbox::with(private)
        .check(&["a.cu"])
        .ends_with(0)
        .is_silent_on(NOTE);
}
