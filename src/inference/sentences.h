// Tokens of the sentences to encode, the memory of sentences that are being decoded, and the
// attention weights of their hypotheses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "data/example.h"
#include "search/engine.h"

namespace heed {

// True if a sentence has this source: the only one, or one that is not empty.
inline bool has_source(const Example& sentence, size_t source) {
  return sentence.sources.size() == 1 || !sentence.sources.at(source).empty();
}

// Concatenated sources of sentences, each with kEnd if sources end in it; an empty source that is the
// only one always has kEnd. Sentence i is tokens begins[i] to begins[i+1].
struct SourceTokens {
  SourceTokens() = default;
  // source: its number
  SourceTokens(const std::vector<const Example*>& sentences, size_t source, bool source_end) {
    for (const Example* sentence : sentences) {
      const Ids& ids = sentence->sources.at(source);
      tokens.insert(tokens.end(), ids.begin(), ids.end());
      if (has_source(*sentence, source) && (source_end || ids.empty())) tokens.push_back(kEnd);
      begins.push_back(std::ssize(tokens));
    }
  }

  std::vector<int32_t> tokens{};
  std::vector<int64_t> begins = {0};
};

// Memory and candidates of each sentence, shared by its hypotheses. The hypotheses of a sentence
// are adjacent rows; their number is the same for each sentence.
template <class SentenceMemory>
class Sentences {
 public:
  int64_t hypotheses() const { return hypotheses_; }
  int64_t rows() const { return std::ssize(kept_) * hypotheses_; }
  const SentenceMemory& of(int64_t row) const { return *kept_[row / hypotheses_].memory; }
  // Columns of the attention weights: the tokens of the source and kEnd, even if kEnd is not read.
  int64_t columns(int64_t row) const { return kept_[row / hypotheses_].columns; }
  int64_t most_columns() const {
    int64_t most = 0;
    for (const Kept& kept : kept_) most = std::max(most, kept.columns);
    return most;
  }
  // Candidates of each sentence; empty if all sentences may use all tokens.
  std::vector<Candidates> candidates() const {
    std::vector<Candidates> lists;
    for (const Kept& kept : kept_) {
      if (kept.candidates) lists.push_back(kept.candidates);
    }
    HEED_CHECK(lists.empty() || lists.size() == kept_.size(), "some sentences have candidates");
    return lists;
  }

  // attended: number of the source that the weights are of
  void add(std::shared_ptr<const SentenceMemory> memory, const Example& sentence, size_t attended) {
    const bool has_columns = attended < sentence.sources.size() && has_source(sentence, attended);
    const int64_t columns = has_columns ? std::ssize(sentence.sources[attended]) + 1 : 0;
    kept_.push_back({std::move(memory), sentence.candidates, columns});
  }
  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) {
    gather_sentences(kept_, rows, hypotheses_, hypotheses);
    hypotheses_ = hypotheses;
  }
  void join(const Sentences& more) {
    HEED_CHECK(more.hypotheses_ == hypotheses_ || kept_.empty(), "{} hypotheses join {}",
               more.hypotheses_, hypotheses_);
    hypotheses_ = more.hypotheses_;
    kept_.insert(kept_.end(), more.kept_.begin(), more.kept_.end());
  }

 private:
  struct Kept {
    std::shared_ptr<const SentenceMemory> memory;
    Candidates candidates;
    int64_t columns = 0;
  };
  std::vector<Kept> kept_;  // of each sentence
  int64_t hypotheses_ = 1;
};

// Attention weights of one step: rows of `stride` elements.
class StepWeights {
 public:
  void start(int64_t rows, int64_t stride) {
    stride_ = stride;
    weights_.assign(static_cast<size_t>(rows * stride), 0.0F);
    shown_.clear();
  }
  float* of(int64_t row) { return weights_.data() + row * stride_; }
  int64_t stride() const { return stride_; }
  std::span<const double> shown(int64_t row, int64_t columns) {
    if (shown_.empty()) shown_.assign(weights_.begin(), weights_.end());
    return std::span<const double>(shown_).subspan(static_cast<size_t>(row * stride_),
                                                   static_cast<size_t>(columns));
  }

 private:
  int64_t stride_ = 0;
  std::vector<float> weights_;
  std::vector<double> shown_;  // the same in double precision, once requested
};

}  // namespace heed
