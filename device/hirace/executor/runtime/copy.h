// The CUDA runtime's copies and fills. Only launches and copies in other streams can race with them
// (stream_call.h): kernel boundaries order everything else.
#pragma once

#include "memory.h"
#include "stream_types.h"

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes);

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind);

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);

namespace hirace::cpu {

// The program has taken the address of a variable, so copies may refer to it.
void note_symbol(const void* begin, std::size_t bytes);

template <class T>
char* symbol_address(const T& symbol) {
  return static_cast<char*>(const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(symbol))));
}

// A copy to or from a symbol: `name` is the function that the program calls.
struct SymbolCopy {
  const char* name;
  char* symbol;
  std::size_t size, bytes, offset;
  cudaMemcpyKind kind;
  cudaStream_t stream;
};
cudaError_t copy_to_symbol(const SymbolCopy& copy, const void* from);
cudaError_t copy_from_symbol(const SymbolCopy& copy, void* to);

}  // namespace hirace::cpu

// A symbol is the variable itself: the program names it, and it has its type.
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  if (address == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *address = hirace::cpu::symbol_address(symbol);
  hirace::cpu::note_symbol(*address, sizeof(T));
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
  if (bytes == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *bytes = sizeof(T);
  return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr) {
  using namespace hirace::cpu;
  return copy_to_symbol({"cudaMemcpyToSymbolAsync", symbol_address(symbol), sizeof(T), bytes, offset, kind, stream}, from);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  using namespace hirace::cpu;
  return copy_to_symbol({"cudaMemcpyToSymbol", symbol_address(symbol), sizeof(T), bytes, offset, kind, nullptr}, from);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
  using namespace hirace::cpu;
  return copy_from_symbol({"cudaMemcpyFromSymbolAsync", symbol_address(symbol), sizeof(T), bytes, offset, kind, stream}, to);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  using namespace hirace::cpu;
  return copy_from_symbol({"cudaMemcpyFromSymbol", symbol_address(symbol), sizeof(T), bytes, offset, kind, nullptr}, to);
}
