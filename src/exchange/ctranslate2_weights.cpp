#include "exchange/ctranslate2_weights.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/safetensors.h"

namespace heed {

namespace {

constexpr uint32_t kNewestRevision = 7;
// The scale of int16 weights that have none (ops::Quantize::global_int16_scale of CTranslate2).
constexpr float kInt16Scale = 1000;
constexpr const char* kScale = "_scale";

// Heads of the architectures that do not store their number.
std::optional<double> implied_heads(const CTranslate2Reader& reader) {
  if (reader.revision() >= 3) return std::nullopt;
  if (reader.spec() == "TransformerBig") return 16;
  if (reader.spec() == "TransformerSpec") return std::nullopt;
  return 8;
}

void check_spec(const CTranslate2Reader& reader) {
  const std::set<std::string> known = {"", "TransformerBase", "TransformerBig", "TransformerSpec"};
  if (!known.contains(reader.spec()))
    throw_error(
        ErrorKind::kModel,
        "{}: is a model of type {}, expected TransformerSpec: an encoder and a decoder that "
        "translates",
        reader.path().string(), reader.spec());
  if (reader.revision() < 1 || reader.revision() > kNewestRevision)
    throw_error(ErrorKind::kModel, "{}: is of revision {} of {}, expected 1 to {}",
                reader.path().string(), reader.revision(), reader.spec(), kNewestRevision);
}

void replace_first(std::string& name, std::string_view from, std::string_view to) {
  const size_t at = name.find(from);
  if (at != std::string::npos) name.replace(at, from.size(), to);
}

// Variables of revision 1 have the names of OpenNMT-tf (map_v1_variable_name() of CTranslate2).
std::string name_of_revision_1(std::string name) {
  const bool in_encoder = name.find("encoder") != std::string::npos;
  for (const auto& [from, to] : {std::pair{"transformer/", ""},
                                 {":0", ""},
                                 {"w_embs", "embeddings/weight"},
                                 {"kernel", "weight"},
                                 {"LayerNorm", "layer_norm"},
                                 {"dense", "projection"},
                                 {"conv1d_", "linear_"},
                                 {"conv1d", "linear_0"}})
    replace_first(name, from, to);
  if (in_encoder) {
    replace_first(name, "multi_head", "self_attention");
  } else {
    replace_first(name, "masked_multi_head", "self_attention");
    replace_first(name, "multi_head", "attention");
  }
  return name;
}

}  // namespace

CTranslate2Weights::CTranslate2Weights(const std::filesystem::path& path) : reader_(path) {
  check_spec(reader_);
  const bool is_first = reader_.revision() == 1;
  const auto add = [this](const std::string& name, const std::string& stored) {
    if (!names_.emplace(name, stored).second)
      throw_error(ErrorKind::kModel, "{}: two variables stand for {}", this->path().string(), name);
  };
  for (const auto& [name, unused] : reader_.variables())
    add(is_first ? name_of_revision_1(name) : name, name);
  for (const auto& [alias, name] : reader_.aliases()) {
    add(alias, name);
    if (reader_.variables().contains(name + kScale)) names_.emplace(alias + kScale, name + kScale);
  }
  const auto heads = implied_heads(reader_);
  for (const char* scope : {"encoder/", "decoder/"}) {
    if (reader_.revision() < 5) {
      for (const char* flag : {"num_heads", "pre_norm", "activation", "embeddings_merge",
                               "alignment_layer", "alignment_heads"}) {
        if (has(flag)) names_.emplace(fmt::format("{}{}", scope, flag), flag);
      }
    }
    if (heads && !has("num_heads")) implied_[fmt::format("{}num_heads", scope)] = *heads;
  }
}

bool CTranslate2Weights::has_below(const std::string& beginning) const {
  const auto found = names_.lower_bound(beginning);
  return found != names_.end() && found->first.starts_with(beginning);
}

std::vector<std::string> CTranslate2Weights::names() const {
  std::vector<std::string> names;
  for (const auto& [name, stored] : names_) names.push_back(name);
  return names;
}

const std::string& CTranslate2Weights::stored_name(const std::string& name) const {
  const auto found = names_.find(name);
  if (found == names_.end())
    throw_error(ErrorKind::kModel, "{}: {} is missing", path().string(), name);
  return found->second;
}

std::vector<int64_t> CTranslate2Weights::shape(const std::string& name) const {
  return reader_.variables().at(stored_name(name)).shape;
}

torch::ScalarType CTranslate2Weights::type(const std::string& name) const {
  return reader_.variables().at(stored_name(name)).type;
}

std::vector<int64_t> CTranslate2Weights::matrix(const std::string& name) const {
  std::vector<int64_t> sizes = shape(name);
  if (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1)
    throw_error(ErrorKind::kModel, "{}: {} is {}, expected a matrix", path().string(), name,
                shape_text(sizes));
  return sizes;
}

Tensor CTranslate2Weights::read(const std::string& name) {
  taken_.insert(stored_name(name));
  return reader_.read(stored_name(name));
}

Tensor CTranslate2Weights::dequantized(const std::string& name, const Tensor& numbers) {
  const bool is_int8 = numbers.scalar_type() == torch::kChar;
  const std::string scale_name = name + kScale;
  if (!has(scale_name) && is_int8)
    throw_error(ErrorKind::kModel, "{}: {} is int8, but has no {}", path().string(), name,
                scale_name);
  const Tensor scale =
      has(scale_name) ? read(scale_name).to(torch::kFloat) : torch::tensor(kInt16Scale);
  const int64_t expected = is_int8 ? numbers.numel() / std::max<int64_t>(1, numbers.size(-1)) : 1;
  if (scale.numel() != expected)
    throw_error(ErrorKind::kModel, "{}: {} has {} numbers, expected {}", path().string(),
                scale_name, scale.numel(), expected);
  // Multiplied by the reciprocal, as there: a quotient is rounded in another way.
  const Tensor factor = scale.reciprocal();
  return numbers.to(torch::kFloat) * (is_int8 ? factor.reshape({-1, 1}) : factor.reshape({}));
}

Tensor CTranslate2Weights::take(const std::string& name, const std::vector<int64_t>& expected) {
  const std::vector<int64_t> own = shape(name);
  if (own != expected)
    throw_error(ErrorKind::kModel, "{}: {} is {}, expected {}", path().string(), name,
                shape_text(own), shape_text(expected));
  Tensor numbers = read(name);
  const bool is_quantized =
      numbers.scalar_type() == torch::kChar || numbers.scalar_type() == torch::kShort;
  const bool is_weight = name.ends_with("weight") && numbers.dim() == 2;
  if (numbers.scalar_type() == torch::kInt || (is_quantized && !is_weight))
    throw_error(ErrorKind::kModel,
                "{}: {} has whole numbers, expected float32, float16 or bfloat16", path().string(),
                name);
  if (is_quantized) numbers = dequantized(name, numbers);
  numbers = numbers.to(torch::kFloat);
  if (!numbers.isfinite().all().item<bool>())
    throw_error(ErrorKind::kModel, "{}: {} has numbers that are not finite; copy it again",
                path().string(), name);
  return numbers;
}

std::optional<double> CTranslate2Weights::number(const std::string& name) {
  const auto implied = implied_.find(name);
  if (implied != implied_.end()) return implied->second;
  if (!has(name)) return std::nullopt;
  const Tensor value = read(name);
  if (value.numel() != 1)
    throw_error(ErrorKind::kModel, "{}: {} has the shape {}, expected one number", path().string(),
                name, shape_text(value.sizes()));
  return value.to(torch::kDouble).item<double>();
}

int64_t CTranslate2Weights::whole(const std::string& name, int64_t otherwise) {
  const double value = number(name).value_or(static_cast<double>(otherwise));
  constexpr double kMost = 1e6;
  if (value < 1 || value > kMost || value != std::floor(value))
    throw_error(ErrorKind::kModel, "{}: {} is {}, expected a whole number from 1 on",
                path().string(), name, value);
  return static_cast<int64_t>(value);
}

std::string CTranslate2Weights::text(const std::string& name, const std::string& otherwise) {
  if (!has(name)) return otherwise;
  const Tensor value = read(name).contiguous();
  if (value.scalar_type() != torch::kChar)
    throw_error(ErrorKind::kModel, "{}: {} is not a text", path().string(), name);
  const auto* bytes = static_cast<const char*>(value.const_data_ptr());
  return {bytes, static_cast<size_t>(value.numel())};
}

std::vector<std::string> CTranslate2Weights::rest() const {
  std::vector<std::string> names;
  for (const auto& [name, stored] : names_) {
    if (!taken_.contains(stored)) names.push_back(name);
  }
  return names;
}

}  // namespace heed
