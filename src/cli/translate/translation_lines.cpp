#include "cli/translate/translation_lines.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"
#include "translate/nbest_text.h"
#include "translate/translation_json.h"

namespace heed {

std::string nbest_lines(int64_t number, const TranslatedLine& translation) {
  std::string lines;
  for (const Translated& one : translation.best) {
    lines += fmt::format("{} ||| {} ||| {:.6f}\n", number, text_column(one.text), one.score);
  }
  return lines;
}

std::string json_line(int64_t number, const TranslatedLine& translation, bool with_alignments) {
  return json_text(translation_json(number, translation, with_alignments)) + "\n";
}

}  // namespace heed
