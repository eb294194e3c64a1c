#include "nn/attention/task_specific_config.h"

#include "nn/attention/staged_config.h"

namespace heed {

TaskSpecificConfig::TaskSpecificConfig() : attention(std::make_shared<StagedConfig>()) {}

void TaskSpecificConfig::fields(Fields& f) {
  f.one_of("attention", attention, attentions(), "attention of each tag");
}

void TaskSpecificConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.place == Place::kDecoderSelf) {
    problems.add(
        "",
        "needs the tag of a source: use it over the source, or in the encoder's self_attention");
  }
  ProblemsAt inner(problems, "attention");
  attention->check(dims, inner);
}

namespace kinds {
Kind<AttentionConfig> task_specific() {
  return kind<TaskSpecificConfig, AttentionConfig>(
      "task_specific", "separate parameters for each `tag` of data.train (Blackwood 2018)");
}
}  // namespace kinds

}  // namespace heed
