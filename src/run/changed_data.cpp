#include "run/changed_data.h"

#include "base/error.h"
#include "base/log.h"
#include "run/checkpoint_files.h"

namespace heed {

DataRecord record_data(const RunFiles& files, DataCache& cache) {
  std::vector<CorpusFiles> corpora = files.training();
  corpora.insert(corpora.end(), files.valid.begin(), files.valid.end());
  return record_data(corpora, files.text, cache);
}

ChangedData check_data(const DataRecord& data, const RunSpec& spec, const ResumePlan& plan) {
  const std::string checkpoint = plan.checkpoint.string();
  const auto before = read_data_record(plan.checkpoint);
  if (!before)
    return {
        .warnings = {checkpoint + " has no record of its data; whether they changed is unknown"},
        .restarts_epoch = true};
  const DataChanges changes = changed_data(*before, data, spec.files.text);
  if (!changes.all().empty() && !spec.data_changed) {
    throw_error(ErrorKind::kData,
                "the data have changed since {}: {}; restore them, train another run, or continue "
                "with --data-changed",
                checkpoint, fmt::join(changes.all(), ", "));
  }
  ChangedData changed;
  if (!changes.data.empty()) {
    changed.restarts_epoch = true;
    changed.warnings.push_back(
        fmt::format("the data have changed since {}: {}; the epoch starts again with them, encoded "
                    "by the vocabularies and tokenizers of the checkpoint",
                    checkpoint, fmt::join(changes.data, ", ")));
  }
  if (!changes.text.empty())
    changed.warnings.push_back(fmt::format(
        "vocabularies or tokenizer models have changed since {}: {}; they are not read: "
        "the run keeps those of its checkpoint; to use the new ones, train another run",
        checkpoint, fmt::join(changes.text, ", ")));
  return changed;
}

std::string kept_from_checkpoint(const RunConfig& config) {
  std::vector<std::string> kept{"parameters", "optimizer state", "vocabularies", "tokenizers"};
  if (!config.data.factors().empty()) kept.emplace_back("labels of the source factors");
  std::vector<std::string> unread;
  if (config.init.model) unread.push_back("init.model: " + *config.init.model);
  for (const auto& [side, file] : config.init.embeddings)
    unread.push_back(fmt::format("init.embeddings.{}: {}", side, file));
  for (const std::filesystem::path& file : text_files(config.text))
    unread.push_back("text: " + file.string());
  return fmt::format(
      "kept from the checkpoint: {}{}", fmt::join(kept, ", "),
      unread.empty() ? "" : fmt::format("; not read again: {}", fmt::join(unread, ", ")));
}

}  // namespace heed
