#include "exchange/ctranslate2_settings.h"

#include <cmath>
#include <set>

#include "base/error.h"
#include "base/folder.h"
#include "base/log.h"
#include "exchange/json_settings.h"

namespace heed {

namespace {

constexpr const char* kCTranslate2Config = "config.json";
// The number that heed adds to a variance, and the largest one that makes a small difference.
constexpr double kOwnEpsilon = 1e-5, kLargestEpsilon = 1e-4;

void read_epsilon(JsonSettings& config) {
  const double epsilon = config.real("layer_norm_epsilon", kOwnEpsilon);
  if (static_cast<float>(epsilon) == static_cast<float>(kOwnEpsilon)) return;
  if (!(epsilon >= 0) || epsilon > kLargestEpsilon)
    config.add_problem(fmt::format("layer_norm_epsilon is {}, expected {} or a little more or less",
                                   epsilon, kOwnEpsilon));
  else
    spdlog::warn(
        "{}: layer_norm_epsilon is {}, but layer normalization of heed adds {} to the variance: "
        "log-probabilities differ a little",
        kCTranslate2Config, epsilon, kOwnEpsilon);
}

// Settings of other models, and such as nobody knows.
void refuse_others(const Json& json, JsonSettings& config) {
  const std::set<std::string> known = {
      "unk_token",      "bos_token",      "eos_token",          "decoder_start_token",
      "add_source_bos", "add_source_eos", "layer_norm_epsilon", "multi_query_attention"};
  for (const auto& [key, value] : json.items()) {
    if (key.starts_with("quantization_") && !value.is_null() && value != 0)
      config.add_problem(fmt::format("{} is {}: AWQ weights are not possible", key, value.dump()));
    else if (!known.contains(key) && !value.is_null())
      spdlog::warn("{}: {} is {}; heed has no such setting and leaves it out", kCTranslate2Config,
                   key, value.dump());
  }
}

CTranslate2Settings read_config(const std::filesystem::path& folder) {
  if (!is_plain_file(folder / kCTranslate2Config))
    throw_error(ErrorKind::kModel, "{}: has no {}, which a model of CTranslate2 3 or later has",
                folder.string(), kCTranslate2Config);
  JsonSettings config(folder, {kCTranslate2Config});
  const Json json = read_json(folder / kCTranslate2Config);
  CTranslate2Settings settings;
  settings.unknown = config.word("unk_token");
  settings.end = config.word("eos_token");
  const auto begin = json.find("decoder_start_token");
  if (begin != json.end() && begin->is_null())
    settings.begin = std::nullopt;
  else
    settings.begin = config.word("decoder_start_token");
  settings.source_end = config.truth("add_source_eos", false);
  if (config.truth("add_source_bos", false))
    config.add_problem("add_source_bos is true: heed has no token at the beginning of a source");
  read_epsilon(config);
  refuse_others(json, config);
  config.throw_if_any();
  return settings;
}

CTranslate2Settings read_variables(CTranslate2Weights& weights) {
  const auto flag = [&weights](const char* name, bool otherwise) {
    return weights.number(name).value_or(otherwise ? 1 : 0) != 0;
  };
  CTranslate2Settings settings;
  settings.unknown = weights.text("unk_token", "<unk>");
  settings.end = weights.text("eos_token", "</s>");
  const std::string begin = weights.text("bos_token", "<s>");
  settings.source_end = flag("with_source_eos", false);
  if (flag("with_source_bos", false))
    throw_error(ErrorKind::kModel,
                "{}: with_source_bos is set: heed has no token at the beginning of a source",
                weights.path().string());
  const bool begins_with_bos = flag("with_target_bos", true);
  if (flag("user_decoder_start_tokens", false))
    settings.begin = std::nullopt;
  else
    settings.begin = begins_with_bos ? begin : settings.end;
  return settings;
}

}  // namespace

CTranslate2Settings read_ctranslate2_settings(const std::filesystem::path& folder,
                                              CTranslate2Weights& weights) {
  CTranslate2Settings settings =
      weights.version() >= 6 ? read_config(folder) : read_variables(weights);
  settings.begins_with_zero = weights.number("decoder/start_from_zero_embedding").value_or(0) != 0;
  return settings;
}

}  // namespace heed
