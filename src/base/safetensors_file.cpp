#include "base/safetensors_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr uint64_t kLongestHeader = 100'000'000;

[[noreturn]] void refuse_file(const fs::path& path, const std::string& what) {
  throw_error(ErrorKind::kModel, "{}: not a complete safetensors file: {}; copy or train it again",
              path.string(), what);
}

// False if the file ends before.
bool fill(const Descriptor& file, uint64_t offset, char* bytes, uint64_t count) {
  while (count > 0) {
    const size_t read = file.read_at(offset, bytes, count);
    if (read == 0) return false;
    offset += read;
    bytes += read;
    count -= read;
  }
  return true;
}

std::string bytes_at(const Descriptor& file, uint64_t offset, uint64_t count) {
  std::string bytes(count, '\0');
  if (!fill(file, offset, bytes.data(), count)) throw std::runtime_error("it cannot be read");
  return bytes;
}

Descriptor open_model_file(const fs::path& path) try {
  return Descriptor::open_regular(path);
} catch (const IoError& error) {
  if (!error.is_about_the_file()) throw;
  throw Error(ErrorKind::kModel, error.what());
}

}  // namespace

SafetensorsFile::SafetensorsFile(const fs::path& path) : path_(path), file_(open_model_file(path)) {
  const uint64_t size = file_.size();
  try {
    if (size < kHeaderLengthBytes) throw std::runtime_error("it ends inside the header's length");
    uint64_t length = 0;
    std::memcpy(&length, bytes_at(file_, 0, kHeaderLengthBytes).data(), kHeaderLengthBytes);
    if (length > kLongestHeader) throw std::runtime_error("its header is longer than 100 MB");
    if (length > size - kHeaderLengthBytes) throw std::runtime_error("it ends inside the header");
    data_ = kHeaderLengthBytes + length;
    entries_ = parse_header(bytes_at(file_, kHeaderLengthBytes, length), size - data_);
  } catch (const std::runtime_error& problem) {
    refuse_file(path, problem.what());
  }
}

void SafetensorsFile::read(const std::string& name, void* to) const {
  const TensorEntry& entry = entries_.at(name);
  char* bytes = static_cast<char*>(to);
  if (!fill(file_, data_ + entry.begin, bytes, entry.end - entry.begin))
    refuse_file(path_, "it ends before its data");
  if (entry.type != ElementType::kBool) return;
  // Any other byte would be undefined behaviour later.
  if (!std::all_of(bytes, bytes + (entry.end - entry.begin),
                   [](char b) { return b == 0 || b == 1; }))
    refuse_file(path_, "a truth value is neither 0 nor 1");
}

}  // namespace heed
