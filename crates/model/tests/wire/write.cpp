// Writes one of each structure with the generated header; tests/wire.rs expects these values.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <hirace/generated/wire.h>

using namespace hirace;

struct Sink {
  template <class T>
  void number(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const char* text) {
    number(static_cast<std::uint32_t>(std::strlen(text)));
    bytes.append(text);
  }
  std::string bytes;
};

struct Row {
  const char* text;
  const char* variable;
  const char* function;
  std::uint32_t line, column, length;
  SiteKind kind;
};

struct Head {
  std::uint32_t base;
  std::uint64_t key;
  const char* path;
  std::uint32_t count;
  const char* notes;
};

static bool write(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && written;
}

static std::string records() {
  const RecordFileLayout layout{2, 3};
  // Words, so that every struct is aligned.
  std::vector<std::uint64_t> words(layout.tables() / 8);
  char* bytes = reinterpret_cast<char*>(words.data());
  auto& header = *reinterpret_cast<RecordHeader*>(bytes);
  std::memcpy(header.magic, record_magic, sizeof record_magic);
  header.kernel_capacity = 2;
  header.record_capacity = 3;
  header.kernels = 1;
  header.records = 1;
  header.dropped = 5;
  header.launches = 6;
  header.accesses = 7;
  header.unmonitored_launches = 8;
  header.outside = 9;
  header.limits = grid_too_large | shadow_cached;
  header.finished = 1;
  header.seed = 10;
  header.workers = 11;
  header.backend = Backend::gpu;
  header.processes = 12;
  header.process = -13;
  header.halted = 14;
  header.launch_nanoseconds = 15;
  header.peak_bytes = 16;

  auto& kernel = *reinterpret_cast<KernelEntry*>(bytes + layout.kernels());
  std::strcpy(kernel.name, "block_sum");
  kernel.launches = 17;
  kernel.accesses = 18;
  kernel.not_modelled = partial_warp_barrier;
  kernel.limits = launch_refused;
  kernel.unmonitored_launches = 19;
  kernel.block_clock_bits = 20;
  kernel.warp_clock_bits = 21;
  kernel.block_bits = 22;
  kernel.thread_bits = 23;
  kernel.unsampled_launches = 63;
  kernel.blocks = 64;
  kernel.checked_blocks = 65;

  auto& record = reinterpret_cast<Record*>(bytes + layout.records())[1];
  record.ready = record_complete;
  record.type = RecordType::race;
  record.space = Space::global;
  record.relation = RaceScope::launch;
  record.prior_known = PriorKnown::site_and_thread;
  record.kernel = 24;
  record.site_prior = 25;
  record.site_current = 26;
  record.prior_access = AccessKind::device_atomic;
  record.current_access = AccessKind::volatile_write;
  record.prior_size = 27;
  record.current_size = 28;
  record.fault = Fault::misaligned;
  record.cause = RaceCause::narrow_scope;
  record.not_modelled = memory_fence;
  record.prior_block = {29, 30, 31};
  record.prior_thread = {32, 33, 34};
  record.current_block = {35, 36, 37};
  record.current_thread = {38, 39, 40};
  record.count = 41;
  record.address = 42;
  record.block_dim = {43, 44, 45};
  record.ended = 46;
  record.warp_size = 47;
  record.transition = 48;
  record.race = {-49, 50, 51, graph_stream};
  record.grid_dim = {52, 53, 54};
  record.flag_written = 60;
  record.flag_read = 61;
  record.facts = cooperative;
  record.code_current = 62;
  record.variable = 78;

  auto& spread = reinterpret_cast<Spread*>(bytes + layout.spreads())[1];
  spread.min_place = 55;
  spread.max_place = 56;
  spread.max_block = 57;
  spread.places[63] = 58;
  spread.blocks[31] = 59;

  auto& where = reinterpret_cast<Whereabouts*>(bytes + layout.whereabouts())[1];
  where = {68, 69, 70, 71, {79, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 80}, 66, 67, 72, 73, 98, 74, {75, 0, 0, 0, 76}, 77, {82, 83, 84}, {85, 86, 87}, 81, 88, 89, 90, {}};
  where.elsewhere[3] = {91, 92, 99, 93, 94, 95, 96, {0, 97}};

  auto& process = *reinterpret_cast<ProcessEntry*>(bytes + layout.processes());
  std::strcpy(process.executable, "/b/app");
  std::strcpy(process.command, "b/app 256");
  std::strcpy(process.test, "scan");
  return std::string(bytes, layout.tables());
}

static std::string table() {
  Sink body;
  write_table_head(body, Head{7, 8, "dir/a.cu", 2, "{\"kernels\":[\"k\"]}"});
  write_site_row(body, Row{"a[i] += 1", "a", "k", 9, 10, 11, SiteKind::update});
  write_site_row(body, Row{"k<<<1, 1>>>(a)", "k", "main", 12, 13, 14, SiteKind::launch});
  Sink all;
  all.bytes.append(table_magic, sizeof table_magic);
  all.number(static_cast<std::uint32_t>(body.bytes.size()));
  return all.bytes + body.bytes;
}

int main(int, char** arguments) {
  const std::string folder = arguments[1];
  return write(folder + "/records.bin", records()) && write(folder + "/table.bin", table()) ? 0 : 1;
}
