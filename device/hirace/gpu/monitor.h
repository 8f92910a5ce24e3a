// The host's work between launches.
//
// Launches are checked one at a time. Before each, the host waits for the device, fetches the
// results of the previous launch, and announces the next one with its own epoch. A program whose
// kernels must run at the same time, waiting for one another, cannot be checked this way.
#pragma once

#include <mutex>
#include <utility>

#include "../hooks/launch.h"
#include "arguments.h"
#include "counters.h"
#include "device_tables.h"
#include "faults.h"
#include "foreign_memory.h"
#include "program_parts.h"
#include "registration.h"
#include "shared_words.h"

namespace hirace::gpu {

class Monitor {
 public:
  // Never destroyed: static objects of the program may free memory later.
  static Monitor& instance() {
    static Monitor* monitor = new Monitor;
    return *monitor;
  }

  // Recursive, because the arguments of a launch may contain another launch.
  std::recursive_mutex& mutex() { return mutex_; }

  // Sets the description of the calling thread's next launch, until that begins; null for a launch
  // that is not ours. Returns the previous description.
  const LaunchInfo* expect(const LaunchInfo* info) { return std::exchange(expected_, info); }

  // Performs a launch by `run(call)`; it is announced if it is the expected one.
  cudaError_t launch(KernelCall call, Callback<cudaError_t(const KernelCall&)> run) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    begin_launch(&call);
    const SharedRoom room = std::exchange(room_, {});
    if (room.data == 0) return run(call);
    const std::size_t own = std::exchange(call.shared, room.dynamic);
    const cudaError_t error = run(call);
    shared_words_.leave(call, room);
    if (error == cudaSuccess || fault_of(error) != Fault::none) return error;
    // The error may be due to our additions.
    static_cast<void>(::cudaGetLastError());
    tables_->host().launch.shared_data = 0;
    if (!tables_->announce()) return error;
    call.shared = own;
    return run(call);
  }

  // Announces the expected launch. `call`: null if unknown.
  void begin_launch(const KernelCall* call) {
    const LaunchInfo* const expected = expect(nullptr);
    if (expected == nullptr || phase_ == Phase::finished) return;
    const LaunchInfo& info = *expected;
    const cudaStream_t stream = call != nullptr ? call->stream : nullptr;
    RecordHeader& header = recorder().header();
    const std::uint32_t kernel = recorder().kernel_number(info.kernel);
    ++header.launches;
    ++recorder().kernel(kernel).launches;
    note_stream(stream, kernel);
    const bool left_out = !options_choose(info.kernel);
    if (left_out) {
      header.limits |= launches_not_chosen;
      recorder().kernel(kernel).limits |= launches_not_chosen;
    }
    const bool wanted = info.monitor && info.spaces != monitor_none && !left_out;
    if (is_capturing(stream)) {
      warn("launches captured into graphs are not checked");
    } else if (ready() && synchronize()) {
      collect();
      if (wanted) map_foreign(call);
      if (!announce(info, kernel, wanted, call)) {
        warn("failed to write to the device's memory: a launch is not checked");
      } else if (wanted) {
        return;
      }
    }
    ++header.unmonitored_launches;
    ++recorder().kernel(kernel).unmonitored_launches;
  }

  // Whether the caller's device is the checked one. The first call decides which device is checked.
  bool ready() {
    if (phase_ == Phase::unused) start();
    int device = -1;
    if (phase_ != Phase::running || quietly([&] { return ::cudaGetDevice(&device); }) != cudaSuccess) return false;
    if (device != device_) warn("only the first device that the program uses is checked");
    return device == device_;
  }

  // Gives shadow to memory of the program. Returns how many bytes remain without, for lack of memory.
  std::size_t map(const void* memory, std::size_t bytes) {
    if (!ready()) return 0;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    ShadowPages& pages = tables_->pages();
    pages.map(address, bytes);
    if (pages.without(address) != 0) shrink();
    const std::size_t without = pages.without(address);
    if (without != 0) recorder().header().limits |= shadow_memory_exhausted;
    return without;
  }

  void unmap(const void* memory) {
    if (ready()) tables_->pages().unmap(reinterpret_cast<std::uintptr_t>(memory));
  }

  // The program has waited for something, with this result. If it ends other than by `exit`, the
  // findings until now are kept. `all`: it has waited for all kernels.
  void waited(cudaError_t error, bool all) {
    if (phase_ != Phase::running) return;
    if (fault_of(error) != Fault::none) {
      lose_device(error);
    } else if (all && announced_ && error == cudaSuccess && ready() && synchronize()) {
      collect();
    } else {
      recorder().take_first_states(tables_->mirror());
    }
  }

  // Memory ran short. Returns whether some could be released.
  bool reclaim() {
    if (!ready() || !synchronize()) return false;
    foreign_.refresh(tables_->pages());
    return tables_->pages().reclaim() || shrink();
  }

  // The device is about to lose all memory; a later launch starts again.
  void reset() {
    if (phase_ != Phase::running || !ready()) return;
    if (synchronize()) collect();
    if (phase_ != Phase::running) return;
    phase_ = Phase::unused;
    // While the memory to be released still exists.
    tables_.reset();
    foreign_.clear();
  }

  // The end of the process, while the CUDA runtime still works.
  void finish() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (phase_ == Phase::running) {
      // All of this fails if the device is lost, which is how the loss is detected.
      int device = device_;
      quietly([&] { return ::cudaGetDevice(&device); });
      quietly([this] { return ::cudaSetDevice(device_); });
      if (synchronize()) collect();
      quietly([device] { return ::cudaSetDevice(device); });
    }
    phase_ = Phase::finished;
    recorder().finish();
  }

 private:
  enum class Phase { unused, running, unavailable, lost, finished };

  void start() {
    // Registered after the runtime has started, so that it runs before the runtime shuts down.
    static const bool registered =
        quietly([] { return ::cudaFree(nullptr); }) == cudaSuccess && std::atexit([] { instance().finish(); }) == 0;
    phase_ = Phase::unavailable;
    tables_ = std::make_unique<DeviceTables>();
    epoch_ = 0;
    announced_ = false;
    units_set_ = symbols_mapped_ = 0;
    if (!registered || quietly([this] { return ::cudaGetDevice(&device_); }) != cudaSuccess ||
        !tables_->make(device_, mode_ == ShadowMode::cached, recorder())) {
      warn("failed to set up the device's memory for checking: nothing is checked");
      return;
    }
    shared_words_.open(device_);
    seen_occurrences_ = 0;
    if (mode_ == ShadowMode::cached) recorder().header().limits |= shadow_cached;
    recorder().header().workers = tables_->host().multiprocessors;
    phase_ = Phase::running;
  }

  // Memory for shadow ran short. Returns whether the run may continue, and now does, with less.
  bool shrink() {
    if (mode_ != ShadowMode::automatic || !synchronize() || !tables_->pages().shrink()) return false;
    recorder().header().limits |= shadow_cached;
    warn("out of device memory for full shadow: races may be missed from now on (HIRACE_SHADOW)");
    return true;
  }

  // On a GPU, kernels of different streams could overlap. Here they do not, so races between them
  // are missed; the report says so.
  void note_stream(cudaStream_t stream, std::uint32_t kernel) {
    if (stream == nullptr) return;
    if (stream_ != nullptr && stream_ != stream) {
      recorder().header().limits |= streams_in_order;
      recorder().kernel(kernel).limits |= streams_in_order;
    }
    stream_ = stream;
  }

  // Even querying a legacy stream is an error while another stream that synchronises with it is capturing.
  static bool is_capturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t error = quietly([&] { return ::cudaStreamIsCapturing(stream, &status); });
    return error == cudaErrorStreamCaptureImplicit || (error == cudaSuccess && status != cudaStreamCaptureStatusNone);
  }

  bool synchronize() {
    const cudaError_t error = quietly([] { return ::cudaDeviceSynchronize(); });
    if (fault_of(error) != Fault::none) lose_device(error);
    return error == cudaSuccess;
  }

  // Gives shadow to all new variables, and updates every translation unit.
  void register_program() {
    const ProgramParts& parts = program_parts();
    for (; symbols_mapped_ < parts.symbols.size(); ++symbols_mapped_) {
      const VisitSymbol visit = parts.symbols[symbols_mapped_];
      visit(SymbolMonitor([](const void* memory, std::size_t bytes) {
        if (instance().map(memory, bytes) == 0) return;
        instance().warn("out of device memory for the shadow of a variable: it is not checked");
      }));
    }
    const WindowView window = tables_->pages().window();
    if (window != window_set_) units_set_ = 0;
    if (units_set_ == parts.units.size()) return;
    window_set_ = window;
    for (; units_set_ < parts.units.size(); ++units_set_) {
      const SetDeviceState set = parts.units[units_set_];
      if (quietly([&] { return set(tables_->state(), window); }) != cudaSuccess) {
        warn("failed to initialise the device code of a source file: its accesses are not checked");
      }
    }
    // The copies above may still be in progress.
    synchronize();
  }

  // Gives shadow to memory whose allocation we have not seen: where the last launch accessed memory
  // without shadow, and where the arguments of the next one lead.
  void map_foreign(const KernelCall* call) {
    const auto visit = [this](std::uintptr_t value) {
      const std::optional<MemoryRange> range = foreign_.without_shadow(value, tables_->pages());
      if (!range || map(reinterpret_cast<const void*>(range->begin), range->bytes) == 0) return;
      warn("out of device memory for the shadow of a library's memory: it is not checked");
    };
    for (const Counter address : tables_->host().launch.outside_addresses) visit(address);
    if (call != nullptr) visit_words(*call, visit);
  }

  bool announce(const LaunchInfo& info, std::uint32_t kernel, bool wanted, const KernelCall* call) {
    register_program();
    // The epochs wrap, so all words must be cleared.
    if (epoch_ >= tables_->pages().max_epoch()) {
      if (!tables_->clear()) return false;
      epoch_ = 0;
    }
    LaunchState& launch = tables_->host().launch;
    launch = LaunchState{};
    launch.grid = wanted ? grid_awaited : grid_ignored;
    launch.epoch = ++epoch_;
    launch.kernel = kernel;
    launch.spaces = info.spaces;
    launch.first_block = info.first_block;
    launch.last_block = info.last_block;
    if (call != nullptr && !shared_words_.has_arrays(*call)) launch.spaces &= ~std::uint32_t{monitor_shared};
    SharedRoom room{};
    if (wanted && call != nullptr && (launch.spaces & monitor_shared) != 0) room = shared_words_.room_for(*call);
    launch.shared_data = static_cast<std::uint32_t>(room.data);
    launch.dynamic_shared = static_cast<std::uint32_t>(room.dynamic);
    if (wanted) describe_arguments(call, launch);
    launch_site_ = info.site;
    collected_ = LaunchState{};
    announced_ = tables_->announce();
    if (announced_) room_ = room;
    return announced_;
  }

  // Takes over the device's counts and records since the launch began or since the previous call.
  // No kernel is running.
  void collect() {
    DeviceState& state = tables_->host();
    if (!announced_ || !tables_->fetch()) return;
    add_counters(state.launch, collected_, recorder());
    collected_ = state.launch;
    recorder().header().dropped = state.dropped;
    recorder().header().records = state.record_count;
    epoch_ = std::max(epoch_, state.launch.epoch);
    if (state.occurrences != seen_occurrences_ && tables_->fetch_records(recorder())) {
      seen_occurrences_ = state.occurrences;
    }
  }

  // A kernel has made the device unusable. The records' first states remain.
  void lose_device(cudaError_t error) {
    if (phase_ != Phase::running) return;
    phase_ = Phase::lost;
    // The launch's other counts are lost.
    recorder().header().accesses += recorder().take_first_states(tables_->mirror());
    Record fault{};
    fault.type = RecordType::fault;
    fault.kernel = tables_->host().launch.kernel;
    fault.site_current = launch_site_;
    fault.fault = fault_of(error);
    fault.ended = 1;
    recorder().add(fault);
    recorder().show();
  }

  // Prints each limitation of the run once.
  void warn(const char* what) {
    for (const char* printed : warnings_) {
      if (printed == what) return;
    }
    warnings_.push_back(what);
    std::fprintf(stderr, "hirace: %s\n", what);
  }

  std::recursive_mutex mutex_;
  Phase phase_ = Phase::unused;
  const ShadowMode mode_ = shadow_mode();
  int device_ = -1;
  std::unique_ptr<DeviceTables> tables_;
  ForeignMemory foreign_;
  SharedWords shared_words_;
  SharedRoom room_{};  // of the launch that is beginning
  std::size_t units_set_ = 0, symbols_mapped_ = 0;
  WindowView window_set_{};  // as last passed to the units
  std::uint32_t epoch_ = 0;
  Counter seen_occurrences_ = 0;
  const LaunchInfo* expected_ = nullptr;
  bool announced_ = false;  // whether the last launch was announced
  LaunchState collected_{};  // of the last launch
  cudaStream_t stream_ = nullptr;  // of the last launch that named one
  SiteId launch_site_ = unknown_site;
  std::vector<const char*> warnings_;
};

}  // namespace hirace::gpu
