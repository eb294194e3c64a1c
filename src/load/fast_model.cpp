#include "load/fast_model.h"

#include <algorithm>
#include <utility>

#include "base/fast_paths.h"
#include "base/file.h"
#include "base/model_folder.h"
#include "inference/saved_engine.h"
#include "load/model_path.h"

namespace heed {

namespace {

// A GPU that libtorch might use.
bool may_have_gpu() {
  return std::ranges::any_of(std::vector<fs::path>{"/dev/nvidiactl", "/dev/dxg", "/dev/kfd"},
                             is_there);
}

std::optional<int64_t> positions_of(const StackShape& stack) {
  if (stack.positions != StackShape::Positions::kLearned) return std::nullopt;
  return stack.max_positions;
}

TextModel text_model_of(SavedEngine saved) {
  EngineConfig& config = saved.config;
  const auto* transformer = std::get_if<TransformerShape>(&config.shape);
  return {.sources = {config.source},
          .inputs = {config.source},
          .tags = {},
          .codecs = std::move(saved.codecs),
          .search = config.search,
          .max_length = config.max_length,
          .source_positions = transformer ? positions_of(transformer->encoder) : std::nullopt,
          .target_positions = transformer ? positions_of(transformer->decoder) : std::nullopt,
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

}  // namespace

std::optional<TextModel> load_fast_model(const ModelRequest& request) {
  const bool on_cpu = request.device == "cpu" || (request.device == "auto" && !may_have_gpu());
  if (request.paths.size() != 1 || !on_cpu || !fast_paths() || kernels().lanes == 1)
    return std::nullopt;
  std::optional<SavedEngine> saved;
  refuse_other_than_model(request.paths[0]);
  read_model(request.paths[0],
             [&](const fs::path& folder) { saved = load_engine(folder, request.precision); });
  if (!saved) return std::nullopt;
  return text_model_of(std::move(*saved));
}

}  // namespace heed
