// Attention of a sentence and its gradient, head by head: its products are small, those of
// usual sentences stay in the L1 cache. Included after vector_loops.h.
#pragma once

namespace heed {
namespace {

// A matrix of floats with any strides; the right factor of a product has rows of whole vectors.
struct Rows {
  const float* data;
  int64_t stride;    // between rows
  int64_t step = 1;  // between columns
};

// A register tile of y = a·b: kRows rows, kWide vectors.
template <int kRows, int kWide>
inline void small_tile(const Rows& a, const Rows& b, int64_t depth, int64_t columns, float* y,
                       int64_t y_stride) {
  Floats sums[kRows][kWide] = {};
  for (int64_t i = 0; i < depth; ++i) {
    Floats right[kWide];
    for (int v = 0; v < kWide; ++v) right[v] = load<Floats>(b.data + i * b.stride + v * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Floats left = all(a.data[r * a.stride + i * a.step]);
#pragma GCC unroll 2
      for (int v = 0; v < kWide; ++v) sums[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kWide; ++v) {
      const int64_t left = columns - v * kLanes;
      if (left >= kLanes) store(y + r * y_stride + v * kLanes, sums[r][v]);
      for (int64_t c = 0; left < kLanes && c < left; ++c)
        y[r * y_stride + v * kLanes + c] = sums[r][v][c];
    }
  }
}

using SmallTile = void (*)(const Rows&, const Rows&, int64_t, int64_t, float*, int64_t);
template <int kRows>
void narrow_tile(const Rows& a, const Rows& b, int64_t depth, int64_t columns, float* y,
                 int64_t y_stride) {
  small_tile<kRows, 1>(a, b, depth, columns, y, y_stride);
}
template <int kRows>
void wide_tile(const Rows& a, const Rows& b, int64_t depth, int64_t columns, float* y,
               int64_t y_stride) {
  small_tile<kRows, kVectors>(a, b, depth, columns, y, y_stride);
}
constexpr SmallTile kNarrowTiles[] = HEED_TILES(narrow_tile);
constexpr SmallTile kWideTiles[] = HEED_TILES(wide_tile);

// y [rows,columns] = a·b
inline void small_product(const Rows& a, const Rows& b, int64_t rows, int64_t depth,
                          int64_t columns, float* y, int64_t y_stride) {
  const int64_t tiles = (rows + kTileRows - 1) / kTileRows;
  for (int64_t column = 0; column < columns; column += kColumns) {
    const int64_t count = least(kColumns, columns - column);
    const SmallTile* tile = count > kLanes ? kWideTiles : kNarrowTiles;
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t first = i * rows / tiles, height = (i + 1) * rows / tiles - first;
      tile[height]({a.data + first * a.stride, a.stride, a.step}, {b.data + column, b.stride},
                   depth, count, y + first * y_stride + column, y_stride);
    }
  }
}

// Rows of `width` elements as a right factor: themselves, or in `space` as whole panels.
inline Rows right_factor(const float* x, int64_t stride, int64_t rows, int64_t width,
                         float* space) {
  if (width % kLanes == 0) return {x, stride};
  const int64_t padded = whole_panels(width);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < padded; ++i) space[r * padded + i] = i < width ? x[r * stride + i] : 0;
  }
  return {space, padded};
}

// The transpose, [width][rows padded to whole panels].
inline Rows transposed(const float* x, int64_t stride, int64_t rows, int64_t width, float* space) {
  const int64_t padded = whole_panels(rows);
  for (int64_t i = 0; i < width; ++i) {
    for (int64_t r = 0; r < rows; ++r) space[i * padded + r] = x[r * stride + i];
    for (int64_t r = rows; r < padded; ++r) space[i * padded + r] = 0;
  }
  return {space, padded};
}

// Work space of a head: four matrices of at most max(T,S) by max(D,V,S).
struct HeadSpace {
  explicit HeadSpace(const SentenceAttention& view) {
    const int64_t size = work_size(view) / 4;
    for (int i = 0; i < 4; ++i) part[i] = view.work + i * size;
  }
  float* part[4];
};

// Weights times dropout, [queries, weight_stride].
inline const float* dropped(const SentenceAttention& view, int64_t head, const float* weights,
                            float* space) {
  if (view.dropout == nullptr) return weights;
  for (int64_t t = 0; t < view.query_count; ++t) {
    const float* factors = view.dropout + (head * view.query_count + t) * view.dropout_stride;
    const int64_t row = t * view.weight_stride;
    for (int64_t s = 0; s < view.key_count; ++s) space[row + s] = weights[row + s] * factors[s];
  }
  return space;
}

// From the products of a query with all keys to its weights, in place.
inline void weigh_keys(const SentenceAttention& view, int64_t query, float* row) {
  const int64_t count = view.causal ? least(query + 1, view.key_count) : view.key_count;
  for (int64_t s = 0; s < whole_vectors(count); s += kLanes)
    store(row + s, load<Floats>(row + s) * view.scale);
  bool reads_any = view.readable == nullptr && count > 0;
  for (int64_t s = 0; view.readable != nullptr && s < count; ++s) {
    reads_any = reads_any || view.readable[s];
    if (!view.readable[s]) row[s] = -__builtin_inff();
  }
  if (reads_any) softmax(row, count);
  for (int64_t s = reads_any ? whole_vectors(count) : 0; s < view.weight_stride; s += kLanes)
    store(row + s, Floats{});
}

void attend_sentence(const SentenceAttention& view) {
  const HeadSpace space(view);
  const int64_t queries = view.query_count, keys = view.key_count, stride = view.weight_stride;
  for (int64_t h = 0; h < view.heads; ++h) {
    float* weights = view.weights + h * queries * stride;
    const Rows keys_across =
        transposed(view.keys + h * view.width, view.key_stride, keys, view.width, space.part[0]);
    small_product({view.queries + h * view.width, view.query_stride}, keys_across, queries,
                  view.width, whole_vectors(keys), weights, stride);
    for (int64_t t = 0; t < queries; ++t) weigh_keys(view, t, weights + t * stride);
    const float* factors = dropped(view, h, weights, space.part[1]);
    const Rows values = right_factor(view.values + h * view.value_width, view.value_stride, keys,
                                     view.value_width, space.part[2]);
    small_product({factors, stride}, values, queries, keys, view.value_width,
                  view.context + h * view.value_width, view.context_stride);
  }
}

// From the gradient of the weights after dropout to that of Q Kᵀ, in place.
inline void softmax_backward(const SentenceAttention& view, int64_t head, const float* weights,
                             float* gradient) {
  for (int64_t t = 0; t < view.query_count; ++t) {
    const float* p = weights + t * view.weight_stride;
    float* g = gradient + t * view.weight_stride;
    const int64_t padded = whole_vectors(view.key_count);
    if (view.dropout != nullptr) {
      const float* factors = view.dropout + (head * view.query_count + t) * view.dropout_stride;
      for (int64_t s = 0; s < view.key_count; ++s) g[s] *= factors[s];
    }
    Floats sums = {};
    for (int64_t s = 0; s < padded; s += kLanes) sums += load<Floats>(p + s) * load<Floats>(g + s);
    const float mean = sum_of(sums);
    for (int64_t s = 0; s < padded; s += kLanes)
      store(g + s, load<Floats>(p + s) * (load<Floats>(g + s) - mean) * view.scale);
  }
}

void attend_sentence_backward(const SentenceAttention& view,
                              const SentenceAttentionGradient& gradient) {
  const HeadSpace space(view);
  const int64_t queries = view.query_count, keys = view.key_count, stride = view.weight_stride;
  const int64_t width = view.width, value_width = view.value_width;
  for (int64_t h = 0; h < view.heads; ++h) {
    const float* weights = view.weights + h * queries * stride;
    const float* by_context = gradient.context + h * value_width;
    float* by_scores = space.part[0];
    const Rows values_across = transposed(view.values + h * value_width, view.value_stride, keys,
                                          value_width, space.part[2]);
    small_product({by_context, view.context_stride}, values_across, queries, value_width,
                  whole_vectors(keys), by_scores, stride);
    softmax_backward(view, h, weights, by_scores);
    const float* factors = dropped(view, h, weights, space.part[1]);
    const auto rows_of = [&](const float* x, int64_t x_stride, int64_t rows, int64_t columns) {
      return right_factor(x, x_stride, rows, columns, space.part[3]);
    };
    small_product({factors, 1, stride},
                  rows_of(by_context, view.context_stride, queries, value_width), keys, queries,
                  value_width, gradient.values + h * value_width, view.value_stride);
    small_product({by_scores, stride}, rows_of(view.keys + h * width, view.key_stride, keys, width),
                  queries, keys, width, gradient.queries + h * width, view.query_stride);
    small_product({by_scores, 1, stride},
                  rows_of(view.queries + h * width, view.query_stride, queries, width), keys,
                  queries, width, gradient.keys + h * width, view.key_stride);
  }
}

}  // namespace
}  // namespace heed
