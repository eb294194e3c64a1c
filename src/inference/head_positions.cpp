#include "inference/head_positions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heed {

namespace {

constexpr int64_t kReady =
    512;  // positions and distances in a table; others are computed on demand

// Slopes of alibi (nn/attention/terms/alibi.cpp).
std::vector<float> alibi_slopes(int64_t heads) {
  const auto power = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads)));
  std::vector<float> slopes;
  for (int64_t h = 0; h < heads; ++h) {
    const double ordinal =
        h < power ? static_cast<double>(h + 1) : static_cast<double>(h - power) + 0.5;
    slopes.push_back(static_cast<float>(std::exp2(-8 * ordinal / static_cast<double>(power))));
  }
  return slopes;
}

int64_t bucket_of(const DistanceTermShape& term, int64_t distance) {
  const int64_t size = term.both ? std::abs(distance) : std::max<int64_t>(-distance, 0);
  const int64_t bucket =
      std::ranges::upper_bound(term.first_distances, size) - term.first_distances.begin();
  return bucket + (term.both && distance > 0 ? term.buckets / 2 : 0);
}

}  // namespace

HeadRotation::HeadRotation(const MultiHeadShape& shape) : frequencies_(shape.rotation) {
  table_.resize(2 * kReady * frequencies_.size());
  for (int64_t p = 0; p < kReady; ++p) write(p, table_.data() + 2 * p * std::ssize(frequencies_));
}

void HeadRotation::write(int64_t position, float* to) const {
  for (const double frequency : frequencies_) {
    const double angle = static_cast<double>(position) * frequency;
    *to++ = static_cast<float>(std::cos(angle));
    *to++ = static_cast<float>(std::sin(angle));
  }
}

void HeadRotation::operator()(float* x, int64_t heads, int64_t stride,
                              const std::vector<int64_t>& positions) const {
  const auto width = 2 * std::ssize(frequencies_);
  if (width == 0) return;
  std::vector<float> behind(static_cast<size_t>(width));
  for (const int64_t position : positions) {
    const float* turn = behind.data();
    if (position < kReady) {
      turn = table_.data() + position * width;
    } else {
      write(position, behind.data());
    }
    for (float* head = x; head < x + heads * width; head += width) {
      for (int64_t i = 0; i < width; i += 2) {
        const float first = head[i], second = head[i + 1], cos = turn[i], sin = turn[i + 1];
        head[i] = first * cos - second * sin;
        head[i + 1] = first * sin + second * cos;
      }
    }
    x += stride;
  }
}

DistanceBiases::DistanceBiases(const MultiHeadShape& shape, const names::AttentionNames& name,
                               const Packer& packer)
    : heads_(shape.heads), slopes_(alibi_slopes(shape.heads)) {
  for (const DistanceTermShape& term : shape.terms) {
    terms_.push_back({term, {}});
    if (term.buckets > 0) terms_.back().bias = packer.vector(name.term_bias(term.term));
  }
  if (empty()) return;
  for (int64_t h = 0; h < heads_; ++h) {
    for (int64_t distance = 1 - kReady; distance < kReady; ++distance)
      table_.push_back(of(h, distance));
  }
}

float DistanceBiases::of(int64_t head, int64_t distance) const {
  float sum = 0;
  for (const Term& term : terms_) {
    sum += term.shape.buckets > 0 ? term.bias[bucket_of(term.shape, distance) * heads_ + head]
                                  : -slopes_[head] * static_cast<float>(std::abs(distance));
  }
  return sum;
}

void DistanceBiases::add(const KeyRange& keys, int64_t stride, float* bias) const {
  if (empty()) return;
  const bool is_ready = keys.query < kReady && keys.count - keys.query <= kReady;
  const int64_t first = kReady - 1 - keys.query;
  for (int64_t h = 0; h < heads_; ++h, bias += stride) {
    const float* row = table_.data() + h * (2 * kReady - 1);
    for (int64_t key = 0; key < keys.count; ++key)
      bias[key] += is_ready ? row[first + key] : of(h, key - keys.query);
  }
}

RelativeVectors::RelativeVectors(const std::string& table, int64_t clip, bool to_vectors,
                                 const Packer& packer, const Kernels& set)
    : clip_(clip) {
  Array rows = packer.matrix(table);
  if (to_vectors) {
    Array columns{{rows.shape[1], rows.shape[0]}, std::vector<float>(rows.values.size())};
    for (int64_t r = 0; r < rows.shape[0]; ++r) {
      for (int64_t c = 0; c < rows.shape[1]; ++c)
        columns.values[c * rows.shape[0] + r] = rows.values[r * rows.shape[1] + c];
    }
    rows = std::move(columns);
  }
  vectors_ = PackedMatrix(set, Precision::kFloat, rows.values.data(), rows.shape[0], rows.shape[1]);
}

}  // namespace heed
