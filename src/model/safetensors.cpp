#include "model/safetensors.h"

#include "nn/torch.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

constexpr std::array<std::pair<ElementType, torch::ScalarType>, 9> kTypes = {
    {{ElementType::kInt64, torch::kLong},
     {ElementType::kFloat64, torch::kDouble},
     {ElementType::kFloat32, torch::kFloat},
     {ElementType::kInt32, torch::kInt},
     {ElementType::kBFloat16, torch::kBFloat16},
     {ElementType::kFloat16, torch::kHalf},
     {ElementType::kInt8, torch::kChar},
     {ElementType::kUInt8, torch::kByte},
     {ElementType::kBool, torch::kBool}}};

ElementType element_type(torch::ScalarType type, const std::string& name) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(),
                                   [type](const auto& row) { return row.second == type; });
  HEED_CHECK(found != kTypes.end(), "{}: a type that the format lacks", name);
  return found->first;
}

std::string_view bytes_of(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.const_data_ptr()), static_cast<size_t>(tensor.nbytes())};
}

std::string length_bytes(uint64_t length) {
  return {reinterpret_cast<const char*>(&length), kHeaderLengthBytes};
}

// Piece by piece, because the file gathers what it is given.
void write_bytes(AtomicFile& file, std::string_view bytes) {
  constexpr size_t kPiece = 1 << 18;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
    file.write(bytes.substr(0, kPiece));
  }
}

}  // namespace

std::string shape_text(c10::IntArrayRef shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

torch::ScalarType scalar_type(ElementType type) {
  return std::find_if(kTypes.begin(), kTypes.end(),
                      [type](const auto& row) { return row.first == type; })
      ->second;
}

void write_safetensors(const fs::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  TensorEntries entries;
  for (const auto& [name, tensor] : tensors) {
    HEED_CHECK(!name.empty() && name != "__metadata__", "'{}' cannot name a tensor", name);
    entries[name] = {.type = element_type(tensor.scalar_type(), name),
                     .shape = tensor.sizes().vec()};
  }
  const std::vector<std::string> order = file_order(entries);
  uint64_t offset = 0;
  for (const std::string& name : order) {
    entries[name].begin = offset;
    entries[name].end = offset += tensors.at(name).nbytes();
  }
  const std::string header = make_header(entries, metadata);
  AtomicFile file(path);
  file.write(length_bytes(header.size()));
  file.write(header);
  for (const std::string& name : order) {
    const Tensor tensor = tensors.at(name).detach().cpu().contiguous();
    write_bytes(file, bytes_of(tensor));
  }
  file.commit();
}

Tensor SafetensorsReader::read(const std::string& name) {
  const TensorEntry& entry = entries().at(name);
  Tensor tensor = torch::empty(entry.shape, torch::TensorOptions().dtype(scalar_type(entry.type)));
  read_into(name, tensor);
  return tensor;
}

void SafetensorsReader::read_into(const std::string& name, Tensor tensor) {
  const TensorEntry& entry = entries().at(name);
  HEED_CHECK(tensor.scalar_type() == scalar_type(entry.type) && tensor.sizes() == entry.shape, "{}",
             name);
  const torch::NoGradGuard no_grad;
  Tensor bytes = tensor;
  if (!tensor.device().is_cpu() || !tensor.is_contiguous())
    bytes = torch::empty(tensor.sizes(), torch::TensorOptions().dtype(tensor.scalar_type()));
  file_.read(name, bytes.mutable_data_ptr());
  if (!bytes.is_same(tensor)) tensor.copy_(bytes);
}

NamedTensors read_safetensors(const fs::path& path) {
  SafetensorsReader reader(path);
  NamedTensors tensors;
  for (const auto& [name, entry] : reader.entries()) tensors[name] = reader.read(name);
  return tensors;
}

}  // namespace heed
