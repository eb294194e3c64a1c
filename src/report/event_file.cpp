#include "report/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <concepts>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/host.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// Numbers of the fields, and encodings of values (wire types).
enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
enum EventField : uint32_t { kWallTime = 1, kStep = 2, kVersion = 3, kSummary = 5, kSession = 7 };
enum SummaryField : uint32_t { kValue = 1 };
enum ValueField : uint32_t { kTag = 1, kSimpleValue = 2 };
enum SessionField : uint32_t { kStatus = 1 };
constexpr uint64_t kStart = 1;  // SessionLog.SessionStatus

constexpr const char* kNamePrefix = "events.out.tfevents.";

template <std::unsigned_integral Number>
std::string little_endian(Number number) {
  std::string bytes;
  for (size_t i = 0; i < sizeof number; ++i)
    bytes += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
  return bytes;
}

std::string varint(uint64_t number) {
  constexpr uint64_t kMore = 0x80;
  std::string bytes;
  for (; number >= kMore; number >>= 7) bytes += static_cast<char>(number | kMore);
  return bytes + static_cast<char>(number);
}

std::string key(uint32_t field, Wire wire) { return varint(field << 3 | wire); }

std::string bytes_field(uint32_t field, std::string_view bytes) {
  return key(field, kBytes) + varint(bytes.size()) + std::string(bytes);
}

std::string varint_field(uint32_t field, uint64_t number) {
  return key(field, kVarint) + varint(number);
}

std::string double_field(uint32_t field, double number) {
  return key(field, kFixed64) + little_endian(std::bit_cast<uint64_t>(number));
}

std::string float_field(uint32_t field, double number) {
  return key(field, kFixed32) + little_endian(std::bit_cast<uint32_t>(static_cast<float>(number)));
}

// A step of 0 is the default and is left out.
std::string event_head(double wall_time, int64_t step) {
  return double_field(kWallTime, wall_time) +
         (step == 0 ? "" : varint_field(kStep, static_cast<uint64_t>(step)));
}

// Masks a checksum as the format requires: the CRC of data that contain their CRC is a special
// case.
uint32_t masked(uint32_t checksum) { return (checksum >> 15 | checksum << 17) + 0xA282EAD8; }

double now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

// TIME has ten digits, so that sorting by name is sorting by time.
fs::path file_in(const fs::path& folder) {
  make_folders(folder);
  fs::path path;
  for (int number = 0; path.empty() || is_there(path); ++number) {
    path = folder / fmt::format("{}{:010}.{}.{}.{}", kNamePrefix, static_cast<int64_t>(now()),
                                host_name().value_or("host"), getpid(), number);
  }
  return path;
}

}  // namespace

std::string version_event(double wall_time) {
  return event_head(wall_time, 0) + bytes_field(kVersion, "brain.Event:2");
}

std::string start_event(double wall_time, int64_t step) {
  return event_head(wall_time, step) + bytes_field(kSession, varint_field(kStatus, kStart));
}

std::string scalars_event(double wall_time, int64_t step, const Scalars& scalars) {
  std::string values;
  for (const auto& [tag, value] : scalars)
    values += bytes_field(kValue, bytes_field(kTag, tag) + float_field(kSimpleValue, value));
  return event_head(wall_time, step) + bytes_field(kSummary, values);
}

std::string tf_record(std::string_view message) {
  const std::string length = little_endian(uint64_t{message.size()});
  return length + little_endian(masked(crc32c(length))) + std::string(message) +
         little_endian(masked(crc32c(message)));
}

EventFile::EventFile(const fs::path& folder, int64_t first_step)
    : file_(Descriptor::open_to_write(file_in(folder), O_CREAT | O_EXCL | O_APPEND)) {
  file_.write(tf_record(version_event(now())));
  if (first_step > 1) file_.write(tf_record(start_event(now(), first_step)));
}

void EventFile::write(int64_t step, const Scalars& scalars) const {
  file_.write(tf_record(scalars_event(now(), step, scalars)));
}

void remove_event_files(const fs::path& folder) {
  for (const fs::path& file : list_folder(folder)) {
    if (file.filename().string().starts_with(kNamePrefix)) remove_tree(file);
  }
  if (is_there(folder) && list_folder(folder).empty()) remove_tree(folder);
}

}  // namespace heed
