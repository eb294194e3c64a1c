// The best next tokens of rows whose scores are known, under the limits of a step.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

inline constexpr float kImpossibleLogit = -std::numeric_limits<float>::infinity();

// The rows of a step.
struct StepRows {
  int64_t rows;
  const Limits& limits;
  std::vector<Candidates> candidates;  // of each sentence, Sentences::candidates()

  // Number of rows of a sentence, where there are candidates.
  int64_t hypotheses() const { return rows / std::ssize(candidates); }
};

struct RowLimits {
  std::span<const Limits::Token> banned, forced;
};

// Limits sorted by row.
class LimitsByRow {
 public:
  explicit LimitsByRow(const Limits& limits);
  // Called once per row, in order.
  RowLimits of(int64_t row) {
    return {of(banned_, next_banned_, row), of(forced_, next_forced_, row)};
  }

 private:
  static std::span<const Limits::Token> of(const std::vector<Limits::Token>& tokens, size_t& next,
                                           int64_t row);
  std::vector<Limits::Token> banned_, forced_;
  size_t next_banned_ = 0, next_forced_ = 0;
};

// Tokens of a row, in ascending order, and their logits.
struct RowLogits {
  std::span<float> values;
  const Ids& tokens;

  // Index of a token; -1 if the row does not contain it.
  int32_t index(int32_t id) const;
  int32_t token(int32_t index) const { return index < 0 ? -1 : tokens[static_cast<size_t>(index)]; }
};

// Replaces the logits of banned tokens.
void ban(const RowLogits& logits, std::span<const Limits::Token> banned);

// log Σ exp of the logits. Throws Error(kModel) if it is not finite.
float finite_log_sum(const Kernels& set, std::span<const float> logits);

// Writes the most probable tokens of each row.
class BestOfRows {
 public:
  // values: a buffer
  BestOfRows(const Kernels& set, AlignedFloats& values, TopK& best);
  // log_sum: log of the sum of the exponentials of all logits. Replaces the logits of banned
  // tokens.
  void write(int64_t row, const RowLogits& logits, float log_sum, const RowLimits& limits);

 private:
  const Kernels& set_;
  AlignedFloats& values_;
  TopK& best_;
};

// Calls back with the distributions of the rows that are to be shown.
class ShownRows {
 public:
  explicit ShownRows(const Distributions& distributions)
      : visit_(distributions.visit),
        next_(distributions.rows.begin()),
        end_(distributions.rows.end()) {}

  // Called once per row, in order.
  bool wants(int64_t row) {
    if (next_ == end_ || *next_ != row) return false;
    ++next_;
    return true;
  }
  // logits: of all tokens, without the banned ones; they are overwritten.
  void show(int64_t row, std::span<float> logits, float log_sum) const {
    for (float& logit : logits) logit -= log_sum;
    visit_(row, logits);
  }

 private:
  const std::function<void(int64_t, std::span<const float>)>& visit_;
  std::vector<int64_t>::const_iterator next_, end_;
};

}  // namespace heed
