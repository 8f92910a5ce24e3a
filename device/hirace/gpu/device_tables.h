// The memory that a DeviceState points to, allocated once for the checked device, and the host's
// copy of the state.
#pragma once

#include "recorder.h"
#include "shadow_pages.h"

// Device memory for words of single bytes, in MiB; 0 for a share of all memory.
#ifndef HIRACE_BYTE_POOL_MIB
#define HIRACE_BYTE_POOL_MIB 0
#endif

namespace hirace::gpu {

class DeviceTables {
 public:
  // Allocates everything on the current device, with the recorder's number of records.
  bool make(int device, bool cached, Recorder& recorder) {
    host_ = std::make_unique<DeviceState>();
    state_ = device_memory<DeviceState>(1);
    if (state_ == nullptr || !stream_.open()) return false;
    if (!pages_.make(device, cached, state_, *host_) || !make_records(recorder) || !make_shared(device)) return false;
    make_byte_pool();
    return stream_.to_device(state_, host_.get(), sizeof(DeviceState));
  }

  DeviceState* state() const { return state_; }
  DeviceState& host() { return *host_; }
  ShadowPages& pages() { return pages_; }
  // The first states of all records, readable even after the device is lost.
  const Record* mirror() const { return mirror_; }

  // Fetches the counters, which the device has changed since the host last set them.
  bool fetch() { return stream_.to_host(host_.get(), state_, offsetof(DeviceState, directories)); }
  bool fetch_records(Recorder& to) {
    return stream_.to_host(to.records(), host_->records, host_->record_capacity * sizeof(Record)) &&
           stream_.to_host(to.spreads(), host_->spreads, host_->record_capacity * sizeof(Spread));
  }

  // Writes `host` for the next launch.
  bool announce() {
    host_->max_epoch = pages_.max_epoch();
    return pages_.write_list(host_->pages, host_->page_count) &&
           stream_.to_device(state_, host_.get(), offsetof(DeviceState, directories)) &&
           stream_.zero(host_->slots, host_->multiprocessors * sizeof(std::uint32_t));
  }

  // Makes every word read as one without an epoch. Words of bytes are cleared when they are taken.
  bool clear() {
    return pages_.clear();
  }

 private:
  bool make_records(Recorder& recorder) {
    const std::uint32_t capacity = recorder.capacity();
    const std::size_t bytes = capacity * sizeof(Record);
    host_->record_capacity = capacity;
    host_->records = device_memory<Record>(capacity);
    host_->spreads = device_memory<Spread>(capacity);
    void* mirror = nullptr;
    if (host_->records == nullptr || host_->spreads == nullptr ||
        quietly([&] { return ::cudaHostAlloc(&mirror, bytes, cudaHostAllocMapped | cudaHostAllocPortable); }) != cudaSuccess) {
      return false;
    }
    mirror_ = static_cast<Record*>(mirror);
    std::memset(mirror, 0, bytes);
    void* mapped = nullptr;
    if (quietly([&] { return ::cudaHostGetDevicePointer(&mapped, mirror, 0); }) != cudaSuccess) return false;
    host_->mirror = static_cast<Record*>(mapped);
    host_->record_count = recorder.header().records;
    host_->dropped = recorder.header().dropped;
    return stream_.to_device(host_->records, recorder.records(), bytes) &&
           stream_.to_device(host_->spreads, recorder.spreads(), capacity * sizeof(Spread));
  }

  bool make_shared(int device) {
    const auto attribute = [device](cudaDeviceAttr which) {
      int value = 0;
      quietly([&] { return ::cudaDeviceGetAttribute(&value, which, device); });
      return static_cast<std::uint32_t>(value);
    };
    host_->multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    host_->shared_granules = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / granule_bytes;
    const std::size_t granules = std::size_t{host_->multiprocessors} * host_->shared_granules;
    host_->slots = device_memory<std::uint32_t>(host_->multiprocessors);
    host_->shared_words = device_memory<std::uint32_t>(granules);
    if (sites_enabled) host_->shared_sites = device_memory<SiteWord>(granules);
    return granules != 0 && host_->slots != nullptr && host_->shared_words != nullptr &&
           (!sites_enabled || host_->shared_sites != nullptr);
  }

  // As much as configured, otherwise 1/32 of the device's memory and at most 2 GiB; less if that is
  // not available.
  void make_byte_pool() {
    std::size_t free = 0, total = 0;
    quietly([&] { return ::cudaMemGetInfo(&free, &total); });
    std::size_t bytes = std::size_t{HIRACE_BYTE_POOL_MIB} << 20;
    if (bytes == 0) bytes = std::min(total / 32, std::size_t{1} << 31);
    const std::size_t words_each = granule_bytes * words_with_site;
    std::size_t nodes = bytes / (words_each * sizeof(Word));
    if (nodes >= max_byte_nodes) nodes = max_byte_nodes - 1;
    for (; nodes != 0; nodes /= 2) {
      host_->byte_words = device_memory<Word>(nodes * words_each);
      if (host_->byte_words != nullptr) break;
    }
    host_->byte_node_capacity = static_cast<std::uint32_t>(nodes);
  }

  std::unique_ptr<DeviceState> host_;
  DeviceState* state_ = nullptr;
  Record* mirror_ = nullptr;
  CopyStream stream_;
  ShadowPages pages_{stream_};
};

}  // namespace hirace::gpu
