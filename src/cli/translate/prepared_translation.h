// A translation that is ready to begin: its model is loaded and its inputs are open.
#pragma once

#include <cstdint>
#include <optional>

#include "base/line_progress.h"
#include "cli/source_reader.h"
#include "cli/translate/constraint_reader.h"
#include "cli/translate/options.h"
#include "translate/batch_translator.h"
#include "translate/translation_outputs.h"

namespace heed {

class PreparedTranslation {
 public:
  // options: has to outlive the object. Throws Error: kUsage, kModel, kIo.
  explicit PreparedTranslation(const TranslateOptions& options);

  // Reads all lines and writes their translations. Throws Stopped after a signal.
  void translate_all();
  // The same for the lines of one shard; continues where an earlier process ended.
  void translate_shard();

 private:
  struct ReadPlan {
    int64_t first_line = 1;
    Windows windows{};
    bool at_once = false;  // translates each line as soon as it is read
    bool reads_to_end = true;
  };
  // lines: of the input; nullopt: unknown.
  void show_progress(std::optional<int64_t> lines);
  void translate(ReadPlan plan, TranslationOutputs& outputs);
  // The next line of the inputs, or of TranslateOptions::texts; false at the end.
  bool next(SourceLine& line);

  const TranslateOptions& options_;
  const TextModel model_;
  LineWarnings warnings_;
  std::optional<SourceReader> reader_;  // none of texts
  size_t next_text_ = 0;
  std::optional<LineProgress> progress_;
  ConstraintReader constraints_;
  BatchTranslatorOptions how_;
};

}  // namespace heed
