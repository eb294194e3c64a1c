#include "translate/forced_scores.h"

#include <numeric>

#include "base/error.h"

namespace heed {

namespace {

// A sentence a row, which leaves after its kEnd.
class ForcedDecoding {
 public:
  ForcedDecoding(const Engine& engine, const std::vector<const Example*>& sentences,
                 const std::vector<Ids>& targets)
      : decoding_(engine.start(sentences, false)), targets_(targets), rows_(targets.size()) {
    std::iota(rows_.begin(), rows_.end(), 0);
  }

  bool has_ended() const { return rows_.empty(); }

  void step(std::vector<TargetScore>& scores) {
    decoding_->step(last_tokens());
    Limits limits;
    for (size_t r = 0; r < rows_.size(); ++r)
      limits.forced.push_back({static_cast<int64_t>(r), token_of(rows_[r], position_)});
    const TopK best = decoding_->best(1, limits);
    for (size_t r = 0; r < rows_.size(); ++r) {
      const double value = best.log_probability[r * static_cast<size_t>(best.count)];
      scores[rows_[r]].log_probabilities.push_back(value);
      scores[rows_[r]].log_probability += value;
    }
    ++position_;
    leave();
  }

 private:
  int32_t token_of(size_t sentence, size_t position) const {
    const Ids& target = targets_[sentence];
    return position < target.size() ? target[position] : kEnd;
  }

  std::vector<int32_t> last_tokens() const {
    std::vector<int32_t> tokens;
    for (const size_t sentence : rows_)
      tokens.push_back(position_ == 0 ? kBegin : targets_[sentence][position_ - 1]);
    return tokens;
  }

  void leave() {
    std::vector<int64_t> staying;
    std::vector<size_t> sentences;
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (position_ > targets_[rows_[r]].size()) continue;
      staying.push_back(static_cast<int64_t>(r));
      sentences.push_back(rows_[r]);
    }
    if (!staying.empty() && staying.size() < rows_.size()) decoding_->gather(staying, 1);
    rows_ = std::move(sentences);
  }

  std::unique_ptr<Decoding> decoding_;
  const std::vector<Ids>& targets_;
  std::vector<size_t> rows_;  // the sentence of each
  size_t position_ = 0;
};

}  // namespace

std::vector<TargetScore> forced_scores(const Engine& engine,
                                       const std::vector<const Example*>& sentences,
                                       const std::vector<Ids>& targets) {
  HEED_CHECK(sentences.size() == targets.size());
  std::vector<TargetScore> scores(targets.size());
  ForcedDecoding decoding(engine, sentences, targets);
  while (!decoding.has_ended()) decoding.step(scores);
  return scores;
}

}  // namespace heed
