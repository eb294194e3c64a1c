#include "model/safetensors.h"

#include "nn/torch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"
#include "model/safetensors_header.h"

namespace heed {

namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLongestHeader = 100'000'000;

[[noreturn]] void refuse_file(const fs::path& path, const std::string& what) {
  throw_error(ErrorKind::kModel, "{}: not a complete safetensors file: {}; copy or train it again",
              path.string(), what);
}

std::string_view bytes_of(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.const_data_ptr()), static_cast<size_t>(tensor.nbytes())};
}

std::string length_bytes(uint64_t length) {
  return {reinterpret_cast<const char*>(&length), kLengthBytes};
}

// Piece by piece, because the file gathers what it is given.
void write_bytes(AtomicFile& file, std::string_view bytes) {
  constexpr size_t kPiece = 1 << 18;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
    file.write(bytes.substr(0, kPiece));
  }
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

// A byte of a bool that is neither 0 nor 1 would be undefined behaviour later.
void check_bools(const Tensor& tensor) {
  if (tensor.scalar_type() != torch::kBool) return;
  for (const char byte : bytes_of(tensor)) {
    if (byte != 0 && byte != 1) throw std::runtime_error("a truth value is neither 0 nor 1");
  }
}

}  // namespace

void write_safetensors(const fs::path& path, const NamedTensors& tensors) {
  TensorEntries entries;
  for (const auto& [name, tensor] : tensors) {
    HEED_CHECK(type_word(tensor.scalar_type()), "{}: a type that the format lacks", name);
    HEED_CHECK(!name.empty() && name != "__metadata__", "'{}' cannot name a tensor", name);
    entries[name] = {.type = tensor.scalar_type(), .shape = tensor.sizes().vec()};
  }
  const std::vector<std::string> order = file_order(entries);
  uint64_t offset = 0;
  for (const std::string& name : order) {
    entries[name].begin = offset;
    entries[name].end = offset += tensors.at(name).nbytes();
  }
  const std::string header = make_header(entries);
  AtomicFile file(path);
  file.write(length_bytes(header.size()));
  file.write(header);
  for (const std::string& name : order) {
    const Tensor tensor = tensors.at(name).detach().cpu().contiguous();
    write_bytes(file, bytes_of(tensor));
  }
  file.commit();
}

SafetensorsReader::SafetensorsReader(const fs::path& path)
    : path_(path), file_(open_model_file(path)) {
  const uint64_t size = file_.size();
  try {
    if (size < kLengthBytes) throw std::runtime_error("it ends inside the header's length");
    uint64_t length = 0;
    std::memcpy(&length, bytes_at(file_, 0, kLengthBytes).data(), kLengthBytes);
    if (length > kLongestHeader) throw std::runtime_error("its header is longer than 100 MB");
    if (length > size - kLengthBytes) throw std::runtime_error("it ends inside the header");
    data_ = kLengthBytes + length;
    entries_ = parse_header(bytes_at(file_, kLengthBytes, length), size - data_);
  } catch (const std::runtime_error& problem) {
    refuse_file(path, problem.what());
  }
}

Tensor SafetensorsReader::read(const std::string& name) {
  const TensorEntry& entry = entries_.at(name);
  Tensor tensor = torch::empty(entry.shape, torch::TensorOptions().dtype(entry.type));
  read_into(name, tensor);
  return tensor;
}

void SafetensorsReader::read_into(const std::string& name, Tensor tensor) {
  const TensorEntry& entry = entries_.at(name);
  HEED_CHECK(tensor.scalar_type() == entry.type && tensor.sizes() == entry.shape, "{}", name);
  const torch::NoGradGuard no_grad;
  Tensor bytes = tensor;
  if (!tensor.device().is_cpu() || !tensor.is_contiguous())
    bytes = torch::empty(tensor.sizes(), torch::TensorOptions().dtype(entry.type));
  if (!fill(file_, data_ + entry.begin, static_cast<char*>(bytes.mutable_data_ptr()),
            entry.end - entry.begin)) {
    refuse_file(path_, "it ends before its data");
  }
  try {
    check_bools(bytes);
  } catch (const std::runtime_error& problem) {
    refuse_file(path_, problem.what());
  }
  if (!bytes.is_same(tensor)) tensor.copy_(bytes);
}

NamedTensors read_safetensors(const fs::path& path) {
  SafetensorsReader reader(path);
  NamedTensors tensors;
  for (const auto& [name, entry] : reader.entries()) tensors[name] = reader.read(name);
  return tensors;
}

}  // namespace heed
