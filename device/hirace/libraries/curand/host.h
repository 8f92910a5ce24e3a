// cuRAND's functions for the host: curand.h. A generator for device memory works in its stream, as a kernel
// would: what it writes is compared with the accesses of other streams.
#pragma once

#include "../stream_function.h"
#include "host_generators.h"

struct curandGenerator_st {
  curandRngType_t type;
  bool fills_host_memory;
  unsigned dimensions = 1;
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  // Made when the first numbers are, and again after a change.
  hirace::cpu::HostGenerator* generator = nullptr;

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool is_wide() const { return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64; }
  void restart() {
    delete generator;
    generator = nullptr;
  }
  hirace::cpu::HostGenerator& running() {
    if (generator == nullptr) {
      generator = hirace::cpu::make_generator(type, dimensions);
      generator->start(seed, offset);
    }
    return *generator;
  }
};
using curandGenerator_t = curandGenerator_st*;

namespace hirace::cpu {

inline curandStatus_t create_generator(curandGenerator_t* generator, curandRngType_t type, bool fills_host_memory) {
  HostGenerator* const made = make_generator(type, 1);
  if (made == nullptr) return CURAND_STATUS_TYPE_ERROR;
  delete made;
  *generator = new curandGenerator_st{type, fills_host_memory};
  return CURAND_STATUS_SUCCESS;
}

// Changes what a generator begins with.
template <class Change>
curandStatus_t change_generator(curandGenerator_t generator, const Change& change) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  change();
  generator->restart();
  return CURAND_STATUS_SUCCESS;
}

// Fills `out` with `make(generator, index)`, in the stream.
template <class T, class Make>
curandStatus_t fill_randomly(const char* name, curandGenerator_t generator, T* out, std::size_t count, const Make& make) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (count % generator->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const auto fill = [=] {
    HostGenerator& running = generator->running();
    for (std::size_t i = 0; i < count; ++i) out[i] = make(running, i);
    running.finish(count);
  };
  if (generator->fills_host_memory) {
    fill();
    return CURAND_STATUS_SUCCESS;
  }
  if (!has_array(name, out, count * sizeof(T))) return CURAND_STATUS_LAUNCH_FAILURE;
  const cudaError_t error = run_in_stream(name, generator->stream, LibraryWaits::for_nothing, [=] {
    library_writes(out, count * sizeof(T));
    fill();
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

// Normal numbers are made in pairs.
template <class T, class Make>
curandStatus_t fill_normally(const char* name, curandGenerator_t generator, T* out, std::size_t count, const Make& make) {
  if (generator != nullptr && !generator->is_quasi() && count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return fill_randomly(name, generator, out, count, make);
}

}  // namespace hirace::cpu

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return hirace::cpu::create_generator(generator, type, false);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return hirace::cpu::create_generator(generator, type, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->restart();
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generator != nullptr && generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  return hirace::cpu::change_generator(generator, [=] { generator->seed = seed; });
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return hirace::cpu::change_generator(generator, [=] { generator->offset = offset; });
}
// There is one order.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->is_quasi() == (ordering == CURAND_ORDERING_QUASI_DEFAULT) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions) {
  if (dimensions == 0 || dimensions > hirace::cpu::sobol_dimensions) return CURAND_STATUS_OUT_OF_RANGE;
  if (generator != nullptr && !generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  return hirace::cpu::change_generator(generator, [=] { generator->dimensions = dimensions; });
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->running();
  return CURAND_STATUS_SUCCESS;
}

#define HIRACE_CURAND_FILL(fill, name, type, number, parameters, ...)                                                    \
  inline curandStatus_t name(curandGenerator_t generator, type* out, std::size_t count HIRACE_CURAND_##parameters) {     \
    return hirace::cpu::fill(#name, generator, out, count,                                                               \
                             [=](hirace::cpu::HostGenerator& g, std::size_t i) -> type { return number(__VA_ARGS__); }); \
  }
#define HIRACE_CURAND_NONE
#define HIRACE_CURAND_FLOATS , float mean, float stddev
#define HIRACE_CURAND_DOUBLES , double mean, double stddev
#define HIRACE_CURAND_LAMBDA , double lambda
HIRACE_CURAND_FILL(fill_randomly, curandGenerateUniform, float, g.uniform, NONE, i, count)
HIRACE_CURAND_FILL(fill_randomly, curandGenerateUniformDouble, double, g.uniform_double, NONE, i, count)
HIRACE_CURAND_FILL(fill_normally, curandGenerateNormal, float, , FLOATS, mean + stddev * g.normal(i, count))
HIRACE_CURAND_FILL(fill_normally, curandGenerateNormalDouble, double, , DOUBLES, mean + stddev * g.normal_double(i, count))
HIRACE_CURAND_FILL(fill_normally, curandGenerateLogNormal, float, ::expf, FLOATS, mean + stddev * g.normal(i, count))
HIRACE_CURAND_FILL(fill_normally, curandGenerateLogNormalDouble, double, ::exp, DOUBLES, mean + stddev * g.normal_double(i, count))
HIRACE_CURAND_FILL(fill_randomly, curandGeneratePoisson, unsigned int, g.poisson, LAMBDA, i, count, lambda)
#undef HIRACE_CURAND_LAMBDA
#undef HIRACE_CURAND_DOUBLES
#undef HIRACE_CURAND_FLOATS
#undef HIRACE_CURAND_NONE
#undef HIRACE_CURAND_FILL

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, std::size_t count) {
  if (generator != nullptr && generator->is_wide()) return CURAND_STATUS_TYPE_ERROR;
  return hirace::cpu::fill_randomly("curandGenerate", generator, out, count,
                                    [=](hirace::cpu::HostGenerator& g, std::size_t i) { return g.bits(i, count); });
}
inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* out, std::size_t count) {
  if (generator != nullptr && !generator->is_wide()) return CURAND_STATUS_TYPE_ERROR;
  return hirace::cpu::fill_randomly("curandGenerateLongLong", generator, out, count,
                                    [=](hirace::cpu::HostGenerator& g, std::size_t i) { return g.wide_bits(i, count); });
}

inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors, curandDirectionVectorSet_t set) {
  if (set > CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = hirace::cpu::DirectionTable<unsigned int>::all().vectors;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors, curandDirectionVectorSet_t set) {
  if (set < CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = hirace::cpu::DirectionTable<unsigned long long>::all().vectors;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  *constants = hirace::cpu::DirectionTable<unsigned int>::all().scrambles;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  *constants = hirace::cpu::DirectionTable<unsigned long long>::all().scrambles;
  return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t* distribution) {
  if (!(lambda > 0) || lambda > 400000) return CURAND_STATUS_OUT_OF_RANGE;
  if (cudaMalloc(reinterpret_cast<void**>(distribution), sizeof **distribution) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  const hirace::cpu::LibraryAccess access;
  (*distribution)->lambda = lambda;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  return cudaFree(distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
