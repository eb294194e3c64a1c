// Translation of raw lines: what `heed translate`, `heed evaluate --model` and validation use.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/line_warnings.h"
#include "translate/line_translation.h"

namespace heed {

struct BatchTranslatorOptions {
  LineOptions line;
  int64_t batch = 64;   // sentences that go through the model together
  int64_t workers = 1;  // threads
  // Receives the warnings of all lines, which TranslatedLine::warnings has too; nullptr: none.
  LineWarnings* warnings = nullptr;
  // Gives the lexical constraints of the next line; not set: none. Used by translate_all() alone.
  std::function<LexicalConstraints()> next_constraints{};
  // Reorders or removes translations of a line or of one of its sentences. Called from the worker
  // threads.
  Choice choose{};
  // Called before each batch, from the worker threads; may throw, which ends the work.
  std::function<void()> before_batch{};
  // Called with the number of lines of each batch that is done, from the worker threads. A split
  // line is counted in the batch of its first sentence.
  std::function<void(int64_t)> after_batch{};
};

// Lines are sorted by length within a window, and translated and written a window at a time. The first
// has `first` lines, each next one twice as many, `most` at most.
struct Windows {
  int64_t first = 10000, most = 10000;
  // Called after each window but the last, when its lines are written.
  std::function<void()> written{};
};

class BatchTranslator {
 public:
  BatchTranslator(TextModel model, BatchTranslatorOptions options);
  const TextModel& model() const { return model_; }

  // The translation of line i at position i. A line without pieces has an empty translation.
  // Malformed UTF-8 is read as U+FFFD. first_line: the number of the first line, for warnings and
  // sampling. constraints: none, or those of each line; phrases need options.line.joins. Errors:
  // those of search().
  std::vector<TranslatedLine> translate(
      const std::vector<SourceLine>& lines, int64_t first_line = 1,
      const std::vector<LexicalConstraints>& constraints = {}) const;

  // Translates all lines of `next` until it returns false, and writes them in order. first_line: the
  // number of the first. Returns how many there were.
  int64_t translate_all(const std::function<bool(SourceLine&)>& next,
                        const std::function<void(const TranslatedLine&)>& write,
                        const Windows& windows = {}, int64_t first_line = 1) const;

 private:
  // The inputs are lines or sentences of lines.
  std::vector<TranslatedLine> translate(const std::vector<LineInput>& inputs) const;
  void translate_group(const std::vector<LineInput>& inputs, const std::vector<size_t>& group,
                       std::vector<TranslatedLine>& translations) const;
  LineTranslation line_translation() const { return {model_, options_.line}; }

  TextModel model_;
  BatchTranslatorOptions options_;
};

}  // namespace heed
