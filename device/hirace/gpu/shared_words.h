// Room for the words of shared memory next to a block's arrays: the host's side.
//
// A launch requests additional dynamic shared memory of the size of the block's arrays. A program
// could notice this by %dynamic_smem_size and %total_smem_size, so programs that may read these get
// none; and by an access after the last array, which reaches words instead of faulting.
//
// Never at the expense of blocks that run at the same time: words in global memory work as well,
// only more slowly, and kernels whose blocks wait for one another rely on their number.
#pragma once

#include "context.h"
#include "kernel_call.h"
#include "program_parts.h"
#include "shadow_mode.h"

namespace hirace::gpu {

// The shared memory that a launch requests, and the room that it then has.
struct SharedRoom {
  std::size_t dynamic;  // bytes of dynamic shared memory
  std::size_t data;     // bytes that have words in it; 0: none
  std::size_t allowed;  // the kernel's limit before the launch changed it
};

class SharedWords {
 public:
  // Queries the device's limits.
  void open(int device) {
    device_ = device;
    get_ = driver_function<GetAttribute>("cuKernelGetAttribute", 12000);
    set_ = driver_function<SetAttribute>("cuKernelSetAttribute", 12000);
    occupancy_ = driver_function<PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050>(
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050);
    const auto maximum = [&] {
      return ::cudaDeviceGetAttribute(&max_shared_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    };
    usable_ = get_ != nullptr && set_ != nullptr && occupancy_ != nullptr && quietly(maximum) == cudaSuccess;
    beside_ = usable_ && shared_words_mode() == SharedWordsMode::automatic;
  }

  // Whether blocks of a launch have, or may have, shared memory of the program.
  bool has_arrays(const KernelCall& call) const {
    int fixed = 0;
    return !usable_ || call.kernel == nullptr || !get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, call, fixed) ||
           static_cast<std::size_t>(fixed) + call.shared > our_bytes;
  }

  // Makes room for a launch that checks shared memory, until the launch is made.
  SharedRoom room_for(const KernelCall& call) const {
    const SharedRoom none{call.shared, 0, 0};
    int fixed = 0, allowed = 0;
    if (!beside_ || program_parts().use_shared_size || call.kernel == nullptr || !get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, call, fixed) ||
        !get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, call, allowed)) {
      return none;
    }
    const std::size_t arrays = static_cast<std::size_t>(fixed) + call.shared;
    const std::size_t data = (arrays + granule_bytes - 1) / granule_bytes * granule_bytes;
    const SharedRoom room{call.shared + (data - arrays) + data, data, static_cast<std::size_t>(allowed)};
    // A launch that fails anyway is left unchanged.
    if (call.shared > room.allowed || fixed + room.dynamic > static_cast<std::size_t>(max_shared_)) return none;
    if (room.dynamic > room.allowed && !allow(room.dynamic, call)) return none;
    const int count = blocks(call, call.shared);
    if (count != 0 && blocks(call, room.dynamic) == count) return room;
    leave(call, room);
    return none;
  }

  void leave(const KernelCall& call, const SharedRoom& room) const {
    if (room.dynamic > room.allowed) allow(room.allowed, call);
  }

 private:
  using GetAttribute = CUresult (*)(int*, CUfunction_attribute, CUkern_st*, CUdevice);
  using SetAttribute = CUresult (*)(CUfunction_attribute, int, CUkern_st*, CUdevice);

  bool get(CUfunction_attribute attribute, const KernelCall& call, int& value) const {
    return get_(&value, attribute, call.kernel, device_) == CUDA_SUCCESS && value >= 0;
  }

  bool allow(std::size_t dynamic, const KernelCall& call) const {
    return set_(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(dynamic), call.kernel, device_) == CUDA_SUCCESS;
  }

  // The number of blocks that run at the same time on a multiprocessor; 0 if unknown.
  int blocks(const KernelCall& call, std::size_t dynamic) const {
    int count = 0;
    const auto threads = static_cast<int>(call.block.x * call.block.y * call.block.z);
    // A kernel's handle can be used as a function handle (CUDA Driver API, "Occupancy").
    const auto function = reinterpret_cast<CUfunction>(call.kernel);
    return occupancy_(&count, function, threads, dynamic) == CUDA_SUCCESS ? count : 0;
  }

  // Our own shared memory in every kernel (context.h).
  static constexpr std::size_t our_bytes = sizeof(BlockContext);

  bool usable_ = false, beside_ = false;
  int device_ = 0, max_shared_ = 0;
  GetAttribute get_ = nullptr;
  SetAttribute set_ = nullptr;
  PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050 occupancy_ = nullptr;
};

}  // namespace hirace::gpu
