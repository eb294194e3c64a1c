#include "clean/side_models.h"

#include <algorithm>

#include "base/file.h"
#include "base/utf8.h"

namespace heed {

namespace {

struct LanguageSample {
  std::string name, file;
};

LanguageSample parse_sample(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw_error(ErrorKind::kUsage, "--language-samples {}: expected NAME=FILE, such as fr=some.fr",
                text);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double quantile(std::vector<double>& values, double fraction) {
  const auto place = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

// Lines in other languages are below the median, so its distance to the upper quartile measures the
// spread of the others.
double least_usual(std::vector<double>& log_likelihoods) {
  constexpr double kSpreads = 3;
  if (log_likelihoods.empty()) return 0;
  const double median = quantile(log_likelihoods, 0.5);
  return median - kSpreads * (quantile(log_likelihoods, 0.75) - median);
}

}  // namespace

SideModels::SideModels(const CorpusProfile& profile, const std::vector<std::string>& samples)
    : profile_(profile), classifier_(kSideNames.size() + samples.size()) {
  for (const CorpusPair& pair : profile.sample) {
    for (size_t side = 0; side < pair.sides.size(); ++side) classifier_.add(side, pair.sides[side]);
  }
  for (const std::string& text : samples) add_sample(text);
  examine_sample();
}

void SideModels::add_sample(const std::string& text) {
  constexpr int64_t kMostLines = 50'000;
  const auto [name, file] = parse_sample(text);
  LineReader reader(file);
  for (std::string line; reader.line_number() < kMostLines && reader.next(line);)
    classifier_.add(names_.size(), SideLine(replace_malformed(line)));
  names_.push_back(name);
}

void SideModels::examine_sample() {
  constexpr size_t kMostPairs = 5000, kFewLetters = 15;
  const size_t step = std::max<size_t>(1, profile_.sample.size() / kMostPairs);
  double right = 0, all = 0;
  for (size_t side = 0; side < kSideNames.size(); ++side) {
    std::vector<double> usual;
    for (size_t i = 0; i < profile_.sample.size(); i += step) {
      const CorpusPair& pair = profile_.sample[i];
      const auto [log, letters] = scores(pair, side);
      right += log[side] > log[1 - side];
      ++all;
      if (pair.sides[side].letters >= kFewLetters) usual.push_back(log[side] / letters);
    }
    least_usual_[side] = least_usual(usual);
  }
  accuracy_ = all == 0 ? 0 : right / all;
}

NgramClassifier::Scores SideModels::scores(const CorpusPair& pair, size_t side) const {
  const bool is_sampled = profile_.sampled(pair.number) != nullptr;
  return classifier_.scores(pair.sides[side], is_sampled ? std::optional(side) : std::nullopt);
}

bool SideModels::is_usual(const CorpusPair& pair, size_t side) const {
  const auto [log, letters] = scores(pair, side);
  return log[side] >= letters * least_usual_[side];
}

}  // namespace heed
