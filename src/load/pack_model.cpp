#include "load/pack_model.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/model_folder.h"
#include "base/sealed_json.h"
#include "base/small_file.h"
#include "inference/engine_shape.h"
#include "load/model_path.h"
#include "packed/stored_tensors.h"

namespace heed {

namespace {

// 16 bits of a half, as float32 (IEEE 754: sign, 5 bits of exponent, 10 of fraction).
float float_of(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                          : exponent == 31
                              ? (fraction == 0 ? INFINITY : NAN)
                              : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class From, class Convert>
std::string as_floats(const std::string& bytes, const Convert& convert) {
  std::string floats(bytes.size() / sizeof(From) * sizeof(float), '\0');
  for (size_t i = 0; i < bytes.size() / sizeof(From); ++i) {
    From from;
    std::memcpy(&from, bytes.data() + i * sizeof(From), sizeof(From));
    const float to = convert(from);
    std::memcpy(floats.data() + i * sizeof(float), &to, sizeof(float));
  }
  return floats;
}

// A parameter in float32; one of whole numbers or truth values as it is.
UnpackedTensor unpacked(const StoredTensors& tensors, const std::string& name) {
  const TensorEntry& entry = tensors.entries().at(name);
  UnpackedTensor tensor{.entry = {.type = ElementType::kFloat32, .shape = entry.shape},
                        .bytes = std::string(entry.end - entry.begin, '\0')};
  tensors.read(name, tensor.bytes.data());
  switch (entry.type) {
    case ElementType::kFloat64:
      tensor.bytes =
          as_floats<double>(tensor.bytes, [](double x) { return static_cast<float>(x); });
      break;
    case ElementType::kBFloat16:
      tensor.bytes = as_floats<uint16_t>(tensor.bytes, [](uint16_t x) {
        return std::bit_cast<float>(static_cast<uint32_t>(x) << 16);
      });
      break;
    case ElementType::kFloat16:
      tensor.bytes = as_floats<uint16_t>(tensor.bytes, float_of);
      break;
    default:
      tensor.entry.type = entry.type;
  }
  return tensor;
}

bool is_large_matrix(const UnpackedTensor& tensor) {
  constexpr int64_t kFewestInputs = 16;
  const std::vector<int64_t>& shape = tensor.entry.shape;
  return tensor.entry.type == ElementType::kFloat32 && shape.size() >= 2 &&
         shape.back() >= kFewestInputs;
}

// All dims but the last.
int64_t outputs_of(const UnpackedTensor& tensor) {
  const std::vector<int64_t>& shape = tensor.entry.shape;
  return std::accumulate(shape.begin(), shape.end() - 1, int64_t{1}, std::multiplies<>());
}

using Parameters = std::vector<std::pair<std::string, UnpackedTensor>>;

// Matrices of an engine come first, in the order in which it joins them.
Parameters parameters_of(const StoredTensors& tensors,
                         const std::optional<std::vector<NamedMatrix>>& matrices) {
  Parameters parameters;
  std::map<std::string, UnpackedTensor> others;
  for (const auto& [name, unused] : tensors.entries()) others[name] = unpacked(tensors, name);
  for (const auto& [name, outputs] : matrices.value_or(std::vector<NamedMatrix>())) {
    const auto found = others.find(name);
    if (found == others.end()) continue;  // one that is read twice
    found->second.outputs = outputs;
    parameters.emplace_back(name, std::move(found->second));
    others.erase(found);
  }
  for (auto& [name, tensor] : others) {
    if (!matrices && is_large_matrix(tensor)) tensor.outputs = outputs_of(tensor);
    parameters.emplace_back(name, std::move(tensor));
  }
  return parameters;
}

std::string manifest_of(const fs::path& folder, const PackOptions& options) {
  ContentHash hash;
  for (const auto& [name, text] : options.files) hash.add(name + "\n" + text);
  return seal_json(fmt::format(
      "\"format\":{},\n\"extra\":{{\"heed\":\"{}\",\"precision\":\"{}\",\"packed\":\"{}\","
      "\"files\":\"{}\"}}",
      manifest_format(folder), HEED_VERSION, precision_word(options.precision),
      hash_file(folder / kManifest), hash.digest()));
}

std::map<std::string, std::string> files_of(const fs::path& folder, const PackOptions& options) {
  std::map<std::string, std::string> files = options.files;
  for (const fs::path& file : list_files(folder)) {
    const std::string name = file.filename().string();
    if (name == kModelTensors || name == kManifest || name.starts_with('.')) continue;
    files.emplace(name, read_file(file));
  }
  files[kManifest] = manifest_of(folder, options);
  return files;
}

}  // namespace

PackedSize pack_model(const std::string& model, const fs::path& output,
                      const PackOptions& options) {
  refuse_other_than_model(model);
  if (is_packed_file(model))
    throw_error(ErrorKind::kUsage,
                "{}: is packed already; name the run or the model folder that it was made from",
                model);
  check_output_path(output);
  PackedSize size;
  read_model(model, [&](const fs::path& folder) {
    check_manifest(folder);
    const auto matrices = engine_matrices(folder);
    const StoredTensors tensors(folder / kModelTensors);
    write_packed_model(output, options.precision, parameters_of(tensors, matrices),
                       files_of(folder, options));
    size = {.model = 0, .packed = fs::file_size(output), .needs_libtorch = !matrices};
    for (const fs::path& file : list_files(folder)) size.model += fs::file_size(file);
  });
  return size;
}

}  // namespace heed
