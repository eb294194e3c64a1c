#include "inference/ensemble_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "inference/distribution_rows.h"
#include "inference/sentences.h"

namespace heed {

namespace {

struct NoMemory {};

class EnsembleDecoding final : public Decoding {
 public:
  EnsembleDecoding(std::vector<std::unique_ptr<Decoding>> members,
                   const std::vector<const Example*>& sentences, int64_t vocabulary,
                   const Kernels& set)
      : members_(std::move(members)),
        vocabulary_(vocabulary),
        set_(set),
        log_probs_(members_.size()) {
    for (const Example* sentence : sentences) sentences_.add(nullptr, *sentence, 0);
  }

  void step(const std::vector<int32_t>& tokens) override {
    for (const auto& member : members_) member->step(tokens);
    weights_.clear();
  }

  using Decoding::best;
  TopK best(int64_t count, const Limits& limits, const Distributions& distributions) override {
    find_distributions();
    const StepRows rows{sentences_.rows(), limits, sentences_.candidates()};
    size_t most = 0;
    for (const AlignedFloats& row : log_probs_[0]) most = std::max(most, row.size());
    DistributionRows best(set_, std::min(count, static_cast<int64_t>(most)), vocabulary_, rows,
                          distributions, room_);
    const bool needs_all = !rows.candidates.empty() || !distributions.rows.empty();
    // The mean of the probabilities is below the largest of them, and not below its n-th part.
    const auto slack = static_cast<float>(std::log(members_.size()));
    for (int64_t row = 0; row < rows.rows; ++row) {
      const auto mean = [&](int64_t id) { return log_mean(row, id); };
      values_ = log_probs_[0][row];
      if (needs_all) {
        for (size_t id = 0; id < values_.size(); ++id) values_[id] = mean(static_cast<int64_t>(id));
        best.write(row, values_);
      } else {
        for (size_t m = 1; m < members_.size(); ++m)
          std::ranges::transform(values_, log_probs_[m][row], values_.begin(),
                                 [](float a, float b) { return std::max(a, b); });
        best.write(row, values_, slack, mean);
      }
    }
    return best.take();
  }

  // The mean of the members that have weights.
  std::optional<std::span<const double>> attention(int64_t row) override {
    std::vector<double>& mean = weights_[row];
    mean.clear();
    int64_t count = 0;
    for (const auto& member : members_) {
      const auto own = member->attention(row);
      if (!own) continue;
      ++count;
      mean.resize(own->size());
      for (size_t s = 0; s < own->size(); ++s) mean[s] += (*own)[s];
    }
    if (count == 0) return std::nullopt;
    for (double& weight : mean) weight /= static_cast<double>(count);
    return mean;
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sentences_.gather(rows, hypotheses);
    for (const auto& member : members_) member->gather(rows, hypotheses);
  }

  void join(std::unique_ptr<Decoding> more) override {
    auto& other = dynamic_cast<EnsembleDecoding&>(*more);
    sentences_.join(other.sentences_);
    for (size_t m = 0; m < members_.size(); ++m) members_[m]->join(std::move(other.members_[m]));
  }

 private:
  void find_distributions() {
    Distributions all{std::vector<int64_t>(static_cast<size_t>(sentences_.rows())), {}};
    std::iota(all.rows.begin(), all.rows.end(), 0);
    for (size_t m = 0; m < members_.size(); ++m) {
      std::vector<AlignedFloats>& rows = log_probs_[m];
      rows.resize(all.rows.size());
      all.visit = [&rows](int64_t row, std::span<const float> log_probs) {
        rows[row].assign(log_probs.begin(), log_probs.end());
      };
      members_[m]->best(1, {}, all);
      HEED_CHECK(rows[0].size() == log_probs_[0][0].size(), "{} tokens of one model, {} of another",
                 log_probs_[0][0].size(), rows[0].size());
    }
  }

  float log_mean(int64_t row, int64_t id) const {
    float sum = kImpossibleLogit;
    for (const auto& rows : log_probs_) sum = log_add(sum, rows[row][id]);
    return sum - static_cast<float>(std::log(members_.size()));
  }

  std::vector<std::unique_ptr<Decoding>> members_;
  Sentences<NoMemory> sentences_;
  int64_t vocabulary_;  // V
  const Kernels& set_;
  std::vector<std::vector<AlignedFloats>> log_probs_;  // of each member and row [V+X]
  AlignedFloats values_;
  std::map<int64_t, std::vector<double>> weights_;  // of rows, since the last step
  DistributionRows::Workspace room_;
};

}  // namespace

EnsembleEngine::EnsembleEngine(std::vector<std::shared_ptr<const Engine>> engines,
                               int64_t vocabulary, const Kernels& set)
    : engines_(std::move(engines)), vocabulary_(vocabulary), set_(set) {
  HEED_CHECK(!engines_.empty());
}

// The distributions of all engines exist at the same time.
int64_t EnsembleEngine::best_batch(int64_t hypotheses) const {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const auto& engine : engines_) least = std::min(least, engine->best_batch(hypotheses));
  return std::max<int64_t>(1, least / std::ssize(engines_));
}

DecodingBytes EnsembleEngine::bytes() const {
  DecodingBytes sum{.target_token = 0, .source_token = 0};
  for (const auto& engine : engines_) {
    const DecodingBytes own = engine->bytes();
    sum.target_token += own.target_token;
    sum.source_token += own.source_token;
  }
  return sum;
}

// The candidates restrict the mean of the probabilities, not those of each engine.
std::unique_ptr<Decoding> EnsembleEngine::start(const std::vector<const Example*>& sentences,
                                                bool attention) const {
  std::vector<Example> free;
  for (const Example* sentence : sentences) free.emplace_back(*sentence).candidates = nullptr;
  std::vector<const Example*> pointers;
  for (const Example& sentence : free) pointers.push_back(&sentence);
  std::vector<std::unique_ptr<Decoding>> members;
  for (const auto& engine : engines_) members.push_back(engine->start(pointers, attention));
  return std::make_unique<EnsembleDecoding>(std::move(members), sentences, vocabulary_, set_);
}

std::shared_ptr<const Engine> ensemble_of(std::vector<std::shared_ptr<const Engine>> engines,
                                          int64_t vocabulary) {
  if (engines.size() == 1) return engines.front();
  return std::make_shared<const EnsembleEngine>(std::move(engines), vocabulary);
}

}  // namespace heed
