#include "metric/ngrams.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

std::vector<uint32_t> WordIds::of(const std::vector<std::string_view>& words) {
  std::vector<uint32_t> result;
  result.reserve(words.size());
  for (const auto word : words) {
    result.push_back(
        ids_.try_emplace(std::string(word), static_cast<uint32_t>(ids_.size() + 1)).first->second);
  }
  return result;
}

NgramCounts count_ngrams(const std::vector<uint32_t>& words, size_t n) {
  HEED_CHECK(n >= 1 && n <= kMaxNgram, "order {}", n);
  std::vector<Ngram> ngrams;
  for (size_t i = 0; i + n <= words.size(); ++i) {
    Ngram ngram{};
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(i), n, ngram.begin());
    ngrams.push_back(ngram);
  }
  std::sort(ngrams.begin(), ngrams.end());
  NgramCounts counts;
  for (const auto& ngram : ngrams) {
    if (counts.empty() || counts.back().first != ngram) counts.emplace_back(ngram, 0);
    ++counts.back().second;
  }
  return counts;
}

int64_t count_of(const NgramCounts& counts, const Ngram& ngram) {
  const auto at =
      std::lower_bound(counts.begin(), counts.end(), ngram,
                       [](const auto& entry, const Ngram& key) { return entry.first < key; });
  return at != counts.end() && at->first == ngram ? at->second : 0;
}

}  // namespace heed
