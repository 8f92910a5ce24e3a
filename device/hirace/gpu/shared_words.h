// Room for the words of shared memory beside a block's arrays: the host's side.
//
// A launch asks for as much dynamic shared memory again as the block's arrays take. A program
// could tell by %dynamic_smem_size and %total_smem_size, so none does it that may ask for them;
// and by an access behind the last array, which meets words instead of a fault.
//
// Never at the price of blocks that run at the same time: words in global memory are as good,
// only further away, and kernels whose blocks wait for one another rely on their number.
#pragma once

#include "context.h"
#include "kernel_call.h"
#include "registration.h"
#include "shadow_mode.h"

namespace hirace::gpu {

// What a launch is to ask for, and what it then has room for.
struct SharedRoom {
  std::size_t dynamic;  // bytes of dynamic shared memory
  std::size_t data;     // bytes that have words in it; 0: none
  std::size_t allowed;  // for the kernel, until the launch changed that
};

class SharedWords {
 public:
  // Finds out what the device has.
  void open(int device) {
    device_ = device;
    get_ = driver_function<GetAttribute>("cuKernelGetAttribute", 12000);
    set_ = driver_function<SetAttribute>("cuKernelSetAttribute", 12000);
    occupancy_ = driver_function<PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050>(
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050);
    const auto maximum = [&] {
      return ::cudaDeviceGetAttribute(&most_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    };
    usable_ = get_ != nullptr && set_ != nullptr && occupancy_ != nullptr && quietly(maximum) == cudaSuccess;
    beside_ = usable_ && shared_words_mode() == SharedWordsMode::automatic;
  }

  // Whether blocks of a launch have, or may have, shared memory of the program's.
  bool has_arrays(const KernelCall& call) const {
    int fixed = 0;
    return !usable_ || call.kernel == nullptr || !get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, call, fixed) ||
           static_cast<std::size_t>(fixed) + call.shared > our_bytes;
  }

  // Makes room for a launch that checks shared memory, until the launch is made.
  SharedRoom room_for(const KernelCall& call) const {
    const SharedRoom none{call.shared, 0, 0};
    int fixed = 0, allowed = 0;
    if (!beside_ || shared_size_is_used() || call.kernel == nullptr || !get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, call, fixed) ||
        !get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, call, allowed)) {
      return none;
    }
    const std::size_t arrays = static_cast<std::size_t>(fixed) + call.shared;
    const std::size_t data = (arrays + granule_bytes - 1) / granule_bytes * granule_bytes;
    const SharedRoom room{call.shared + (data - arrays) + data, data, static_cast<std::size_t>(allowed)};
    // A launch that cannot be is not our business.
    if (call.shared > room.allowed || fixed + room.dynamic > static_cast<std::size_t>(most_)) return none;
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

  // How many run at the same time on a multiprocessor; 0 where that is not known.
  int blocks(const KernelCall& call, std::size_t dynamic) const {
    int count = 0;
    const auto threads = static_cast<int>(call.block.x * call.block.y * call.block.z);
    // A kernel's handle serves as that of a function (CUDA Driver API, "Occupancy").
    const auto function = reinterpret_cast<CUfunction>(call.kernel);
    return occupancy_(&count, function, threads, dynamic) == CUDA_SUCCESS ? count : 0;
  }

  // What is in every kernel (context.h).
  static constexpr std::size_t our_bytes = sizeof(BlockContext) + max_block_threads * sizeof(Clocks);

  bool usable_ = false, beside_ = false;
  int device_ = 0, most_ = 0;
  GetAttribute get_ = nullptr;
  SetAttribute set_ = nullptr;
  PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050 occupancy_ = nullptr;
};

}  // namespace hirace::gpu
