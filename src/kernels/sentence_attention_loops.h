// Attention of a sentence and its gradient, head by head: its products are small, and those of
// usual sentences stay in the L1 cache. Included after dropout_loops.h and square_loops.h.
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

// Rows of `width` elements as a right factor: the rows themselves, or whole panels in `space`.
inline Rows right_factor(const float* x, int64_t stride, int64_t rows, int64_t width,
                         float* space) {
  if (width % kLanes == 0) return {x, stride};
  const int64_t padded = whole_tiles(width);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < padded; ++i) space[r * padded + i] = i < width ? x[r * stride + i] : 0;
  }
  return {space, padded};
}

// Transpose, [width][rows padded to whole panels].
inline Rows transposed(const float* x, int64_t stride, int64_t rows, int64_t width, float* space) {
  const int64_t padded = whole_tiles(rows), whole = width / kLanes * kLanes;
  for (int64_t first = 0; first < padded; first += kLanes) {
    for (int64_t i = 0; i < whole; i += kLanes) {
      Floats square[kLanes];
#pragma GCC unroll 16
      for (int r = 0; r < kLanes; ++r)
        square[r] = first + r < rows ? load<Floats>(x + (first + r) * stride + i) : Floats{};
      transpose_square(square);
#pragma GCC unroll 16
      for (int r = 0; r < kLanes; ++r) store(space + (i + r) * padded + first, square[r]);
    }
  }
  for (int64_t i = whole; i < width; ++i) {
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

// Weights times dropout factors, [queries, weight_stride].
inline const float* dropped(const SentenceAttention& view, int64_t head, const float* weights,
                            float* space) {
  if (view.dropout.keys == nullptr) return weights;
  for (int64_t t = 0; t < view.query_count; ++t) {
    const FactorsOfRow factors(view.dropout, head * view.query_count + t);
    const int64_t row = t * view.weight_stride;
    for (int64_t s = 0; s < whole_vectors(view.key_count); s += kLanes)
      store(space + row + s, factors.times(load<Floats>(weights + row + s), s));
  }
  return space;
}

// Turns the products of a query with its first `count` keys into its weights, in place.
inline void weigh_keys(const SentenceAttention& view, int64_t count, float* row) {
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

// The same for rows of kWide vectors whose keys are all readable, in registers.
template <int kWide>
inline void weigh_few_keys(float scale, int64_t count, float* row) {
  const Ints lanes = reinterpret_cast<Ints>(lane_numbers());
  Floats x[kWide], most = all(-__builtin_inff()), sums = {};
#pragma GCC unroll 4
  for (int v = 0; v < kWide; ++v) {
    const Ints is_key = lanes + v * kLanes < static_cast<int32_t>(count);
    x[v] = is_key ? load<Floats>(row + v * kLanes) * scale : all(-__builtin_inff());
    most = greater(x[v], most);
  }
  const float greatest = greatest_of(most);
#pragma GCC unroll 4
  for (int v = 0; v < kWide; ++v) {
    x[v] = exp_of(x[v] - greatest);
    sums += x[v];
  }
  const float factor = 1 / sum_of(sums);
#pragma GCC unroll 4
  for (int v = 0; v < kWide; ++v) store(row + v * kLanes, x[v] * factor);
}

// Turns the products of all queries of a head with all keys into the weights, in place.
inline void weigh(const SentenceAttention& view, float* weights) {
  const int64_t stride = view.weight_stride;
  for (int64_t t = 0; t < view.query_count; ++t) {
    float* row = weights + t * stride;
    const int64_t count = view.causal ? least(t + 1, view.key_count) : view.key_count;
    if (view.readable == nullptr && count > 0 && stride == kLanes) {
      weigh_few_keys<1>(view.scale, count, row);
    } else if (view.readable == nullptr && count > 0 && stride == 2 * kLanes) {
      weigh_few_keys<2>(view.scale, count, row);
    } else {
      weigh_keys(view, count, row);
    }
  }
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
    weigh(view, weights);
    const float* factors = dropped(view, h, weights, space.part[1]);
    const Rows values = right_factor(view.values + h * view.value_width, view.value_stride, keys,
                                     view.value_width, space.part[2]);
    small_product({factors, stride}, values, queries, keys, view.value_width,
                  view.context + h * view.value_width, view.context_stride);
  }
}

// Turns the gradient of the weights after dropout into that of Q Kᵀ, in place.
inline void softmax_backward(const SentenceAttention& view, int64_t head, const float* weights,
                             float* gradient) {
  const int64_t padded = whole_vectors(view.key_count);
  for (int64_t t = 0; t < view.query_count; ++t) {
    const FactorsOfRow factors(view.dropout, head * view.query_count + t);
    const float* p = weights + t * view.weight_stride;
    float* g = gradient + t * view.weight_stride;
    Floats sums = {};
    for (int64_t s = 0; s < padded; s += kLanes) {
      const Floats by_weight = factors.times(load<Floats>(g + s), s);
      sums += load<Floats>(p + s) * by_weight;
      store(g + s, by_weight);
    }
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
