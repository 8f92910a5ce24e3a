// The least of PyTorch's C++ interface with which kernels that include it compile:
// `cargo xtask corpora --compile` has no PyTorch. Nothing here runs.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace c10 {

/// A half-precision number in its 16 bits.
template <class Native>
struct Small {
    unsigned short x;
    Small() = default;
    __host__ __device__ Small(float value) : Small(Native(value)) {}
    __host__ __device__ Small(Native value) { memcpy(&x, &value, sizeof x); }
    __host__ __device__ operator Native() const {
        Native value;
        memcpy(&value, &x, sizeof x);
        return value;
    }
    __host__ __device__ operator float() const { return float(operator Native()); }
};
using Half = Small<__half>;
using BFloat16 = Small<__nv_bfloat16>;
template <class T>
using optional = std::optional<T>;
inline constexpr std::nullopt_t nullopt = std::nullopt;

enum class ScalarType { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16 };
/// Sizes: one number is enough.
struct IntArrayRef : std::vector<int64_t> {
    using std::vector<int64_t>::vector;
    IntArrayRef(int64_t);
    std::vector<int64_t> vec() const;
};

struct Device {
    int index() const;
    bool is_cuda() const;
};

struct TensorOptions {
    TensorOptions() = default;
    TensorOptions(ScalarType);
    TensorOptions dtype(ScalarType) const;
    TensorOptions device(Device) const;
};

inline constexpr ScalarType kByte = ScalarType::Byte;
inline constexpr ScalarType kInt = ScalarType::Int;
inline constexpr ScalarType kInt32 = ScalarType::Int;
inline constexpr ScalarType kLong = ScalarType::Long;
inline constexpr ScalarType kInt64 = ScalarType::Long;
inline constexpr ScalarType kHalf = ScalarType::Half;
inline constexpr ScalarType kFloat = ScalarType::Float;
inline constexpr ScalarType kFloat32 = ScalarType::Float;
inline constexpr ScalarType kDouble = ScalarType::Double;
inline constexpr ScalarType kBool = ScalarType::Bool;

namespace cuda {
struct CUDAGuard {
    explicit CUDAGuard(Device);
};
struct OptionalCUDAGuard {
    explicit OptionalCUDAGuard(Device);
};
struct CUDAStream {
    operator cudaStream_t() const;
    cudaStream_t stream() const;
};
CUDAStream getCurrentCUDAStream(int = -1);
}  // namespace cuda

template <class... T>
inline void stub_check(T&&...) {}

}  // namespace c10

namespace at {

using namespace c10;

/// Restrict-qualified pointers in accessors, as PyTorch names them.
template <class T>
struct DefaultPtrTraits {
    using PtrType = T*;
};
template <class T>
struct RestrictPtrTraits {
    using PtrType = T* __restrict__;
};

template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
struct PackedTensorAccessor {
    __host__ __device__ PackedTensorAccessor<T, N - 1, Traits, Index> operator[](Index) const;
    __host__ __device__ Index size(int) const;
    __host__ __device__ Index stride(int) const;
    __host__ __device__ T* data() const;
};
template <class T, template <class> class Traits, class Index>
struct PackedTensorAccessor<T, 1, Traits, Index> {
    T* pointer;
    __host__ __device__ T& operator[](Index i) const { return pointer[i]; }
    __host__ __device__ Index size(int) const;
    __host__ __device__ Index stride(int) const;
    __host__ __device__ T* data() const { return pointer; }
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = PackedTensorAccessor<T, N, Traits, int32_t>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = PackedTensorAccessor<T, N, Traits, int64_t>;

struct Scalar {
    template <class T>
    T to() const;
};

struct Tensor {
    template <class T>
    T* data_ptr() const;
    template <class T>
    T* mutable_data_ptr() const;
    template <class T>
    const T* const_data_ptr() const;
    void* data_ptr() const;
    int64_t size(int64_t) const;
    int64_t stride(int64_t) const;
    int64_t numel() const;
    int64_t dim() const;
    int64_t ndimension() const;
    int64_t element_size() const;
    IntArrayRef sizes() const;
    IntArrayRef strides() const;
    ScalarType scalar_type() const;
    ScalarType dtype() const;
    TensorOptions options() const;
    Device device() const;
    int get_device() const;
    bool is_contiguous() const;
    bool is_cuda() const;
    bool defined() const;
    Tensor contiguous() const;
    Tensor clone() const;
    Tensor t() const;
    Tensor to(ScalarType) const;
    Tensor view(IntArrayRef) const;
    Tensor reshape(IntArrayRef) const;
    Tensor flatten() const;
    Tensor squeeze(int64_t) const;
    Tensor unsqueeze(int64_t) const;
    Tensor slice(int64_t, int64_t = 0, int64_t = 0, int64_t = 1) const;
    Tensor select(int64_t, int64_t) const;
    Tensor narrow(int64_t, int64_t, int64_t) const;
    Tensor expand(IntArrayRef) const;
    Tensor min() const;
    Tensor pow(double) const;
    Tensor sqrt() const;
    Tensor max_values(int64_t) const;
    Tensor type_as(const Tensor&) const;
    Tensor cpu() const;
    Tensor cuda() const;
    Tensor transpose(int64_t, int64_t) const;
    Tensor permute(IntArrayRef) const;
    Tensor to(Device, ScalarType) const;
    Tensor to(TensorOptions) const;
    Tensor copy_(const Tensor&) const;
    Tensor index_select(int64_t, const Tensor&) const;
    Tensor masked_select(const Tensor&) const;
    Tensor cumsum(int64_t, ScalarType = kLong) const;
    Tensor sum() const;
    Tensor max() const;
    Tensor fill_(double) const;
    Tensor zero_() const;
    Tensor ne(double) const;
    Tensor operator[](int64_t) const;
    template <class T>
    T item() const;
    template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
    PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
    template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
    PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
};

template <class... T>
Tensor cumsum(const Tensor&, T...);
template <class... T>
Tensor sum(const Tensor&, T...);
template <class... T>
Tensor div(const Tensor&, T...);
template <class... T>
Tensor nonzero(const Tensor&, T...);
template <class... T>
Tensor rand(T...);
template <class... T>
Tensor randint(T...);
Tensor operator*(const Tensor&, const Tensor&);
Tensor operator-(const Tensor&, const Tensor&);
Tensor operator+(const Tensor&, const Tensor&);
Device device_of(const Tensor&);
Tensor empty(IntArrayRef, TensorOptions = {});
Tensor zeros(IntArrayRef, TensorOptions = {});
Tensor ones(IntArrayRef, TensorOptions = {});
Tensor full(IntArrayRef, double, TensorOptions = {});
Tensor arange(int64_t, TensorOptions = {});
Tensor empty_like(const Tensor&);
Tensor empty_like(const Tensor&, TensorOptions);
Tensor zeros_like(const Tensor&);
Tensor zeros_like(const Tensor&, TensorOptions);
Tensor full_like(const Tensor&, double);
Tensor cat(const std::vector<Tensor>&, int64_t = 0);
Tensor stack(const std::vector<Tensor>&, int64_t = 0);

namespace cuda {
using namespace c10::cuda;
using CUDAStream = c10::cuda::CUDAStream;
c10::cuda::CUDAStream getCurrentCUDAStream(int = -1);
cudaDeviceProp* getCurrentDeviceProperties();
cudaDeviceProp* getDeviceProperties(int);
}  // namespace cuda

}  // namespace at

namespace torch {
using namespace at;
namespace cuda = at::cuda;
}  // namespace torch

// Reached through PyTorch's THCAtomics.
template <class T>
__device__ inline T gpuAtomicAdd(T* address, T value) {
    return atomicAdd(address, value);
}

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define TORCH_CHECK(...) ::c10::stub_check(__VA_ARGS__)
#define AT_ASSERTM(...) ::c10::stub_check(__VA_ARGS__)
#define AT_ERROR(...) ::c10::stub_check(__VA_ARGS__)
#define AT_CUDA_CHECK(...) ::c10::stub_check(__VA_ARGS__)
#define C10_CUDA_CHECK(...) ::c10::stub_check(__VA_ARGS__)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ::c10::stub_check(cudaGetLastError())

#define STUB_CASE(type, ...)      \
    {                             \
        using scalar_t = type;    \
        (void)sizeof(scalar_t);   \
        __VA_ARGS__();            \
    }
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
    [&] { STUB_CASE(float, __VA_ARGS__) STUB_CASE(double, __VA_ARGS__) }()
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
    AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(ONE, TYPE, NAME, ...) \
    AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(ONE, TWO, TYPE, NAME, ...) \
    AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
    [&] { STUB_CASE(float, __VA_ARGS__) STUB_CASE(int32_t, __VA_ARGS__) }()
#define AT_DISPATCH_ALL_TYPES_AND(ONE, TYPE, NAME, ...) \
    AT_DISPATCH_ALL_TYPES(TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(ONE, TWO, TYPE, NAME, ...) \
    AT_DISPATCH_ALL_TYPES(TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
    [&] { STUB_CASE(int32_t, __VA_ARGS__) STUB_CASE(int64_t, __VA_ARGS__) }()
