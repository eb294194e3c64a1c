#include "metric/perturb.h"

#include <vector>

namespace heed::test {

namespace {

std::string upper(std::string word) {
  for (char& c : word) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return word;
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  for (;;) {
    const size_t space = line.find(' ');
    words.emplace_back(line.substr(0, space));
    if (space == std::string_view::npos) return words;
    line.remove_prefix(space + 1);
  }
}

}  // namespace

std::string perturb(std::string_view line, size_t number, size_t salt) {
  std::vector<std::string> words;
  size_t k = 0;
  for (const auto& word : split(line)) {
    const size_t what = (number * 7919 + k++ * 104729 + salt * 611953 + word.size() * 31) % 23;
    if (what == 0) continue;
    if (what == 1) words.push_back(word);
    if (what == 2 && !words.empty()) {
      words.insert(words.end() - 1, word);
    } else if (what == 5) {
      words.insert(words.begin(), word);
    } else {
      words.push_back(what == 3 ? word + "," : what == 4 ? upper(word) : word);
    }
  }
  std::string result;
  for (const auto& word : words)
    result.append(result.empty() && &word == &words[0] ? "" : " ").append(word);
  return result;
}

}  // namespace heed::test
