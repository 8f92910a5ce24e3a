#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <c10/core/Device.h>

namespace c10 {

using DeleterFnPtr = void (*)(void*);

class DataPtr {
 public:
  DataPtr(void* data, void* context, DeleterFnPtr deleter, Device) : data_(data), context_(context, deleter) {}
  void* get() const { return data_; }

 private:
  void* data_;
  std::shared_ptr<void> context_;
};

struct Allocator {
  virtual ~Allocator() = default;
  virtual DataPtr allocate(std::size_t bytes) = 0;
  virtual DeleterFnPtr raw_deleter() const { return nullptr; }
  virtual void copy_data(void* to, const void* from, std::size_t bytes) const = 0;

 protected:
  void default_copy_data(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
};

struct DefaultAllocator final : Allocator {
  DataPtr allocate(std::size_t bytes) override {
    void* place = std::malloc(bytes);
    return {place, place, &std::free, kCPU};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

inline Allocator* GetDefaultCPUAllocator() {
  static DefaultAllocator allocator;
  return &allocator;
}

inline Allocator*& current_allocator() {
  static Allocator* allocator = GetDefaultCPUAllocator();
  return allocator;
}

inline void SetCPUAllocator(Allocator* allocator, unsigned char) { current_allocator() = allocator; }

}  // namespace c10
