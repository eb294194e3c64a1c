#include "inference/state_attention.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "inference/transposed_keys.h"

namespace heed {

namespace {

using Score = StateAttentionShape::Score;

// Returns x if the matrix has no outputs, else its product in `room`.
const float* projected(const PackedMatrix& matrix, const float* x, int64_t rows,
                       AlignedFloats& room) {
  if (matrix.outputs() == 0) return x;
  room.resize(static_cast<size_t>(rows * matrix.outputs()));
  matrix.product(x, rows, room.data());
  return room.data();
}

}  // namespace

void CoverageSums::gather(const std::vector<int64_t>& rows) {
  std::vector<AlignedFloats> taken;
  for (const int64_t row : rows) taken.push_back(sums_[row]);
  sums_ = std::move(taken);
}

void CoverageSums::join(const CoverageSums& more) {
  sums_.insert(sums_.end(), more.sums_.begin(), more.sums_.end());
}

StateAttention::StateAttention(const StateAttentionShape& shape, const std::string& name,
                               size_t number, const Packer& packer, const Kernels& set)
    : shape_(shape), number_(number), value_width_(shape.context()), set_(set) {
  if (!shape_.reads()) return;
  const names::AttentionNames own(name);
  const bool is_additive = shape_.score == Score::kAdditive;
  if (is_additive || shape_.projects) query_ = packer.linear({own.query});
  if (shape_.score != Score::kDot || shape_.projects) key_ = packer.linear({own.key});
  if (is_additive) {
    v_ = packer.aligned(own.v);
    if (shape_.has_coverage) coverage_ = packer.aligned(own.coverage);
  }
  if (shape_.projects_values) {
    value_ = packer.linear({own.value});
    heads_ = packer.linear({own.output});
  }
}

const float* StateAttention::keys_of(const float* x, int64_t count, AlignedFloats& room) const {
  return projected(key_, x, count, room);
}

const float* StateAttention::values_of(const float* x, int64_t count, AlignedFloats& room) const {
  return projected(value_, x, count, room);
}

void StateAttention::set_source(const float* keys, const float* values, int64_t count,
                                SourceStates& source) const {
  source.keys = count;
  source.padded = filled_up(count, kSumLanes);
  if (shape_.score == Score::kAdditive) {
    source.keys_of.assign(keys, keys + count * shape_.width);
  } else {
    source.keys_of.resize(static_cast<size_t>(shape_.width * source.padded));
    transpose_keys(keys, count, shape_.width, shape_.width, source.padded, source.keys_of.data());
  }
  source.values_of.assign(values, values + count * value_width_);
}

void StateAttention::add_sources(const Encoded& encoded, std::vector<AttendedSources>& to) const {
  const std::vector<int64_t>& begins = encoded.begins;
  AlignedFloats key_room, value_room;
  const float* keys = keys_of(encoded.states.data(), begins.back(), key_room);
  const float* values = values_of(encoded.read().data(), begins.back(), value_room);
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    SourceStates& source = to[i].emplace_back();
    if (!shape_.reads()) continue;
    set_source(keys + begins[i] * shape_.width, values + begins[i] * value_width_,
               begins[i + 1] - begins[i], source);
  }
}

void StateAttention::attend(const float* states, const Sentences<AttendedSources>& sentences,
                            StepWeights* weights, CoverageSums& coverage, Workspace& room,
                            AlignedFloats& context) const {
  if (!shape_.reads()) return;
  const int64_t rows = sentences.rows();
  const float* queries = queries_of(states, rows, room.queries);
  AlignedFloats& joined = shape_.projects_values ? room.context : context;
  joined.resize(static_cast<size_t>(rows * value_width_));
  for (int64_t row = 0; row < rows; row += sentences.hypotheses()) {
    const Group group{.source = sentences.of(row)[number_],
                      .first = row,
                      .count = sentences.hypotheses(),
                      .queries = queries + row * shape_.width,
                      .context = joined.data() + row * value_width_,
                      .mean = weights != nullptr ? weights->of(row) : nullptr,
                      .mean_stride = weights != nullptr ? weights->stride() : 0};
    attend(group, shape_.has_coverage ? &coverage : nullptr, room);
  }
  if (!shape_.projects_values) return;
  context.resize(joined.size());
  heads_.product(joined.data(), rows, context.data());
  for (int64_t row = 0; row < rows; ++row) {
    if (sentences.of(row)[number_].keys == 0)
      std::fill_n(context.data() + row * value_width_, value_width_, 0.0F);
  }
}

void StateAttention::attend_sentence(const SourceStates& source, const float* states, int64_t rows,
                                     Workspace& room, float* context) const {
  if (source.keys == 0) {
    std::fill_n(context, rows * value_width_, 0.0F);
    return;
  }
  const float* queries = queries_of(states, rows, room.queries);
  room.context.resize(static_cast<size_t>(rows * value_width_));
  attend({.source = source,
          .first = 0,
          .count = rows,
          .queries = queries,
          .context = room.context.data(),
          .mean = nullptr,
          .mean_stride = 0},
         nullptr, room);
  if (shape_.projects_values) {
    heads_.product(room.context.data(), rows, context);
  } else {
    std::ranges::copy(room.context, context);
  }
}

void StateAttention::attend(const Group& group, CoverageSums* coverage, Workspace& room) const {
  if (group.source.keys == 0) {
    std::fill_n(group.context, group.count * value_width_, 0.0F);
    return;
  }
  room.scores.resize(static_cast<size_t>(kQueriesTogether * group.source.padded));
  if (shape_.score == Score::kAdditive) {
    attend_additive(group, coverage, room);
  } else {
    attend_by_products(group, room.scores);
  }
}

// Multiplies them by 1/√D if the score does.
const float* StateAttention::queries_of(const float* states, int64_t rows,
                                        AlignedFloats& room) const {
  const float* queries = projected(query_, states, rows, room);
  if (!shape_.scales) return queries;
  const auto root = std::sqrt(static_cast<double>(shape_.width / shape_.heads));
  room.resize(static_cast<size_t>(rows * shape_.width));
  for (size_t i = 0; i < room.size(); ++i) room[i] = queries[i] * static_cast<float>(1 / root);
  return room.data();
}

void StateAttention::attend_by_products(const Group& group, AlignedFloats& scores) const {
  set_.attend({.queries = group.queries,
               .query_count = group.count,
               .query_stride = shape_.width,
               .keys = {group.source.keys_of.data()},
               .values = {group.source.values_of.data()},
               .key_count = group.source.keys,
               .padded = group.source.padded,
               .value_stride = value_width_,
               .heads = shape_.heads,
               .width = shape_.width / shape_.heads,
               .value_width = value_width_ / shape_.heads,
               .scores = scores.data(),
               .context = group.context,
               .context_stride = value_width_,
               .mean = group.mean,
               .mean_stride = group.mean_stride});
}

void StateAttention::attend_additive(const Group& group, CoverageSums* coverage,
                                     Workspace& room) const {
  const SourceStates& source = group.source;
  const int64_t heads = shape_.heads, width = shape_.width / heads,
                value_width = value_width_ / heads, keys = source.keys;
  float* scores = room.scores.data();
  for (int64_t q = 0; q < group.count; ++q) {
    float* sums =
        coverage != nullptr ? coverage->of(group.first + q, heads * keys).data() : nullptr;
    for (int64_t h = 0; h < heads; ++h) {
      set_.additive_scores(
          {.width = width,
           .query_count = 1,
           .key_count = keys,
           .queries = group.queries + q * shape_.width + h * width,
           .keys = sums == nullptr ? source.keys_of.data() + h * width
                                   : covered(source, sums + h * keys, h, room.covered_keys),
           .key_stride = sums == nullptr ? shape_.width : width,
           .v = v_.data() + h * width},
          scores);
      const int64_t column = h * value_width;
      set_.weigh(scores, keys, source.values_of.data() + column, value_width_, value_width,
                 group.context + q * value_width_ + column);
      if (sums != nullptr) set_.add(scores, keys, sums + h * keys);
      if (group.mean == nullptr) continue;
      float* mean = group.mean + q * group.mean_stride;
      for (int64_t s = 0; s < keys; ++s) mean[s] += scores[s] / static_cast<float>(heads);
    }
  }
}

const float* StateAttention::covered(const SourceStates& source, const float* sums, int64_t h,
                                     AlignedFloats& keys) const {
  const int64_t width = shape_.width / shape_.heads;
  keys.resize(static_cast<size_t>(source.keys * width));
  for (int64_t s = 0; s < source.keys; ++s) {
    const float* key = source.keys_of.data() + s * shape_.width + h * width;
    for (int64_t i = 0; i < width; ++i)
      keys[s * width + i] = key[i] + sums[s] * coverage_[h * width + i];
  }
  return keys.data();
}

}  // namespace heed
