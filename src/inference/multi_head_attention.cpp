#include "inference/multi_head_attention.h"

#include <algorithm>

#include "inference/transposed_keys.h"

namespace heed {

namespace {

NumbersView from(const NumbersView& numbers, int64_t at) {
  return {numbers.floats == nullptr ? nullptr : numbers.floats + at,
          numbers.halves == nullptr ? nullptr : numbers.halves + at};
}

// Attention of all heads of a view, whose keys and values have `shared` heads. chosen: the heads
// whose mean weights are wanted; empty: all
void attend_heads(const Kernels& set, const AttentionView& view, int64_t shared,
                  const std::vector<int64_t>& chosen = {}) {
  if (view.heads == shared && chosen.empty()) return set.attend(view);
  for (int64_t h = 0; h < view.heads; ++h) {
    const int64_t key_head = h * shared / view.heads;
    AttentionView head = view;
    head.heads = 1;
    head.queries += h * view.width;
    head.context += h * view.value_width;
    head.keys = from(view.keys, key_head * view.width * view.padded);
    head.values = from(view.values, key_head * view.value_width);
    if (!chosen.empty() && std::ranges::find(chosen, h) == chosen.end()) head.mean = nullptr;
    set.attend(head);
  }
  if (view.mean == nullptr) return;
  const auto count = chosen.empty() ? view.heads : std::ssize(chosen);
  for (int64_t q = 0; q < view.query_count; ++q) {
    float* mean = view.mean + q * view.mean_stride;
    for (int64_t k = 0; k < view.key_count; ++k) mean[k] /= static_cast<float>(count);
  }
}

}  // namespace

SelfAttention::SelfAttention(const MultiHeadShape& shape, const names::AttentionNames& name,
                             const Packer& packer, const Kernels& set)
    : shape_(shape),
      set_(set),
      norms_(shape, name, packer),
      rotation_(shape),
      biases_(shape, name, packer),
      queries_keys_values_(packer.linear({name.query, name.key, name.value})),
      output_(packer.linear({name.output})) {
  if (shape.key_clip)
    relative_keys_ = RelativeVectors(name.key_table, *shape.key_clip, false, packer, set);
  if (shape.value_clip)
    relative_values_ = RelativeVectors(name.value_table, *shape.value_clip, true, packer, set);
}

void SelfAttention::project(const float* x, const std::vector<int64_t>& positions,
                            Workspace& room) const {
  const auto rows = std::ssize(positions);
  room.projected.resize(static_cast<size_t>(rows * stride()));
  room.context.resize(static_cast<size_t>(rows * shape_.contexts()));
  queries_keys_values_.product(x, rows, room.projected.data());
  float *queries = room.projected.data(), *keys = queries + shape_.queries();
  norms_.queries(queries, rows, stride(), set_);
  norms_.keys(keys, rows, stride(), set_);
  rotation_(queries, shape_.heads, stride(), positions);
  rotation_(keys, shape_.key_value_heads, stride(), positions);
  if (shape_.has_distances()) start_distances(rows, room);
}

void SelfAttention::start_distances(int64_t rows, Workspace& room) const {
  if (!relative_keys_.empty()) {
    room.queries.resize(static_cast<size_t>(rows * shape_.queries()));
    for (int64_t r = 0; r < rows; ++r)
      std::copy_n(room.projected.data() + r * stride(), shape_.queries(),
                  room.queries.data() + r * shape_.queries());
    room.scores_by_distance.resize(
        static_cast<size_t>(rows * shape_.heads * relative_keys_.count()));
    relative_keys_.vectors().product(room.queries.data(), rows * shape_.heads,
                                     room.scores_by_distance.data());
  }
  if (!relative_values_.empty())
    room.weights_by_distance.assign(
        static_cast<size_t>(rows * shape_.heads * relative_values_.count()), 0.0F);
}

void SelfAttention::attend_rows(int64_t row, const KeyRange& keys, RowsView view,
                                Workspace& room) const {
  const int64_t padded = filled_up(keys.count, kSumLanes), heads = shape_.heads;
  room.scores.resize(static_cast<size_t>(heads * padded));
  if (shape_.key_clip || !biases_.empty()) {
    room.bias.assign(static_cast<size_t>(heads * padded), 0.0F);
    biases_.add(keys, padded, room.bias.data());
    for (int64_t h = 0; h < heads && shape_.key_clip; ++h) {
      const float* scores =
          room.scores_by_distance.data() + (row * heads + h) * relative_keys_.count();
      for (int64_t key = 0; key < keys.count; ++key)
        room.bias[h * padded + key] += scores[relative_keys_.row(key - keys.query)];
    }
    view.bias = room.bias.data();
    view.bias_stride = padded;
  }
  view.query = room.projected.data() + row * stride();
  view.count = keys.count;
  view.heads = heads;
  view.key_value_heads = shape_.key_value_heads;
  view.width = shape_.width;
  view.value_width = shape_.value_width;
  view.weights = room.scores.data();
  view.weight_stride = padded;
  view.context = room.context.data() + row * shape_.contexts();
  set_.attend_rows(view);
  for (int64_t h = 0; h < heads && shape_.value_clip; ++h) {
    float* weights = room.weights_by_distance.data() + (row * heads + h) * relative_values_.count();
    for (int64_t key = 0; key < keys.count; ++key)
      weights[relative_values_.row(key - keys.query)] += room.scores[h * padded + key];
  }
}

void SelfAttention::finish_distances(int64_t rows, Workspace& room) const {
  if (relative_values_.empty()) return;
  room.queries.resize(static_cast<size_t>(rows * shape_.contexts()));
  relative_values_.vectors().product(room.weights_by_distance.data(), rows * shape_.heads,
                                     room.queries.data());
  set_.add(room.queries.data(), rows * shape_.contexts(), room.context.data());
}

void SelfAttention::attend_sentence(int64_t begin, int64_t count, Workspace& room) const {
  const float* queries = room.projected.data() + begin * stride();
  const float *keys = queries + shape_.queries(), *values = keys + shape_.keys();
  if (shape_.has_distances() || shape_.causal) {
    for (int64_t i = 0; i < count; ++i) {
      attend_rows(
          begin + i, {i, shape_.causal ? i + 1 : count},
          {.keys = {keys}, .values = {values}, .key_stride = stride(), .value_stride = stride()},
          room);
    }
    return;
  }
  const int64_t padded = filled_up(count, kSumLanes);
  room.keys.resize(static_cast<size_t>(shape_.keys() * padded));
  room.scores.resize(static_cast<size_t>(kQueriesTogether * padded));
  transpose_keys(keys, count, stride(), shape_.keys(), padded, room.keys.data());
  attend_heads(set_,
               {.queries = queries,
                .query_count = count,
                .query_stride = stride(),
                .keys = {room.keys.data()},
                .values = {values},
                .key_count = count,
                .padded = padded,
                .value_stride = stride(),
                .heads = shape_.heads,
                .width = shape_.width,
                .value_width = shape_.value_width,
                .scores = room.scores.data(),
                .context = room.context.data() + begin * shape_.contexts(),
                .context_stride = shape_.contexts()},
               shape_.key_value_heads);
}

void SelfAttention::attend_sentences(const std::vector<int64_t>& begins,
                                     const std::vector<int64_t>& positions, const float* x,
                                     float* y, Workspace& room) const {
  project(x, positions, room);
  for (size_t i = 0; i + 1 < begins.size(); ++i)
    attend_sentence(begins[i], begins[i + 1] - begins[i], room);
  finish_distances(begins.back(), room);
  output_.product(room.context.data(), begins.back(), y);
}

void SelfAttention::attend_past(TargetMemory& past, int64_t layer,
                                const std::vector<int64_t>& positions, const float* x, float* y,
                                Workspace& room) const {
  project(x, positions, room);
  const int64_t rows = past.rows();
  for (int64_t r = 0; r < rows; ++r) {
    const float* keys = room.projected.data() + r * stride() + shape_.queries();
    past.write_last(layer, r, keys, keys + shape_.keys());
  }
  // attend_past() has one width and no shared heads.
  const bool is_plain = shape_.heads == shape_.key_value_heads &&
                        shape_.width == shape_.value_width && !shape_.has_distances();
  for (int64_t r = 0; r < rows; ++r) {
    const std::vector<int32_t>& path = past.path(r);
    const auto count = std::ssize(path);
    if (!is_plain) {
      attend_rows(r, {positions[r], count},
                  {.keys = past.keys(layer),
                   .values = past.values(layer),
                   .rows = path.data(),
                   .key_stride = shape_.keys(),
                   .value_stride = shape_.values()},
                  room);
      continue;
    }
    room.scores.resize(static_cast<size_t>(filled_up(count, kSumLanes)));
    set_.attend_past({.query = room.projected.data() + r * stride(),
                      .keys = past.keys(layer),
                      .values = past.values(layer),
                      .slots = path.data(),
                      .count = count,
                      .heads = shape_.heads,
                      .width = shape_.width,
                      .scores = room.scores.data(),
                      .context = room.context.data() + r * shape_.contexts()});
  }
  finish_distances(rows, room);
  output_.product(room.context.data(), rows, y);
}

CrossAttention::CrossAttention(const MultiHeadShape& shape, const names::AttentionNames& name,
                               const Packer& packer, const Kernels& set)
    : shape_(shape),
      set_(set),
      norms_(shape, name, packer),
      queries_(packer.linear({name.query})),
      keys_values_(packer.linear({name.key, name.value})),
      output_(packer.linear({name.output})) {}

void CrossAttention::project_source(const float* x, int64_t tokens, Workspace& room) const {
  const int64_t stride = shape_.keys() + shape_.values();
  room.projected.resize(static_cast<size_t>(tokens * stride));
  keys_values_.product(x, tokens, room.projected.data());
  norms_.keys(room.projected.data(), tokens, stride, set_);
}

void CrossAttention::attend(const Sentences<SourceMemory>& sentences, int64_t layer,
                            const std::vector<int64_t>& positions, const float* x, float* y,
                            StepWeights* weights, const std::vector<int64_t>& chosen,
                            Workspace& room) const {
  const auto rows = std::ssize(positions);
  room.queries.resize(static_cast<size_t>(rows * shape_.queries()));
  room.context.resize(static_cast<size_t>(rows * shape_.contexts()));
  queries_.product(x, rows, room.queries.data());
  norms_.queries(room.queries.data(), rows, shape_.queries(), set_);
  // Hypotheses that may have read different parts of the source attend one by one.
  const int64_t together = shape_.reading ? 1 : sentences.hypotheses();
  for (int64_t row = 0; row < rows; row += together) {
    AttentionView view = sentences.of(row).view(layer);
    if (shape_.reading)
      view.key_count = std::min(view.key_count, shape_.reading->tokens_read(positions[row] + 1));
    room.scores.resize(static_cast<size_t>(kQueriesTogether * view.padded));
    view.queries = room.queries.data() + row * shape_.queries();
    view.query_count = together;
    view.query_stride = shape_.queries();
    view.heads = shape_.heads;
    view.width = shape_.width;
    view.value_width = shape_.value_width;
    view.scores = room.scores.data();
    view.context = room.context.data() + row * shape_.contexts();
    view.context_stride = shape_.contexts();
    view.mean = weights == nullptr ? nullptr : weights->of(row);
    view.mean_stride = weights == nullptr ? 0 : weights->stride();
    attend_heads(set_, view, shape_.key_value_heads,
                 weights == nullptr ? std::vector<int64_t>() : chosen);
  }
  output_.product(room.context.data(), rows, y);
}

}  // namespace heed
