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

struct RowResult {
  float log_sum;  // of the logits
  bool is_forced;
};

// Replaces the logits of banned tokens.
RowResult best_of_row(const Kernels& set, std::span<float> logits, int64_t row, LimitsByRow& limits,
                      AlignedFloats& values, TopK& best) {
  const auto size = std::ssize(logits);
  const int64_t begin = row * best.count;
  const float log_sum = set.log_sum_exp(logits.data(), size);
  if (!std::isfinite(log_sum)) throw_not_a_number();
  const auto probability = [log_sum](float logit) { return static_cast<double>(logit - log_sum); };
  const auto banned = limits.banned(row), forced = limits.forced(row);
  if (!forced.empty()) {
    std::fill_n(best.id.begin() + begin, best.count, -1);
    std::fill_n(best.log_probability.begin() + begin, best.count,
                -std::numeric_limits<double>::infinity());
    best.id[begin] = forced.front().id;
    best.log_probability[begin] = probability(logits[forced.front().id]);
    return {log_sum, true};
  }
  for (const auto& token : banned) logits[token.id] = -std::numeric_limits<float>::infinity();
  values.resize(static_cast<size_t>(best.count));
  set.top_k(logits.data(), size, best.count, values.data(), best.id.data() + begin);
  for (int64_t i = 0; i < best.count; ++i) best.log_probability[begin + i] = probability(values[i]);
  return {log_sum, false};
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

void OutputLayer::project(const float* hidden, int64_t rows, Workspace& room) const {
  room.logits.resize(static_cast<size_t>(rows * output_.outputs()));
  const float* x = hidden;
  if (to_embedding_.outputs() > 0) {
    room.embedded.resize(static_cast<size_t>(rows * to_embedding_.outputs()));
    to_embedding_.product(hidden, rows, room.embedded.data());
    x = room.embedded.data();
  }
  output_.product(x, rows, room.logits.data());
}

TopK OutputLayer::best(const float* hidden, int64_t rows, int64_t count, const Limits& limits,
                       const Distributions& distributions, Workspace& room) const {
  const int64_t size = output_.outputs();
  count = std::min(count, size);
  TopK best{count, std::vector<double>(rows * count), std::vector<int32_t>(rows * count)};
  // Number of rows whose logits stay in the cache until they are searched.
  constexpr int64_t kBlock = 96;
  LimitsByRow by_row(limits);
  auto wanted = distributions.rows.begin();
  for (int64_t first = 0; first < rows; first += kBlock) {
    const int64_t end = std::min(rows, first + kBlock);
    project(hidden + first * hidden_, end - first, room);
    for (int64_t row = first; row < end; ++row) {
      const std::span logits(room.logits.data() + (row - first) * size, static_cast<size_t>(size));
      const RowResult result = best_of_row(set_, logits, row, by_row, room.values, best);
      if (wanted == distributions.rows.end() || *wanted != row) continue;
      ++wanted;
      if (result.is_forced) continue;
      for (float& logit : logits) logit -= result.log_sum;
      distributions.visit(row, logits);
    }
  }
  return best;
}

void check_widths(std::initializer_list<int64_t> widths, Precision precision) {
  constexpr int64_t kWidest = 65'536;
  const int64_t widest = std::max(widths);
  if (precision == Precision::kInt8 && widest > kWidest)
    throw_error(ErrorKind::kUsage, "--precision int8: found a width of {}, expected at most {}",
                widest, kWidest);
}

}  // namespace heed
