#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "clean/filters/filters.h"

namespace heed {

namespace {

double parse_score(const std::string& line, const LineReader& reader, const std::string& file) {
  const std::string_view text = trimmed(line, " \t");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() ||
      std::isnan(value) || value > 0)
    throw_error(
        ErrorKind::kData,
        "{}:{}: found '{}', expected a log-probability, at most 0, as `heed score` writes it", file,
        reader.line_number(), cut_to_width(replace_malformed(line), 40));
  return value;
}

// Cross-entropy per word of every pair.
std::vector<float> read_entropies(const std::string& file, const std::vector<uint32_t>& words) {
  LineReader reader(file);
  std::vector<float> entropies;
  for (std::string line; reader.next(line);) {
    const double score = parse_score(line, reader, file);
    if (entropies.size() == words.size())
      throw_error(ErrorKind::kData,
                  "{}: has more lines than the corpus has pairs, {}; score the corpus anew", file,
                  format_count(std::ssize(words)));
    const uint32_t size = std::max(1U, words[entropies.size()]);
    entropies.push_back(static_cast<float>(-score / size));
  }
  if (entropies.size() < words.size())
    throw_error(ErrorKind::kData,
                "{}: has {} lines, but the corpus {} pairs; score the corpus anew", file,
                format_count(std::ssize(entropies)), format_count(std::ssize(words)));
  return entropies;
}

class ScoresFilter final : public PairFilter {
 public:
  ScoresFilter(std::vector<float> entropies, float most)
      : entropies_(std::move(entropies)), most_(most) {}

  std::string reason(const CorpusPair& pair) const override {
    const float entropy = entropies_.at(static_cast<size_t>(pair.number));
    return entropy > most_ ? fmt::format("cross-entropy {:.2f}, at most {:.2f}", entropy, most_)
                           : "";
  }

 private:
  std::vector<float> entropies_;
  float most_;
};

// Both directions by Junczys-Dowmunt (2018): |H_A - H_B| + (H_A + H_B) / 2.
std::vector<float> dual_entropies(std::vector<float> forward, const std::vector<float>& reverse) {
  for (size_t i = 0; i < forward.size(); ++i)
    forward[i] = std::abs(forward[i] - reverse[i]) + (forward[i] + reverse[i]) / 2;
  return forward;
}

// The largest entropy of the best fraction of the pairs that have words.
float most_of_best(const std::vector<float>& entropies, const CorpusProfile& profile,
                   double fraction) {
  std::vector<float> sorted;
  for (size_t i = 0; i < entropies.size(); ++i) {
    if (profile.words[0][i] > 0 && profile.words[1][i] > 0) sorted.push_back(entropies[i]);
  }
  const auto count =
      static_cast<int64_t>(std::round(fraction * static_cast<double>(sorted.size())));
  if (count == 0) return -1;
  const auto last = sorted.begin() + count - 1;
  std::nth_element(sorted.begin(), last, sorted.end());
  return *last;
}

}  // namespace

PairFilterPtr make_scores_filter(const ScoresFilterConfig& config, const FilterInputs& inputs,
                                 const CorpusProfile& profile) {
  std::vector<float> entropies = read_entropies(*inputs.scores, profile.words[1]);
  if (inputs.reverse_scores)
    entropies = dual_entropies(std::move(entropies),
                               read_entropies(*inputs.reverse_scores, profile.words[0]));
  const float most =
      config.max ? static_cast<float>(*config.max) : most_of_best(entropies, profile, *config.best);
  return std::make_shared<ScoresFilter>(std::move(entropies), most);
}

}  // namespace heed
