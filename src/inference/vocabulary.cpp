#include "inference/vocabulary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/error.h"
#include "search/not_a_number.h"

namespace heed {

Embeddings::Embeddings(const VocabularyShape& shape, const Packer& packer)
    : target(packer.matrix(names::kTargetEmbedding)) {
  std::map<std::string, PackedMatrix> own;
  for (const SourceShape& source : shape.sources) {
    const auto [found, is_new] = own.try_emplace(source.embedding, target);
    if (is_new && !shape.source_is_tied)
      found->second = packer.matrix(names::source_embedding(source.embedding));
    sources.push_back(found->second);
  }
  if (shape.target_tag) target_tag = packer.vector(names::kTargetTag);
}

void embed_tokens(const PackedMatrix& embedding, const std::vector<int32_t>& tokens, float* to,
                  int64_t stride) {
  for (const int32_t token : tokens) {
    embedding.row(token < embedding.outputs() ? token : kUnknown, to);
    to += stride;
  }
}

namespace {

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

}  // namespace

OutputLayer::OutputLayer(const VocabularyShape& shape, const Embeddings& embeddings,
                         const Packer& packer, const Kernels& set)
    : set_(set), hidden_(shape.output.hidden) {
  std::vector<float> bias;
  if (shape.output.bias) bias = packer.vector(names::bias(names::kOutputLayer));
  const auto layer = [&](const std::string& name) {
    return packer.layer(name, shape.output.is_normed);
  };
  if (shape.output_is_tied && hidden_ != shape.embedding)
    to_embedding_ = layer(names::kToEmbedding);
  output_ = shape.output_is_tied ? embeddings.target.with_bias(bias) : layer(names::kOutputLayer);
}

const float* OutputLayer::output_inputs(const float* hidden, int64_t rows, Workspace& room) const {
  if (to_embedding_.outputs() == 0) return hidden;
  room.embedded.resize(static_cast<size_t>(rows * to_embedding_.outputs()));
  to_embedding_.product(hidden, rows, room.embedded.data());
  return room.embedded.data();
}

template <class Take>
void OutputLayer::each_product(const float* hidden, int64_t rows, const PackedMatrix& weights,
                               Workspace& room, const Take& take) const {
  constexpr int64_t kBlock = 96;  // rows whose logits exist at the same time
  const int64_t size = weights.outputs();
  for (int64_t first = 0; first < rows; first += kBlock) {
    const int64_t count = std::min(rows - first, kBlock);
    const float* x = output_inputs(hidden + first * hidden_, count, room);
    room.logits.resize(static_cast<size_t>(count * size));
    weights.product(x, count, room.logits.data());
    for (int64_t i = 0; i < count; ++i) {
      const std::span logits(room.logits.data() + i * size, static_cast<size_t>(size));
      take(first + i, x + i * weights.inputs(), logits);
    }
  }
}

void OutputLayer::each_row(const float* hidden, int64_t rows, Workspace& room,
                           const Visit& visit) const {
  each_product(hidden, rows, output_, room,
               [&](int64_t row, const float*, std::span<float> logits) { visit(row, logits); });
}

template <class Take>
void OutputLayer::each_row_of_candidates(const float* hidden, const StepRows& step, Workspace& room,
                                         const Take& take) const {
  room.candidates.update(step.candidates, output_);
  const int64_t hypotheses = step.hypotheses();
  each_product(hidden, step.rows, room.candidates.weights(), room,
               [&](int64_t row, const float* x, std::span<const float> all) {
                 const Candidates& own = step.candidates[row / hypotheses];
                 const auto columns = room.candidates.columns(own);
                 room.own.resize(columns.size());
                 for (size_t i = 0; i < columns.size(); ++i) room.own[i] = all[columns[i]];
                 take(row, x, RowLogits{room.own, *own});
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
  each_product(hidden, step.rows, screened != nullptr ? screened->rounded() : output_, room,
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
  each_product(hidden, step.rows, search != nullptr ? search->rounded() : output_, room,
               [&](int64_t row, const float* x, std::span<float> logits) {
                 take(row, x, [&](const RowLimits& limits) {
                   if (!limits.forced.empty()) return limits.forced.front().id;
                   if (search != nullptr)
                     return search->find(x, logits, limits.banned, room.search);
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
