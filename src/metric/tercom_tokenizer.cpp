#include "metric/tercom_tokenizer.h"

#include "base/error.h"
#include "base/replace_all.h"
#include "base/utf8.h"
#include "metric/code_points.h"
#include "metric/western_marks.h"
#include "metric/words.h"

namespace heed {

namespace {

constexpr CodePointRange kAsianMarks[] = {
    {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x30FB, 0x30FB},
    {0xFF01, 0xFF02}, {0xFF08, 0xFF09}, {0xFF0C, 0xFF0C}, {0xFF0E, 0xFF0E},
    {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF1F}, {0xFF61, 0xFF65},
};

constexpr CodePointRange kIdeographs[] = {
    {0x2E80, 0x2EFF}, {0x31C0, 0x31EF}, {0x3200, 0x4DBF},
    {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F},
};

std::string separate_western(std::string_view line) {
  const std::string text = separate_marks(" " + unescape_entities(std::string(line)) + " ");
  return separate_number_marks(replace_all(text, "'s ", " 's "));
}

std::string separate_asian(std::string_view text) {
  std::string result;
  for (const auto character : code_points(text)) {
    const char32_t c = decode(character);
    const bool alone = is_in(c, kIdeographs) || is_in(c, kAsianMarks);
    if (alone) result.push_back(' ');
    result.append(character);
    if (alone) result.push_back(' ');
  }
  return result;
}

std::string remove_marks(std::string_view text, bool asian) {
  std::string result;
  for (const auto character : code_points(text)) {
    const bool is_mark = std::string_view(".,?:;!\"()").find(character) != std::string_view::npos;
    if (!is_mark && !(asian && is_in(decode(character), kAsianMarks))) result.append(character);
  }
  return result;
}

}  // namespace

std::string tokenize_tercom(std::string_view line, const TercomOptions& options) {
  const auto text = strip_right(line);
  std::string result = options.case_sensitive ? std::string(text) : lower_case(text);
  if (options.normalized) {
    result = separate_western(result);
    if (options.asian_support) result = separate_asian(result);
  }
  if (options.no_punctuation) result = remove_marks(result, options.asian_support);
  return fmt::format("{}", fmt::join(words_of(result), " "));
}

}  // namespace heed
