// Language of a text by CLD2, which knows about 80 languages.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct DetectedLanguage {
  std::string language;  // code of ISO 639
  double share = 0;      // of the text, 0 to 1
};

// The languages of the text, the largest share first; none if CLD2 is not sure. From any thread.
std::vector<DetectedLanguage> detect_languages(const std::string& text);

// True for languages that CLD2 confuses, or that have several codes: hr and sr, no and nb.
bool are_close(const std::string& a, const std::string& b);

}  // namespace heed
