#include "clean/corpus_profile.h"

#include <unicode/uscript.h>

#include <algorithm>

#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "clean/ngram_classifier.h"
#include "text/language_detector.h"

namespace heed {

namespace {

constexpr int64_t kSample = 50'000;
constexpr size_t kIdentifiedLines = 10'000;  // by CLD2

std::map<int, double> scripts_of(const std::vector<CorpusPair>& sample, size_t side) {
  std::map<int, double> counts;
  double total = 0;
  for (const CorpusPair& pair : sample) {
    for (const char32_t c : pair.sides[side].characters) {
      if (const auto script = letter_script(c)) ++counts[*script], ++total;
    }
  }
  for (auto& [script, count] : counts) count /= total;
  return counts;
}

void find_language(const std::vector<CorpusPair>& sample, size_t side, SideProfile& profile) {
  std::map<std::string, int64_t> votes;
  int64_t lines = 0;
  const size_t step = std::max<size_t>(1, sample.size() / kIdentifiedLines);
  for (size_t i = 0; i < sample.size(); i += step) {
    const auto languages = sure_languages(sample[i].sides[side].text);
    if (!languages.empty()) ++votes[languages.front().language];
    ++lines;
  }
  for (const auto& [language, count] : votes) {
    const double share = static_cast<double>(count) / static_cast<double>(lines);
    if (share > profile.language_share) profile.language = language, profile.language_share = share;
  }
}

double median_of(std::vector<double>& values) {
  if (values.empty()) return 1;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A line for the sample, without what nothing reads.
SideLine beginning(const std::string& text) {
  size_t offset = 0;
  for (size_t i = 0; i < kMostClassified && offset < text.size(); ++i)
    next_code_point(text, offset);
  return SideLine(text.substr(0, offset));
}

double length_ratio(const std::array<std::string, 2>& sides) {
  return static_cast<double>(count_code_points(sides[1])) /
         static_cast<double>(count_code_points(sides[0]));
}

}  // namespace

std::optional<int> letter_script(char32_t character) {
  if (!is_of_kind(character, CharacterKind::kLetter)) return std::nullopt;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(character), &status);
  if (script == USCRIPT_COMMON || script == USCRIPT_INHERITED) return std::nullopt;
  return static_cast<int>(script);
}

const CorpusPair* CorpusProfile::sampled(int64_t number) const {
  const auto found = std::ranges::lower_bound(sample, number, {}, &CorpusPair::number);
  return found != sample.end() && found->number == number ? &*found : nullptr;
}

CorpusProfiler::CorpusProfiler(uint64_t seed, bool counts_words)
    : random_(stream_key(seed, "corpus profile")), counts_words_(counts_words) {}

void CorpusProfiler::add(int64_t number, const std::array<std::string, 2>& sides, bool is_usable) {
  if (counts_words_) {
    for (size_t side = 0; side < sides.size(); ++side)
      profile_.words[side].push_back(
          is_usable ? static_cast<uint32_t>(SideLine(replace_malformed(sides[side])).words().size())
                    : 0);
  }
  if (!is_usable) return;
  // Reservoir sampling (Vitter 1985, algorithm R).
  const int64_t place =
      usable_ < kSample ? usable_
                        : static_cast<int64_t>(random_.below(static_cast<uint64_t>(usable_ + 1)));
  ++usable_;
  if (place >= kSample) return;
  CorpusPair pair{number, {beginning(sides[0]), beginning(sides[1])}};
  if (place == std::ssize(profile_.sample)) {
    profile_.sample.push_back(std::move(pair));
    ratios_.push_back(length_ratio(sides));
  } else {
    profile_.sample[static_cast<size_t>(place)] = std::move(pair);
    ratios_[static_cast<size_t>(place)] = length_ratio(sides);
  }
}

CorpusProfile CorpusProfiler::finish(int64_t pairs) {
  profile_.pairs = pairs;
  std::ranges::sort(profile_.sample, {}, &CorpusPair::number);
  for (size_t side = 0; side < profile_.sides.size(); ++side) {
    profile_.sides[side].scripts = scripts_of(profile_.sample, side);
    find_language(profile_.sample, side, profile_.sides[side]);
  }
  profile_.ratio = median_of(ratios_);
  return std::move(profile_);
}

}  // namespace heed
