#include "inference/vocabulary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/error.h"
#include "search/not_a_number.h"

namespace heed {

Embeddings::Embeddings(const VocabularyShape& shape, const Packer& packer)
    : target(std::make_shared<const std::vector<float>>(packer.vector("target.embedding"))) {
  source = shape.source_is_tied ? target
                                : std::make_shared<const std::vector<float>>(
                                      packer.vector("source_" + shape.source + ".embedding"));
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
  // Limits of a row; to be called once per row, in order.
  std::span<const Limits::Token> banned(int64_t row) { return of(banned_, next_banned_, row); }
  std::span<const Limits::Token> forced(int64_t row) { return of(forced_, next_forced_, row); }

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

// The logits of a row, which are those of its candidates; null: of the vocabulary.
struct RowLogits {
  std::span<float> values;
  const Ids* candidates;

  // Of a token; -1: it is no candidate.
  int64_t index(int32_t id) const {
    if (candidates == nullptr) return id;
    const auto found = std::ranges::lower_bound(*candidates, id);
    return found != candidates->end() && *found == id ? found - candidates->begin() : -1;
  }
  int32_t token(int32_t index) const {
    return candidates == nullptr || index < 0 ? index : (*candidates)[static_cast<size_t>(index)];
  }
};

struct RowResult {
  float log_sum;  // of the logits
  bool is_forced;
};

// The forced token alone.
void take_forced(const RowLogits& logits, int32_t id, float log_sum, int64_t begin, TopK& best) {
  std::fill_n(best.id.begin() + begin, best.count, -1);
  std::fill_n(best.log_probability.begin() + begin, best.count,
              -std::numeric_limits<double>::infinity());
  const int64_t index = logits.index(id);
  if (index < 0) return;
  best.id[begin] = id;
  best.log_probability[begin] = static_cast<double>(logits.values[index] - log_sum);
}

void ban(const RowLogits& logits, std::span<const Limits::Token> banned) {
  for (const auto& token : banned) {
    if (const int64_t index = logits.index(token.id); index >= 0)
      logits.values[index] = -std::numeric_limits<float>::infinity();
  }
}

// Replaces the logits of banned tokens.
RowResult best_of_row(const Kernels& set, const RowLogits& logits, int64_t row, LimitsByRow& limits,
                      AlignedFloats& values, TopK& best) {
  const auto size = std::ssize(logits.values);
  const int64_t begin = row * best.count;
  const float log_sum = set.log_sum_exp(logits.values.data(), size);
  if (!std::isfinite(log_sum)) throw_not_a_number();
  const auto banned = limits.banned(row), forced = limits.forced(row);
  if (!forced.empty()) {
    take_forced(logits, forced.front().id, log_sum, begin, best);
    return {log_sum, true};
  }
  ban(logits, banned);
  const int64_t count = std::min(best.count, size);
  values.resize(static_cast<size_t>(best.count));
  std::fill(values.begin(), values.end(), -std::numeric_limits<float>::infinity());
  std::fill_n(best.id.begin() + begin, best.count, -1);
  set.top_k(logits.values.data(), size, count, values.data(), best.id.data() + begin);
  for (int64_t i = 0; i < best.count; ++i) {
    best.id[begin + i] = logits.token(best.id[begin + i]);
    best.log_probability[begin + i] = static_cast<double>(values[i] - log_sum);
  }
  return {log_sum, false};
}

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

// Log-probabilities of the whole vocabulary; `logits` may be changed.
void show(const RowLogits& logits, float log_sum, int64_t row, int64_t vocabulary,
          const Distributions& distributions) {
  for (float& logit : logits.values) logit -= log_sum;
  if (logits.candidates == nullptr) return distributions.visit(row, logits.values);
  std::vector<float> all(static_cast<size_t>(vocabulary), -std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < logits.values.size(); ++i)
    all[static_cast<size_t>((*logits.candidates)[i])] = logits.values[i];
  distributions.visit(row, all);
}

}  // namespace

OutputLayer::OutputLayer(const VocabularyShape& shape, const Embeddings& embeddings, int64_t hidden,
                         const Packer& packer, const Kernels& set)
    : set_(set), hidden_(hidden) {
  std::vector<float> bias;
  if (shape.output_bias) bias = packer.vector("output.bias");
  if (shape.output_is_tied && hidden != shape.embedding)
    to_embedding_ = packer.linear({"output.to_embedding"});
  const int64_t size = std::ssize(*embeddings.target) / shape.embedding;
  output_ = shape.output_is_tied
                ? packer.packed({{size, shape.embedding}, *embeddings.target}, bias)
                : packer.packed(packer.matrix("output.weight"), bias);
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
  // Number of rows whose logits stay in the cache until they are searched.
  constexpr int64_t kBlock = 96;
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
void OutputLayer::each_row_of_logits(const float* hidden, const StepRows& step, Workspace& room,
                                     const Visit& visit) const {
  if (step.candidates.empty()) {
    each_row(hidden, step, output_, room,
             [&](int64_t row, const float* x, std::span<float> logits) {
               visit(row, x, RowLogits{logits, nullptr});
             });
    return;
  }
  room.candidates.update(step.candidates, output_);
  const int64_t hypotheses = step.rows / std::ssize(step.candidates);
  each_row(hidden, step, room.candidates.weights(), room,
           [&](int64_t row, const float* x, std::span<float> logits) {
             const Candidates& own = step.candidates[row / hypotheses];
             const auto columns = room.candidates.columns(own);
             room.own.resize(columns.size());
             for (size_t i = 0; i < columns.size(); ++i) room.own[i] = logits[columns[i]];
             visit(row, x, RowLogits{std::span(room.own.data(), columns.size()), own.get()});
           });
}

TopK OutputLayer::best(const float* hidden, int64_t count, const StepRows& step,
                       const Distributions& distributions, Workspace& room) const {
  count = std::min(count, output_.outputs());
  TopK best{count, std::vector<double>(step.rows * count), std::vector<int32_t>(step.rows * count)};
  LimitsByRow by_row(step.limits);
  auto wanted = distributions.rows.begin();
  each_row_of_logits(hidden, step, room, [&](int64_t row, const float*, const RowLogits& logits) {
    const RowResult result = best_of_row(set_, logits, row, by_row, room.values, best);
    if (wanted == distributions.rows.end() || *wanted != row) return;
    ++wanted;
    if (!result.is_forced) show(logits, result.log_sum, row, output_.outputs(), distributions);
  });
  return best;
}

std::vector<int32_t> OutputLayer::most_probable(const float* hidden, const StepRows& step,
                                                Workspace& room) const {
  std::vector<int32_t> ids(step.rows);
  LimitsByRow by_row(step.limits);
  const auto take = [&](int64_t row, const float* x, const RowLogits& logits, const auto& search) {
    if (!is_finite(x, output_.inputs())) throw_not_a_number();
    const auto banned = by_row.banned(row), forced = by_row.forced(row);
    ids[row] = forced.empty() ? search(banned)
                              : logits.token(static_cast<int32_t>(logits.index(forced.front().id)));
  };
  if (!can_search(step, room)) {
    each_row_of_logits(
        hidden, step, room, [&](int64_t row, const float* x, const RowLogits& logits) {
          take(row, x, logits,
               [&](const auto& banned) { return most_probable_of(set_, logits, banned); });
        });
    return ids;
  }
  const MaximumInnerProduct& search = inner_product_search();
  room.search.searched = 0;
  each_row(hidden, step, search.rounded(), room,
           [&](int64_t row, const float* x, std::span<float> logits) {
             take(row, x, {logits, nullptr},
                  [&](const auto& banned) { return search.find(x, logits, banned, room.search); });
           });
  room.pauses.note(room.search.searched, step.rows * search.panels());
  return ids;
}

bool OutputLayer::can_search(const StepRows& step, Workspace& room) const {
  return step.candidates.empty() && MaximumInnerProduct::suits(output_, set_) &&
         room.pauses.is_over();
}

const MaximumInnerProduct& OutputLayer::inner_product_search() const {
  std::call_once(search_is_made_,
                 [this] { search_ = std::make_unique<const MaximumInnerProduct>(output_, set_); });
  return *search_;
}

void check_widths(std::initializer_list<int64_t> widths, Precision precision) {
  const int64_t widest = std::max(widths);
  if (precision == Precision::kInt8 && widest > kWidestInt8)
    throw_error(ErrorKind::kUsage, "--precision int8: found a width of {}, expected at most {}",
                widest, kWidestInt8);
}

}  // namespace heed
