#include "train/init_config.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/suggest.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

fs::path in_folder(const std::string& path, const fs::path& folder) {
  return (folder / path).lexically_normal();
}

void find_missing(const std::string& key, const std::string& path, const fs::path& folder,
                  Problems& problems) {
  std::error_code ignored;
  if (!fs::exists(in_folder(path, folder), ignored))
    problems.add(key, fmt::format("{} does not exist", in_folder(path, folder).string()));
}

}  // namespace

void InitConfig::fields(Fields& f) const {
  static const Words<Missing> words = {{"error", Missing::kError}, {"warn", Missing::kWarn}};
  f.path("model", model,
         "fine-tuning: start from the parameters of this model (a run, a checkpoint or a model "
         "folder), whose `text` and `model` sections are the default; relative to the folder of "
         "the config");
  f.choice("missing", missing, words,
           "parameters that the other model lacks or has in another shape: error, or warn and "
           "initialize them randomly");
  f.field("extend_vocabulary", extend_vocabulary,
          "make the vocabularies from this run's data instead of using those of the other model: "
          "counted vocabularies (words, characters) are the other model's with the new tokens "
          "appended, subword models are trained anew; embeddings are copied by token");
  f.list("reset", reset,
         "what begins anew: optimizer, its state; schedule, the learning rate schedule. What is "
         "left out continues where the other checkpoint was");
  f.paths("embeddings", embeddings, "target",
          "pretrained embeddings by side: word vectors in the text or binary format of word2vec, "
          "or the text format of GloVe");
}

void InitConfig::validate(Problems& problems) const {
  for (const std::string& what : reset) {
    if (what != kOptimizer && what != kSchedule)
      problems.add("reset",
                   fmt::format("found '{}', expected {} or {}", what, kOptimizer, kSchedule));
  }
  if (model) return;
  const auto refuse = [&](bool is_set, const char* key) {
    if (is_set) problems.add(key, "needs init.model, which is not set: leave it out");
  };
  refuse(missing != Missing::kError, "missing");
  refuse(extend_vocabulary, "extend_vocabulary");
  refuse(reset != InitConfig().reset, "reset");
}

bool InitConfig::resets(const char* what) const {
  return !model || std::ranges::count(reset, what) > 0;
}

void resolve_init_paths(InitConfig& init, const fs::path& folder) {
  if (init.model) init.model = in_folder(*init.model, folder).string();
  for (auto& [side, file] : init.embeddings) file = in_folder(file, folder).string();
}

void check_init(const InitConfig& init, const fs::path& folder,
                const std::vector<std::string>& sides, Problems& problems) {
  if (init.model) find_missing("model", *init.model, folder, problems);
  for (const auto& [side, file] : init.embeddings) {
    const std::string key = "embeddings." + side;
    if (std::ranges::count(sides, side) == 0) {
      problems.add(key, fmt::format("unknown side; there are {}{}", fmt::join(sides, ", "),
                                    did_you_mean(side, sides)));
    } else {
      find_missing(key, file, folder, problems);
    }
  }
}

}  // namespace heed
