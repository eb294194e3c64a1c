#include "train/init_config.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace heed {

void InitConfig::fields(Fields& f) {
  static const Words<Missing> words = {{"error", Missing::kError}, {"warn", Missing::kWarn}};
  f.path("model", model, PathRoot::kConfigFolder,
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
         "left out continues where the other checkpoint was; of the plateau schedule only the "
         "number of updates");
  f.paths("embeddings", embeddings, "target", PathRoot::kConfigFolder,
          "pretrained embeddings by side: word vectors in the text or binary format of word2vec, "
          "or the text format of GloVe");
}

void InitConfig::validate(Problems& problems) const {
  for (const std::string& what : reset) {
    if (what != kOptimizer && what != kSchedule)
      problems.add("reset",
                   fmt::format("found '{}', expected {} or {}", what, kOptimizer, kSchedule));
  }
  if (model && !embeddings.empty())
    problems.add("embeddings",
                 "the embeddings come from init.model already: leave one of them out");
  if (model) return;
  const auto refuse = [&](bool is_set, const char* key) {
    if (is_set) problems.add(key, "needs init.model, which is not set: leave it out");
  };
  refuse(missing != Missing::kError, "missing");
  refuse(extend_vocabulary, "extend_vocabulary");
  refuse(reset != InitConfig().reset, "reset");
}

void InitConfig::check_lora(Problems& problems) const {
  if (!model) {
    problems.add("model", "is not set, but train.lora adapts a trained model: name it");
    return;
  }
  const auto refuse = [&](bool is_set, const char* key, const char* reason) {
    if (is_set)
      problems.add(key,
                   fmt::format("{}, and train.lora would never train them: leave it out", reason));
  };
  refuse(missing != Missing::kError, "missing", "initializes parameters randomly");
  refuse(extend_vocabulary, "extend_vocabulary", "makes embeddings for new tokens");
  if (!resets(kOptimizer))
    problems.add("reset", "lacks optimizer, but the adapters of train.lora are new: add it");
}

bool InitConfig::resets(const char* what) const {
  return !model || std::ranges::count(reset, what) > 0;
}

void check_init(const InitConfig& init, const std::vector<std::string>& sides, Problems& problems) {
  for (const auto& [side, file] : init.embeddings) {
    if (std::ranges::count(sides, side) == 0)
      problems.add("embeddings." + side,
                   fmt::format("unknown side; there are {}{}", fmt::join(sides, ", "),
                               did_you_mean(side, sides)));
  }
}

}  // namespace heed
