#include "translate/repetition.h"

#include <map>
#include <span>
#include <string_view>
#include <unordered_set>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"

namespace heed {

Repetition most_repeated(const std::vector<std::string>& words, size_t size) {
  Repetition most;
  std::map<std::string, int64_t> counts;
  for (size_t begin = 0; begin + size <= words.size(); ++begin) {
    const std::string run =
        fmt::format("{}", fmt::join(std::span(words).subspan(begin, size), " "));
    const int64_t count = ++counts[run];
    if (count > most.count) most = {run, count};
  }
  return most;
}

Repetition find_repetition(const std::vector<std::string>& source,
                           const std::vector<std::string>& target, bool is_unspaced) {
  constexpr int64_t kOften = 3;
  constexpr size_t kPart = 4;
  const size_t size = is_unspaced ? 8 : 4;
  // The shortest loop in which a run occurs three times has one word, `size` and two times.
  const std::unordered_set<std::string_view> distinct(target.begin(), target.end());
  if (target.size() < distinct.size() + size + 1) return {};
  const Repetition most = most_repeated(target, size);
  const bool is_often =
      most.count >= kOften && static_cast<size_t>(most.count) * size * kPart >= target.size();
  return is_often && most.count > most_repeated(source, size).count ? most : Repetition();
}

namespace {

Repetition longest_run(const std::vector<std::string_view>& characters) {
  Repetition longest;
  int64_t count = 0;
  for (size_t i = 0; i < characters.size(); ++i) {
    count = i > 0 && characters[i] == characters[i - 1] ? count + 1 : 1;
    if (count > longest.count && characters[i] != " ")
      longest = {std::string(characters[i]), count};
  }
  return longest;
}

}  // namespace

Repetition find_character_run(std::string_view source, std::string_view target) {
  constexpr int64_t kLong = 10, kPart = 4;
  const std::vector<std::string_view> characters = code_points(target);
  const Repetition longest = longest_run(characters);
  const bool is_long = longest.count >= kLong && longest.count * kPart >= std::ssize(characters);
  return is_long && longest.count > longest_run(code_points(source)).count ? longest : Repetition();
}

}  // namespace heed
