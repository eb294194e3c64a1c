#include "translate/line_checks.h"

#include <algorithm>

#include "base/log.h"
#include "data/target_words.h"

namespace heed {

namespace {

// The unknown tokens of a line if they are most of it: a text in another language or tokenized in
// another way than in the training; else 0. A few words may all be names.
int64_t count_mostly_unknown(const Ids& ids) {
  constexpr size_t kFew = 4;
  const auto unknown = std::ranges::count(ids, kUnknown);
  return ids.size() >= kFew && unknown * 2 > std::ssize(ids) ? unknown : 0;
}

}  // namespace

void check_positions(const char* side, int64_t tokens, const std::optional<int64_t>& positions,
                     int64_t line, LineWarnings& warnings) {
  if (!positions || tokens <= *positions) return;
  warnings.add(fmt::format("{} longer than the model's table of {} positions: later tokens share "
                           "the last one, the result may be poor",
                           side, *positions),
               line, fmt::format("{} tokens", tokens));
}

void check_line(const TextModel& model, const SourceLine& line, const EncodedLine& encoded,
                int64_t number, LineWarnings& warnings) {
  if (model.sources.empty()) return;
  const std::string& text = line.at(model.aligned);
  const bool has_columns = model.aligned_codec().marker().has_value();
  if (!has_columns && text.find('\t') != std::string::npos)
    warnings.add("a tab in the line; is this a file of several columns?", number, "");
  const Ids& ids = encoded.example.sources.at(model.aligned);
  if (const int64_t words = count_target_words(text, model.target_words); words > 0) {
    warnings.add("looks like the model's target language, expected its source language", number,
                 fmt::format("{} words", words));
  } else if (const int64_t unknown = count_mostly_unknown(ids); unknown > 0 && !model.copies) {
    warnings.add(
        "mostly words that the model does not know; expected its source language, tokenized as "
        "its training data",
        number, fmt::format("{} of {} tokens", unknown, ids.size()));
  }
}

}  // namespace heed
