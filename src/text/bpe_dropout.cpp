#include "text/bpe_dropout.h"

namespace heed {

namespace {

// Possible merges of neighbours: merge i joins tokens i and i + 1.
class Merges {
 public:
  Merges(const std::vector<std::string>& tokens, const MergePriority& priority)
      : tokens_(tokens), priority_(priority) {
    for (size_t i = 0; i + 1 < tokens.size(); ++i) priorities_.push_back(of(i));
  }

  // Returns the best merge that the draws do not drop; nullopt if all are dropped.
  std::optional<size_t> draw(double p, RandomStream& draws) const {
    std::optional<size_t> best;
    for (size_t i = 0; i < priorities_.size(); ++i) {
      if (!priorities_[i] || draws.uniform() < p) continue;
      if (!best || *priorities_[i] > *priorities_[*best]) best = i;
    }
    return best;
  }

  // Updates the merges after tokens i and i + 1 have become token i.
  void joined(size_t i) {
    priorities_.erase(priorities_.begin() + static_cast<std::ptrdiff_t>(i));
    if (i > 0) priorities_[i - 1] = of(i - 1);
    if (i < priorities_.size()) priorities_[i] = of(i);
  }

 private:
  std::optional<float> of(size_t i) const { return priority_(tokens_[i] + tokens_[i + 1]); }

  const std::vector<std::string>& tokens_;
  const MergePriority& priority_;
  std::vector<std::optional<float>> priorities_;
};

}  // namespace

std::vector<std::string> merge_with_dropout(std::vector<std::string> characters,
                                            const MergePriority& priority, double p,
                                            RandomStream& draws) {
  std::vector<std::string>& tokens = characters;
  Merges merges(tokens, priority);
  while (const std::optional<size_t> merge = merges.draw(p, draws)) {
    tokens[*merge] += tokens[*merge + 1];
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(*merge) + 1);
    merges.joined(*merge);
  }
  return tokens;
}

}  // namespace heed
