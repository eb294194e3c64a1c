// Writes translations as the options ask for: text, n-best lists, JSON, attention weights, alignments.
#pragma once

#include <string>

#include "cli/options.h"
#include "cli/translate/options.h"
#include "translate/batch_translator.h"
#include "translate/translation_outputs.h"

namespace heed {

class TranslationWriter {
 public:
  // first_line: the number of the first source line, from 1.
  TranslationWriter(const TranslateOptions& options, const TextModel& model, int64_t first_line,
                    TranslationOutputs& outputs)
      : options_(options), model_(model), outputs_(outputs), next_line_(first_line) {}

  // source: of the line, as it was read; only --format tsv needs it.
  void write(const TranslatedLine& translation, const SourceLine& source);
  void flush() { outputs_.flush(); }
  void commit() { outputs_.commit(); }

 private:
  bool writes_list() const;  // the n-best list, not one translation a line
  std::string text_of(const TranslatedLine& translation, const SourceLine& source) const;
  std::string alignments_of(const TranslatedLine& translation) const;
  std::string delays_of(const TranslatedLine& translation) const;

  const TranslateOptions& options_;
  const TextModel& model_;
  TranslationOutputs& outputs_;
  int64_t next_line_;  // from 1
};

// In the format of Moses, a line each: NUMBER ||| TEXT ||| SCORE; number: from 0; the text as
// translate/nbest_text.h has it.
std::string nbest_lines(int64_t number, const TranslatedLine& translation);
// An object; number: from 1.
std::string json_line(int64_t number, const TranslatedLine& translation, bool with_alignments);

}  // namespace heed
