// The language that a text is written in, found by its letters and n-grams (CLD2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct DetectedLanguage {
  std::string language;  // code of ISO 639
  double share = 0;      // of the text, 0 to 1
  bool is_sure = false;  // false: the text is short, or could be in several languages
};

// The languages of a text, at most three, the most probable first; none if no language is found,
// such as in numbers. likely: codes of languages that the text is probably in; one of
// them comes first where the text allows it. Malformed UTF-8 is read as U+FFFD. From any thread.
std::vector<DetectedLanguage> detect_languages(std::string_view text,
                                               const std::vector<std::string>& likely = {});
// The same; none unless the first is sure.
std::vector<DetectedLanguage> sure_languages(std::string_view text);

// True for languages that CLD2 confuses, or that have several codes: hr and sr, no and nb.
bool are_close(const std::string& a, const std::string& b);

}  // namespace heed
