// The tokens of sentences to encode, what an engine keeps of those that are being decoded, and the
// attention weights of their hypotheses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "data/example.h"
#include "inference/candidate_weights.h"

namespace heed {

// The sources of sentences, one after the other and each with kEnd: sentence i is tokens begins[i]
// to begins[i+1].
struct SourceTokens {
  explicit SourceTokens(const std::vector<const Example*>& sentences) {
    for (const Example* sentence : sentences) {
      const Ids& ids = sentence->sources.at(0);
      tokens.insert(tokens.end(), ids.begin(), ids.end());
      tokens.push_back(kEnd);
      begins.push_back(std::ssize(tokens));
    }
  }

  std::vector<int32_t> tokens;
  std::vector<int64_t> begins = {0};
};

// The memory of each sentence and the tokens that it may write, shared by its hypotheses: adjacent
// rows, the same number for each sentence.
template <class Memory>
class Sentences {
 public:
  int64_t hypotheses() const { return hypotheses_; }
  int64_t rows() const { return std::ssize(memories_) * hypotheses_; }
  const Memory& of(int64_t row) const { return *memories_[row / hypotheses_]; }
  // The most keys of a sentence.
  int64_t longest() const {
    int64_t longest = 0;
    for (const auto& memory : memories_) longest = std::max(longest, memory->keys);
    return longest;
  }

  // Of each row; empty: all rows may write all tokens.
  std::vector<Candidates> candidates() const {
    std::vector<Candidates> of_rows;
    for (const Candidates& own : candidates_) {
      HEED_CHECK((own == nullptr) == (candidates_[0] == nullptr), "some sentences have candidates");
      if (own) of_rows.insert(of_rows.end(), hypotheses_, own);
    }
    return of_rows;
  }

  void add(std::shared_ptr<const Memory> memory, Candidates candidates) {
    memories_.push_back(std::move(memory));
    candidates_.push_back(std::move(candidates));
  }
  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) {
    std::vector<std::shared_ptr<const Memory>> memories;
    std::vector<Candidates> candidates;
    for (size_t i = 0; i < rows.size(); i += hypotheses) {
      memories.push_back(memories_[rows[i] / hypotheses_]);
      candidates.push_back(candidates_[rows[i] / hypotheses_]);
    }
    memories_ = std::move(memories);
    candidates_ = std::move(candidates);
    hypotheses_ = hypotheses;
  }
  void join(const Sentences& more) {
    HEED_CHECK(more.hypotheses_ == hypotheses_ || memories_.empty(), "{} hypotheses join {}",
               more.hypotheses_, hypotheses_);
    hypotheses_ = more.hypotheses_;
    memories_.insert(memories_.end(), more.memories_.begin(), more.memories_.end());
    candidates_.insert(candidates_.end(), more.candidates_.begin(), more.candidates_.end());
  }

 private:
  std::vector<std::shared_ptr<const Memory>> memories_;
  std::vector<Candidates> candidates_;  // of each
  int64_t hypotheses_ = 1;
};

// Attention weights of one step: rows of `longest` elements.
class StepWeights {
 public:
  void start(int64_t rows, int64_t longest) {
    longest_ = longest;
    weights_.assign(static_cast<size_t>(rows * longest), 0.0F);
    shown_.clear();
  }
  float* of(int64_t row) { return weights_.data() + row * longest_; }
  int64_t stride() const { return longest_; }
  std::span<const double> shown(int64_t row, int64_t keys) {
    if (shown_.empty()) shown_.assign(weights_.begin(), weights_.end());
    return std::span<const double>(shown_).subspan(static_cast<size_t>(row * longest_),
                                                   static_cast<size_t>(keys));
  }

 private:
  int64_t longest_ = 0;
  std::vector<float> weights_;
  std::vector<double> shown_;  // the same, once they were asked for
};

}  // namespace heed
