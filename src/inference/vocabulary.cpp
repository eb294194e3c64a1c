#include "inference/vocabulary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "base/error.h"
#include "search/not_a_number.h"

namespace heed {

Embeddings::Embeddings(const VocabularyShape& shape, const Packer& packer)
    : target(std::make_shared<const std::vector<float>>(packer.vector(names::kTargetEmbedding))) {
  source = shape.source_is_tied ? target
                                : std::make_shared<const std::vector<float>>(
                                      packer.vector(names::source_embedding(shape.source)));
}

void embed_tokens(const std::vector<float>& embedding, const std::vector<int32_t>& tokens,
                  int64_t width, float scale, float* to) {
  for (const int32_t token : tokens) {
    const float* from = embedding.data() + token * width;
    for (int64_t i = 0; i < width; ++i) to[i] = from[i] * scale;
    to += width;
  }
}

namespace {

constexpr float kImpossibleLogit = -std::numeric_limits<float>::infinity();

struct RowLimits {
  std::span<const Limits::Token> banned, forced;
};

// Limits sorted by row.
class LimitsByRow {
 public:
  explicit LimitsByRow(const Limits& limits) : banned_(limits.banned), forced_(limits.forced) {
    const auto by_row = [](const Limits::Token& a, const Limits::Token& b) {
      return a.row < b.row;
    };
    if (!std::ranges::is_sorted(banned_, by_row)) std::ranges::stable_sort(banned_, by_row);
    if (!std::ranges::is_sorted(forced_, by_row)) std::ranges::stable_sort(forced_, by_row);
  }
  // Called once per row, in order.
  RowLimits of(int64_t row) {
    return {of(banned_, next_banned_, row), of(forced_, next_forced_, row)};
  }

 private:
  static std::span<const Limits::Token> of(const std::vector<Limits::Token>& tokens, size_t& next,
                                           int64_t row) {
    while (next < tokens.size() && tokens[next].row < row) ++next;
    const size_t begin = next;
    while (next < tokens.size() && tokens[next].row == row) ++next;
    return std::span(tokens).subspan(begin, next - begin);
  }
  std::vector<Limits::Token> banned_, forced_;
  size_t next_banned_ = 0, next_forced_ = 0;
};

// Tokens of a row, in ascending order, and their logits.
struct RowLogits {
  std::span<float> values;
  const Ids& tokens;

  // Index of a token; -1 if the row does not contain it.
  int32_t index(int32_t id) const {
    const auto found = std::ranges::lower_bound(tokens, id);
    return found != tokens.end() && *found == id ? static_cast<int32_t>(found - tokens.begin())
                                                 : -1;
  }
  int32_t token(int32_t index) const { return index < 0 ? -1 : tokens[static_cast<size_t>(index)]; }
};

void ban(const RowLogits& logits, std::span<const Limits::Token> banned) {
  for (const auto& token : banned) {
    if (const int32_t index = logits.index(token.id); index >= 0)
      logits.values[index] = kImpossibleLogit;
  }
}

float finite_log_sum(const Kernels& set, std::span<const float> logits) {
  const float log_sum = set.log_sum_exp(logits.data(), std::ssize(logits));
  if (!std::isfinite(log_sum)) throw_not_a_number();
  return log_sum;
}

// Writes the most probable tokens of each row.
class BestOfRows {
 public:
  // values: a buffer
  BestOfRows(const Kernels& set, AlignedFloats& values, TopK& best)
      : set_(set), values_(values), best_(best) {
    values.resize(static_cast<size_t>(best.count));
  }

  // log_sum: log of the sum of the exponentials of all logits. Replaces the logits of banned
  // tokens.
  void write(int64_t row, const RowLogits& logits, float log_sum, const RowLimits& limits) {
    const int64_t begin = row * best_.count;
    std::fill(values_.begin(), values_.end(), kImpossibleLogit);
    std::fill_n(best_.id.begin() + begin, best_.count, -1);
    if (limits.forced.empty()) {
      ban(logits, limits.banned);
      const auto size = std::ssize(logits.values);
      set_.top_k(logits.values.data(), size, std::min(best_.count, size), values_.data(),
                 best_.id.data() + begin);
    } else {
      const int32_t index = logits.index(limits.forced.front().id);
      best_.id[begin] = index;
      if (index >= 0) values_[0] = logits.values[index];
    }
    for (int64_t i = 0; i < best_.count; ++i) {
      best_.id[begin + i] = logits.token(best_.id[begin + i]);
      best_.log_probability[begin + i] = static_cast<double>(values_[i] - log_sum);
    }
  }

 private:
  const Kernels& set_;
  AlignedFloats& values_;
  TopK& best_;
};

// Replaces the logits of banned tokens.
int32_t most_probable_of(const Kernels& set, const RowLogits& logits,
                         std::span<const Limits::Token> banned) {
  ban(logits, banned);
  float value = 0;
  int32_t index = 0;
  set.top_k(logits.values.data(), std::ssize(logits.values), 1, &value, &index);
  if (value > std::numeric_limits<float>::max()) throw_not_a_number();
  return logits.token(index);
}

bool is_finite(const float* x, int64_t count) {
  return std::all_of(x, x + count, [](float value) { return std::isfinite(value); });
}

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
  // logits: those of the vocabulary, without the banned tokens; they are overwritten.
  void show(int64_t row, std::span<float> logits, float log_sum) const {
    for (float& logit : logits) logit -= log_sum;
    visit_(row, logits);
  }

 private:
  const std::function<void(int64_t, std::span<const float>)>& visit_;
  std::vector<int64_t>::const_iterator next_, end_;
};

}  // namespace

OutputLayer::OutputLayer(const VocabularyShape& shape, const Embeddings& embeddings, int64_t hidden,
                         const Packer& packer, const Kernels& set)
    : set_(set), hidden_(hidden) {
  std::vector<float> bias;
  if (shape.output_bias) bias = packer.vector(names::bias(names::kOutputLayer));
  if (shape.output_is_tied && hidden != shape.embedding)
    to_embedding_ = packer.linear({names::kToEmbedding});
  const int64_t size = std::ssize(*embeddings.target) / shape.embedding;
  output_ = shape.output_is_tied
                ? packer.packed({{size, shape.embedding}, *embeddings.target}, bias)
                : packer.packed(packer.matrix(names::weight(names::kOutputLayer)), bias);
}

const float* OutputLayer::output_inputs(const float* hidden, int64_t rows, Workspace& room) const {
  if (to_embedding_.outputs() == 0) return hidden;
  room.embedded.resize(static_cast<size_t>(rows * to_embedding_.outputs()));
  to_embedding_.product(hidden, rows, room.embedded.data());
  return room.embedded.data();
}

template <class Visit>
void OutputLayer::each_row(const float* hidden, const StepRows& step, const PackedMatrix& weights,
                           Workspace& room, const Visit& visit) const {
  constexpr int64_t kBlock = 96;  // rows whose logits exist at the same time
  const int64_t size = weights.outputs();
  for (int64_t first = 0; first < step.rows; first += kBlock) {
    const int64_t count = std::min(step.rows - first, kBlock);
    const float* x = output_inputs(hidden + first * hidden_, count, room);
    room.logits.resize(static_cast<size_t>(count * size));
    weights.product(x, count, room.logits.data());
    for (int64_t i = 0; i < count; ++i) {
      const std::span logits(room.logits.data() + i * size, static_cast<size_t>(size));
      visit(first + i, x + i * weights.inputs(), logits);
    }
  }
}

template <class Visit>
void OutputLayer::each_row_of_candidates(const float* hidden, const StepRows& step, Workspace& room,
                                         const Visit& visit) const {
  room.candidates.update(step.candidates, output_);
  const int64_t hypotheses = step.rows / std::ssize(step.candidates);
  each_row(hidden, step, room.candidates.weights(), room,
           [&](int64_t row, const float* x, std::span<const float> all) {
             const Candidates& own = step.candidates[row / hypotheses];
             const auto columns = room.candidates.columns(own);
             room.own.resize(columns.size());
             for (size_t i = 0; i < columns.size(); ++i) room.own[i] = all[columns[i]];
             visit(row, x, RowLogits{room.own, *own});
           });
}

TopK OutputLayer::best(const float* hidden, int64_t count, const StepRows& step,
                       const Distributions& distributions, Workspace& room) const {
  count = std::min(count, output_.outputs());
  TopK best{count, std::vector<double>(step.rows * count), std::vector<int32_t>(step.rows * count)};
  if (step.candidates.empty()) {
    find_best(hidden, step, distributions, room, best);
  } else {
    find_best_candidates(hidden, step, distributions, room, best);
  }
  return best;
}

void OutputLayer::find_best_candidates(const float* hidden, const StepRows& step,
                                       const Distributions& distributions, Workspace& room,
                                       TopK& best) const {
  LimitsByRow by_row(step.limits);
  BestOfRows rows(set_, room.values, best);
  ShownRows shown(distributions);
  each_row_of_candidates(
      hidden, step, room, [&](int64_t row, const float*, const RowLogits& logits) {
        const float log_sum = finite_log_sum(set_, logits.values);
        const RowLimits limits = by_row.of(row);
        rows.write(row, logits, log_sum, limits);
        if (!shown.wants(row) || !limits.forced.empty()) return;
        std::vector<float> all(static_cast<size_t>(output_.outputs()), kImpossibleLogit);
        for (size_t i = 0; i < logits.values.size(); ++i)
          all[static_cast<size_t>(logits.tokens[i])] = logits.values[i];
        shown.show(row, all, log_sum);
      });
}

void OutputLayer::find_best(const float* hidden, const StepRows& step,
                            const Distributions& distributions, Workspace& room, TopK& best) const {
  const ScreenedLogits* screened =
      can_screen(best.count, step, distributions) ? &screened_.of(output_, set_) : nullptr;
  LimitsByRow by_row(step.limits);
  BestOfRows rows(set_, room.values, best);
  ShownRows shown(distributions);
  each_row(hidden, step, screened != nullptr ? screened->rounded() : output_, room,
           [&](int64_t row, const float* x, std::span<float> logits) {
             const RowLimits limits = by_row.of(row);
             const int64_t count = best.count + std::ssize(limits.banned);
             const int32_t forced = limits.forced.empty() ? -1 : limits.forced.front().id;
             if (screened != nullptr)
               screened->refine(x, logits, count, forced, room.likely, room.screen);
             const float log_sum = finite_log_sum(set_, logits);
             if (screened == nullptr) room.likely.choose(set_, logits, count, forced);
             rows.write(row, {room.likely.logits(), room.likely.outputs()}, log_sum, limits);
             if (!shown.wants(row) || !limits.forced.empty()) return;
             for (const auto& token : limits.banned) logits[token.id] = kImpossibleLogit;
             shown.show(row, logits, log_sum);
           });
}

std::vector<int32_t> OutputLayer::most_probable(const float* hidden, const StepRows& step,
                                                Workspace& room) const {
  std::vector<int32_t> ids(step.rows);
  LimitsByRow by_row(step.limits);
  const auto take = [&](int64_t row, const float* x, const auto& search) {
    if (!is_finite(x, output_.inputs())) throw_not_a_number();
    ids[row] = search(by_row.of(row));
  };
  if (!step.candidates.empty()) {
    each_row_of_candidates(hidden, step, room,
                           [&](int64_t row, const float* x, const RowLogits& logits) {
                             take(row, x, [&](const RowLimits& limits) {
                               if (limits.forced.empty())
                                 return most_probable_of(set_, logits, limits.banned);
                               return logits.token(logits.index(limits.forced.front().id));
                             });
                           });
    return ids;
  }
  const MaximumInnerProduct* search = can_search(room) ? &search_.of(output_, set_) : nullptr;
  room.search.searched = 0;
  each_row(hidden, step, search != nullptr ? search->rounded() : output_, room,
           [&](int64_t row, const float* x, std::span<float> logits) {
             take(row, x, [&](const RowLimits& limits) {
               if (!limits.forced.empty()) return limits.forced.front().id;
               if (search != nullptr) return search->find(x, logits, limits.banned, room.search);
               room.likely.choose(set_, logits, 1 + std::ssize(limits.banned), -1);
               return most_probable_of(set_, {room.likely.logits(), room.likely.outputs()},
                                       limits.banned);
             });
           });
  if (search != nullptr) room.pauses.note(room.search.searched, step.rows * search->panels());
  return ids;
}

// Screening is useless if all tokens are forced, as in scoring.
bool OutputLayer::can_screen(int64_t count, const StepRows& step,
                             const Distributions& distributions) const {
  return distributions.rows.empty() && std::ssize(step.limits.forced) < step.rows &&
         ScreenedLogits::suits(output_, set_, count);
}

bool OutputLayer::can_search(Workspace& room) const {
  return MaximumInnerProduct::suits(output_, set_) && room.pauses.is_over();
}

void check_widths(std::initializer_list<int64_t> widths, Precision precision) {
  const int64_t widest = std::max(widths);
  if (precision == Precision::kInt8 && widest > kWidestInt8)
    throw_error(ErrorKind::kUsage, "precision int8: found a width of {}, expected at most {}",
                widest, kWidestInt8);
}

}  // namespace heed
