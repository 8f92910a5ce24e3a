//! Launches, and other host code.

use expect_test::expect;
use hirace::model::{Backend, SiteKind};

use crate::{check, check_gpu, run};

const HOST: &str = "__global__ void k(int*, int);
template <class T, int N> __global__ void t(T* a, int n) { a[n] = N; }
__global__ void k(int* a, int n) { a[n] = 1; }
void host(int* p, dim3 g, cudaStream_t s) {
  k<<<1, 32>>>(p, 3);
  k<<<dim3(1, 2), 64, 16>>>(p + 1, p[0]);
  t<float, 3><<<g, 32, 0, s>>>(nullptr, -1);
  ns::t<int, 4>
    <<<g,
       32>>>(p, // first
             2);
  CHECK((k<<<1, 1>>>(NULL, {3})));
  auto fp = k; fp<<<1, 1>>>(p, 0);
  for (int i = 0; i < 3; i++) k<<<i, 1>>>(p, i);
  CHECK(cudaMalloc(&p, 4)); cudaFree(p); ::cudaMallocManaged<int>(&p, 4); my.cudaFree(p);
  cudaMemcpy(&i, p, 4, cudaMemcpyDefault); return ::cudaDeviceSynchronize();
}
";

#[test]
fn on_the_cpu() {
    check(
        HOST,
        expect![[r#"
            __global__ void k(int*, int);
            template <class T, int N> __global__ void t(T* a, int n) { W0(a[n]) = N; }
            __global__ void k(int* a, int n) { W1(a[n]) = 1; }
            void host(int* p, dim3 g, cudaStream_t s) {
              cpu::launch(LaunchInfo{"k", 0x00100002u, true, 3, 0u, 0xffffffffu}, dim3(1), dim3(32), 0, 0, [=, hirace_a0 = (p) ] { k(hirace_a0, 3); });
              cpu::launch(LaunchInfo{"k", 0x00100003u, true, 3, 0u, 0xffffffffu}, dim3(dim3(1, 2)), dim3(64), 16, 0, [=, hirace_a0 = (p + 1) , hirace_a1 = (p[0])] { k(hirace_a0, hirace_a1); });
              cpu::launch(LaunchInfo{"t", 0x00100004u, true, 3, 0u, 0xffffffffu}, dim3(g), dim3(32), 0, s, [= ] { t<float, 3>(nullptr, -1); });
              cpu::launch(LaunchInfo{"t", 0x00100005u, true, 3, 0u, 0xffffffffu}, 
            dim3(g),
                   dim3(32), 0, 0, [=, hirace_a0 = (p) // first
                         ] { ns::t<int, 4>(hirace_a0, 2); });
              CHECK((cpu::launch(LaunchInfo{"k", 0x00100006u, true, 3, 0u, 0xffffffffu}, dim3(1), dim3(1), 0, 0, cpu::borrowed([& ] { k(NULL, {3}); }))));
              auto fp = k; cpu::launch(cpu::by_pointer(LaunchInfo{"fp", 0x00100007u, true, 3, 0u, 0xffffffffu}, fp), dim3(1), dim3(1), 0, 0, [=, hirace_a0 = (p) ] { fp(hirace_a0, 0); });
              for (int i = 0; i < 3; i++) cpu::launch(LaunchInfo{"k", 0x00100008u, true, 3, 0u, 0xffffffffu}, dim3(i), dim3(1), 0, 0, [=, hirace_a0 = (p) , hirace_a1 = (i)] { k(hirace_a0, hirace_a1); });
              CHECK(cudaMalloc(&p, 4)); cudaFree(p); ::cudaMallocManaged<int>(&p, 4); my.cudaFree(p);
              (HostCall9(), cudaMemcpy(&i, p, 4, cudaMemcpyDefault)); return ::cudaDeviceSynchronize();
            }
        "#]],
    );
}

#[test]
fn on_the_gpu() {
    check_gpu(
        HOST,
        expect![[r#"
            __global__ void k(int*, int);
            template <class T, int N> __global__ void t(T* a, int n) { KernelScope hirace_kernel_scope; W0(a[n]) = N; }
            __global__ void k(int* a, int n) { KernelScope hirace_kernel_scope; W1(a[n]) = 1; }
            void host(int* p, dim3 g, cudaStream_t s) {
              (begin_launch(LaunchInfo{"k", 0x00100002u, true, 3, 0u, 0xffffffffu}), k<<<1, 32>>>(p, 3));
              (begin_launch(LaunchInfo{"k", 0x00100003u, true, 3, 0u, 0xffffffffu}), k<<<dim3(1, 2), 64, 16>>>(p + 1, p[0]));
              (begin_launch(LaunchInfo{"t", 0x00100004u, true, 3, 0u, 0xffffffffu}), t<float, 3><<<g, 32, 0, s>>>(nullptr, -1));
              (begin_launch(LaunchInfo{"t", 0x00100005u, true, 3, 0u, 0xffffffffu}), ns::t<int, 4>
                <<<g,
                   32>>>(p, // first
                         2));
              CHECK(((begin_launch(LaunchInfo{"k", 0x00100006u, true, 3, 0u, 0xffffffffu}), k<<<1, 1>>>(NULL, {3}))));
              auto fp = k; (begin_launch(LaunchInfo{"fp", 0x00100007u, true, 3, 0u, 0xffffffffu}), fp<<<1, 1>>>(p, 0));
              for (int i = 0; i < 3; i++) (begin_launch(LaunchInfo{"k", 0x00100008u, true, 3, 0u, 0xffffffffu}), k<<<i, 1>>>(p, i));
              CHECK(gpu::cudaMalloc(&p, 4)); gpu::cudaFree(p); gpu::cudaMallocManaged<int>(&p, 4); my.cudaFree(p);
              gpu::cudaMemcpy(&i, p, 4, cudaMemcpyDefault); return gpu::cudaDeviceSynchronize();
            }
        "#]],
    );
}

#[test]
fn by_the_kernels_address_on_the_gpu() {
    check_gpu(
        "__global__ void k(int* a) { a[0] = 1; }
int f(void** args, cudaLaunchConfig_t c, void* unknown) {
  cudaLaunchKernelExC(&c, (void*)k, args);
  ::cudaLaunchKernel(unknown, 1, 2, args);
  return cudaLaunchKernel(k, 1, 2, args) + cudaLaunchCooperativeKernel((void*)k, 1, 2, args);
}
",
        expect![[r#"
            __global__ void k(int* a) { KernelScope hirace_kernel_scope; W0(a[0]) = 1; }
            int f(void** args, cudaLaunchConfig_t c, void* unknown) {
              (begin_launch(LaunchInfo{"k", 0x00100001u, true, 3, 0u, 0xffffffffu}), cudaLaunchKernelExC(&c, (void*)k, args));
              gpu::cudaLaunchKernel(unknown, 1, 2, args);
              return (begin_launch(LaunchInfo{"k", 0x00100002u, true, 3, 0u, 0xffffffffu}), gpu::cudaLaunchKernel(k, 1, 2, args)) + (begin_launch(LaunchInfo{"k", 0x00100003u, true, 3, 0u, 0xffffffffu}), gpu::cudaLaunchCooperativeKernel((void*)k, 1, 2, args));
            }
        "#]],
    );
}

#[test]
fn from_device_code() {
    let source = "__global__ void c(int* a) { a[0] = 1; }\n__global__ void p(int* a) { c<<<1, a[1]>>>(a); cudaMalloc(&a, 4); }\n";
    check(
        source,
        expect![[r#"
            __global__ void c(int* a) { W0(a[0]) = 1; }
            __global__ void p(int* a) { cpu::launch(cpu::by_kernel(LaunchInfo{"c", 0x00100001u, true, 3, 0u, 0xffffffffu}), dim3(1), dim3(R2(a[1])), 0, 0, [=, hirace_a0 = (a)] { c(hirace_a0); }); cudaMalloc(&a, 4); }
        "#]],
    );
    check_gpu(
        source,
        expect![[r#"
            __global__ void c(int* a) { KernelScope hirace_kernel_scope; W0(a[0]) = 1; }
            __global__ void p(int* a) { KernelScope hirace_kernel_scope; c<<<1, R1(a[1])>>>(a); cudaMalloc(&a, 4); }

            not modelled, line 2: launch of `c` from device code"#]],
    );
}

#[test]
fn in_macros() {
    check(
        "#define LAUNCH(k, n, ...) k<<<(n) / 32, 32>>>(__VA_ARGS__)
#define RUN(n) \\
  do { \\
    k<<<n, 32>>>(p); \\
  } while (0)
__global__ void k(int* a) { a[0] = 1; }
void host(int* p) { LAUNCH(k, 64, p); RUN(2); }
",
        expect![[r##"
            #define LAUNCH(k, n, ...) cpu::counted_launch(cpu::in_macro(LaunchInfo{#k, 0x00100001u, true, 3, 0u, 0xffffffffu}), [=](const auto&... hirace_a) -> decltype(k(hirace_a...)) { k(hirace_a...); }, [&] { k(__VA_ARGS__); }, cpu::Configuration((n) / 32, 32))(__VA_ARGS__)
            #define RUN(n) \
              do { \
                cpu::launch(cpu::in_macro(LaunchInfo{"k", 0x00100002u, true, 3, 0u, 0xffffffffu}), dim3(n), dim3(32), 0, 0, [=, hirace_a0 = (p)] { k(hirace_a0); }); \
              } while (0)
            __global__ void k(int* a) { W0(a[0]) = 1; }
            void host(int* p) { LAUNCH(k, 64, p); RUN(2); }
        "##]],
    );
}

#[test]
fn a_launch_without_a_block_is_an_error() {
    check(
        "#define SHAPE 1, 32\n__global__ void k() {}\nint main() { k<<<SHAPE>>>(); k<<<1>>>(); }\n",
        expect![[r##"
            #define SHAPE 1, 32
            __global__ void k() {}
            int main() { cpu::launch(LaunchInfo{"k", 0x00100000u, true, 3, 0u, 0xffffffffu}, dim3(SHAPE), dim3(1), 0, 0, [=] { k(); }); cpu::launch(LaunchInfo{"k", 0x00100001u, true, 3, 0u, 0xffffffffu}, dim3(1), dim3(1), 0, 0, [=] { k(); }); }

            error at 76: the launch of `k` gives a grid and no block: `k<<<grid, block>>>`"##]],
    );
}

#[test]
fn a_kernel_without_a_body_is_an_error() {
    check(
        "__global__ void k(int*);\nint main() { k<<<1, 1>>>(0); }\n",
        expect![[r#"
            __global__ void k(int*);
            int main() { cpu::launch(LaunchInfo{"k", 0x00100000u, true, 3, 0u, 0xffffffffu}, dim3(1), dim3(1), 0, 0, [=] { k(0); }); }

            error at 38: kernel `k` is launched, but has no body"#]],
    );
    check(
        "__global__ void k(int*);\nint main() { }\n",
        expect![[r#"
        __global__ void k(int*);
        int main() { }
    "#]],
    );
}

#[test]
fn device_variables_are_registered() {
    let source = "namespace n { __device__ int a; namespace { __managed__ float b[3]; } }
__device__ const int c = 1; extern __device__ int d; template <class T> __device__ T e;
#ifdef MAYBE
__device__ int f;
#endif
";
    let result = run(source, Backend::Gpu, &[]);
    expect![[r##"
        #include <hirace/hirace.cuh>
        #line 1 "test.cu"
        namespace n { __device__ int a; namespace { __managed__ float b[3]; } }
        __device__ const int c = 1; extern __device__ int d; template <class T> __device__ T e;
        #ifdef MAYBE
        __device__ int f; namespace { const ::hirace::gpu::DeviceSymbol hirace_symbol_1_2{[](auto monitor) { monitor(::f); }}; }
        #endif

        #ifndef HIRACE_SITES_1
        #define HIRACE_SITES_1
        namespace {
        const ::hirace::gpu::DeviceSymbol hirace_symbol_1_0{[](auto monitor) { monitor(::n::a); }};
        const ::hirace::gpu::DeviceSymbol hirace_symbol_1_1{[](auto monitor) { monitor(::n::b); }};
        }
        #endif
    "##]].assert_eq(&result.text);
}

#[test]
fn files_that_ask_for_the_size_of_shared_memory_are_registered() {
    let source = r#"__device__ unsigned size() { unsigned n; asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(n)); return n; }
"#;
    let line = "const ::hirace::gpu::SharedSizeUse hirace_shared_size_1;\n";
    assert!(run(source, Backend::Gpu, &[]).text.contains(line));
    assert!(
        !run(source, Backend::Cpu, &[])
            .text
            .contains("SharedSizeUse")
    );
}

#[test]
fn counts() {
    let result = run(HOST, Backend::Cpu, &[]);
    assert_eq!(result.kernels, ["t", "k"]);
    assert_eq!(result.launches, 7);
    assert_eq!(result.device_functions, 2);
}

/// The compiler counts the arguments that are left after preprocessing.
#[test]
fn conditions_in_the_text_of_a_launch() {
    check(
        "__global__ void k(int* p, int n = 1) {}
void f(int* p) {
  k<<<1, 64
#ifdef SHARED
    , 16
#endif
  >>>(p
#if defined(N) && N > 1
    , 2
#endif
  );
}
",
        expect![[r#"
            __global__ void k(int* p, int n = 1) {}
            void f(int* p) {
              cpu::pending_launch(LaunchInfo{"k", 0x00100000u, true, 3, 0u, 0xffffffffu}, [=](auto... hirace_a) { k(hirace_a...); }, cpu::Configuration(1, 64
            #ifdef SHARED
                , 16
            #endif
              ))(p
            #if defined(N) && N > 1
                , 2
            #endif
              );
            }
        "#]],
    );
}

/// A macro with one definition stands for a kernel; one of two may stand for either.
#[test]
fn kernels_behind_macros() {
    let result = run(
        "#define STEP ns::sum<8>
#define CHOSEN STEP
#ifdef LARGE
#define EITHER sum
#else
#define EITHER other
#endif
namespace ns { template <int N> __global__ void sum(int* p) {} }
__global__ void other(int* p) {}
void f(int* p) { CHOSEN<<<1, 64>>>(p); EITHER<<<1, 64>>>(p); }
",
        Backend::Cpu,
        &[],
    );
    let launches = result.sites.iter().filter(|it| it.kind == SiteKind::Launch);
    let kernels: Vec<&str> = launches.map(|it| it.variable.as_str()).collect();
    assert_eq!(kernels, ["sum", "EITHER"]);
}

#[test]
fn addresses_of_kernels() {
    check(
        "__global__ void k(int* a) { a[0] = 1; }
template <int n> __global__ void t(int* a) { a[n] = 1; }
void host(cudaLaunchConfig_t c, int* p, void** args) {
  void* table[] = {(void*)k, reinterpret_cast<const void*>(&t<3>), (void*)host};
  cudaLaunchKernelEx(&c, k, p);
  cudaLaunchKernel((const void*)t<1>, 1, 2, args);
  cudaLaunchKernel(table[0], 1, 2, args);
}
",
        expect![[r#"
            __global__ void k(int* a) { W0(a[0]) = 1; }
            template <int n> __global__ void t(int* a) { W1(a[n]) = 1; }
            void host(cudaLaunchConfig_t c, int* p, void** args) {
              void* table[] = {cpu::kernel_address(LaunchInfo{"k", 0x00100002u, true, 3, 0u, 0xffffffffu}, k), cpu::kernel_address(LaunchInfo{"t", 0x00100003u, true, 3, 0u, 0xffffffffu}, t<3>), (void*)host};
              cpu::launch_kernel_ex(LaunchInfo{"k", 0x00100004u, true, 3, 0u, 0xffffffffu}, &c, k, p);
              cpu::launch_kernel(LaunchInfo{"t", 0x00100005u, true, 3, 0u, 0xffffffffu}, t<1>, 1, 2, args);
              (HostCall6(), cudaLaunchKernel(table[0], 1, 2, args));
            }
        "#]],
    );
}

#[test]
fn texels() {
    let source = "__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* a) {
  a[0] = tex2D<float>(t, a[1], 0.5f) + tex1Dfetch<float4>(t, 3).x;
  tex3D(&a[2], t, 1, 2, 3);
  surf2Dwrite(a[3], s, 4, 0);
}
";
    check(
        source,
        expect![[r#"
        __global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* a) {
          W0(a[0]) = tex2D<float>(texels1(t), R2(a[1]), 0.5f) + tex1Dfetch<float4>(texels3(t), 3).x;
          tex3D(&W5(a[2]), texels4(t), 1, 2, 3);
          surf2Dwrite(R7(a[3]), texels6(s), 4, 0);
        }
    "#]],
    );
    check_gpu(
        source,
        expect![[r#"
        __global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* a) { KernelScope hirace_kernel_scope;
          W0(a[0]) = tex2D<float>(t, R1(a[1]), 0.5f) + tex1Dfetch<float4>(t, 3).x;
          tex3D(&W2(a[2]), t, 1, 2, 3);
          surf2Dwrite(R3(a[3]), s, 4, 0);
        }

        not monitored, line 2: `tex2D` accesses memory without hooks
        not monitored, line 2: `tex1Dfetch` accesses memory without hooks
        not monitored, line 3: `tex3D` accesses memory without hooks
        not monitored, line 4: `surf2Dwrite` accesses memory without hooks"#]],
    );
}

#[test]
fn texture_references() {
    let source = "texture<float, 2, cudaReadModeElementType> image;
static texture<uchar4> line; surface<void, cudaSurfaceType2D> plane;
template <class T> void bind(const texture<T, 2>& t) {}
bool less(int texture, int n) { return (texture < n) && texture < n && n > 1; }
__global__ void k(float* a) {
  a[0] = tex2D(image, a[1], 0.5f) + tex1Dfetch(line, 3).x + tex2DLayered(image, a[2], 1, 2);
  tex2D(&a[4], 7, 1.0f, 2.0f); surf2Dwrite(a[3], plane, 4, 0);
}
";
    check(
        source,
        expect![[r#"
        cpu::texture<float, 2, cudaReadModeElementType> image;
        static cpu::texture<uchar4> line; cpu::surface<void, cudaSurfaceType2D> plane;
        template <class T> void bind(const cpu::texture<T, 2>& t) {}
        bool less(int texture, int n) { return (texture < n) && texture < n && n > 1; }
        __global__ void k(float* a) {
          W0(a[0]) = tex2D(texels1(image), R2(a[1]), 0.5f) + tex1Dfetch(texels3(line), 3).x + tex2DLayered(texels4(image), R5(a[2]), 1, 2);
          tex2D(&W7(a[4]), texels6(7), 1.0f, 2.0f); surf2Dwrite(R9(a[3]), texels8(plane), 4, 0);
        }
    "#]],
    );
    check_gpu(
        source,
        expect![[r#"
        texture<float, 2, cudaReadModeElementType> image;
        static texture<uchar4> line; surface<void, cudaSurfaceType2D> plane;
        template <class T> void bind(const texture<T, 2>& t) {}
        bool less(int texture, int n) { return (texture < n) && texture < n && n > 1; }
        __global__ void k(float* a) { KernelScope hirace_kernel_scope;
          W0(a[0]) = tex2D(image, R1(a[1]), 0.5f) + tex1Dfetch(line, 3).x + tex2DLayered(image, R2(a[2]), 1, 2);
          tex2D(&W3(a[4]), 7, 1.0f, 2.0f); surf2Dwrite(R4(a[3]), plane, 4, 0);
        }

        not monitored, line 6: `tex2D` accesses memory without hooks
        not monitored, line 6: `tex1Dfetch` accesses memory without hooks
        not monitored, line 6: `tex2DLayered` accesses memory without hooks
        not monitored, line 7: `tex2D` accesses memory without hooks
        not monitored, line 7: `surf2Dwrite` accesses memory without hooks
        error at 0: `texture<float, 2, cudaReadModeElementType>`: CUDA 12 removed texture and surface references; create an object with `cudaCreateTextureObject` and pass it to the kernel, or run the program without a GPU
        error at 79: `surface<void, cudaSurfaceType2D>`: CUDA 12 removed texture and surface references; create an object with `cudaCreateSurfaceObject` and pass it to the kernel, or run the program without a GPU"#]],
    );
}

/// Calls that work in a stream, between calls and declarations that look like them.
const IN_STREAMS: &str = "#include <cub/cub.cuh>
#define COPY(to) cudaMemcpyAsync(to, 0, 4, kind, s)
cudaError_t cudaMemsetAsync(int);
__global__ void k(int* a) { a[0] = 1; }
__device__ void device_only(int* a) { cudaMemcpyAsync(a, a, 4, kind, 0); }
int first = cudaMemcpy(a, b, 4, kind);
void host(int* p, cudaStream_t s) {
  CHECK(cudaMemcpyAsync(p, size(cudaMallocAsync(&p, 4, s)), 4, kind, s));
  if (::cudaFreeAsync(p, s) != 0) return;
  cudaMemsetAsync(3); my.cudaMemcpy(p); my::cudaMemcpy(p); auto f = cudaMemcpy;
  ::thrust::sort(thrust::cuda::par.on(s), p, p + 4); thrust::make_pair(1, 2); std::sort(p, p);
  cub::DeviceReduce::Sum(q, n, p, p, 4, s); DeviceScan::ExclusiveSum(q, n, p, 4);
}
";

#[test]
fn calls_that_work_in_streams() {
    check(
        IN_STREAMS,
        expect![[r#"
            #include <cub/cub.cuh>
            #define COPY(to) (HostCall9(), cudaMemcpyAsync(to, 0, 4, kind, s))
            cudaError_t cudaMemsetAsync(int);
            __global__ void k(int* a) { W0(a[0]) = 1; }
            __device__ void device_only(int* a) { (in_kernel1(), cudaMemcpyAsync(a, a, 4, kind, 0)); }
            int first = (HostCall2(), cudaMemcpy(a, b, 4, kind));
            void host(int* p, cudaStream_t s) {
              CHECK((HostCall3(), cudaMemcpyAsync(p, size((HostCall4(), cudaMallocAsync(&p, 4, s))), 4, kind, s)));
              if ((HostCall5(), ::cudaFreeAsync(p, s)) != 0) return;
              cudaMemsetAsync(3); my.cudaMemcpy(p); my::cudaMemcpy(p); auto f = cudaMemcpy;
              (HostCall6(), ::thrust::sort(thrust::cuda::par.on(s), p, p + 4)); thrust::make_pair(1, 2); std::sort(p, p);
              (HostCall7(), cub::DeviceReduce::Sum(q, n, p, p, 4, s)); (HostCall8(), DeviceScan::ExclusiveSum(q, n, p, 4));
            }
        "#]],
    );
}
