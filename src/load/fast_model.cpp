#include "load/fast_model.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.h"
#include "base/fast_paths.h"
#include "base/file.h"
#include "base/model_folder.h"
#include "inference/engine_shape.h"
#include "load/model_path.h"
#include "model/model_spec.h"

namespace heed {

namespace {

// A GPU that libtorch might use.
bool may_have_gpu() {
  return std::ranges::any_of(std::vector<fs::path>{"/dev/nvidiactl", "/dev/dxg", "/dev/kfd"},
                             is_there);
}

std::optional<int64_t> positions_of(const StackShape& stack) {
  if (stack.positions != PositionKind::kLearned) return std::nullopt;
  return stack.max_positions;
}

// TextModel::tokens_read of a model.
std::function<int64_t(int64_t)> tokens_read_by(const ModelConfig& model) {
  const auto policy = reading_policy(model);
  if (!policy) return {};
  return [own = *policy](int64_t t) { return own.tokens_read(t); };
}

TextModel text_model_of(SavedEngine saved) {
  const SavedModelConfig& config = saved.text.config;
  const auto* transformer = std::get_if<TransformerShape>(&saved.shape);
  return {.sources = config.sources,
          .inputs = config.sources,
          .tags = {},
          .codecs = saved.text.codecs,
          .search = config.search,
          .max_length = config.max_length,
          .source_positions = transformer ? positions_of(transformer->encoder) : std::nullopt,
          .target_positions = transformer ? positions_of(transformer->decoder) : std::nullopt,
          .tokens_read = tokens_read_by(config.model),
          .target_words = target_words_in(config.target_words),
          .source_language = config.source_language,
          .target_language = config.target_language,
          .source_lines = config.source_lines,
          .aligned = 0,
          .copies = false,
          .has_source_weights = true,
          .on_gpu = false,
          .engine = std::move(saved.engine)};
}

// auto, cpu, cuda or cuda:N.
void check_device(const std::string& device) {
  constexpr std::string_view kNumbered = "cuda:";
  const bool is_numbered =
      device.starts_with(kNumbered) && device.size() > kNumbered.size() &&
      device.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
  if (device != "auto" && device != "cpu" && device != "cuda" && !is_numbered)
    throw_error(ErrorKind::kUsage, "device '{}': expected auto, cpu or cuda:N", device);
}

// Finds mistakes that the message of a missing libtorch would hide.
void check(const ModelRequest& request) {
  check_device(request.device);
  for (const std::string& path : request.paths) {
    refuse_other_than_model(path);
    read_model(path, [](const fs::path&) {});
  }
}

// The part of the request that needs libtorch, whatever the model is.
std::optional<std::string> need_of_request(const ModelRequest& request) {
  if (request.paths.size() > 1) return "an ensemble";
  if (request.device == "auto" && may_have_gpu())
    return "a GPU (device auto; device cpu does without for standard models)";
  if (request.device != "cpu" && request.device != "auto") return "device " + request.device;
  if (!fast_paths()) return "HEED_PLAIN=1 of the environment";
  return std::nullopt;
}

}  // namespace

std::optional<TextModel> load_fast_model(const ModelRequest& request) {
  check(request);
  if (need_of_request(request)) return std::nullopt;
  std::optional<SavedEngine> saved;
  read_model(request.paths.at(0),
             [&](const fs::path& folder) { saved = load_engine(folder, request.precision); });
  if (!saved) return std::nullopt;
  return text_model_of(std::move(*saved));
}

std::string reason_for_libtorch(const ModelRequest& request) {
  return need_of_request(request).value_or("the model " + request.paths.at(0));
}

}  // namespace heed
