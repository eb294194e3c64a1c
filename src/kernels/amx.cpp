// Products of bfloat16 and int8 with AMX tiles; the other kernels are those of AVX-512.
//
// A tile has 16 rows of 64 bytes. A panel (MatrixView) is two tiles wide in both formats: four
// bytes of a row of x meet four bytes of each output. Own code for the reason given in kernels.h.
//
// No inline function of the standard library may be used here (vector_loops.h).
#if defined(__x86_64__)
#include <immintrin.h>

#include "kernels/sets.h"

namespace heed {

namespace {

constexpr int64_t kTileRows = 16, kTileBytes = 64;
constexpr int64_t kLine = 64;                             // bytes of a cache line
constexpr int64_t kColumns = 32;                          // of a panel
constexpr int64_t kPanelStride = 4 * kColumns;            // bytes between rows of its tiles
constexpr int64_t kPanelStep = kTileRows * kPanelStride;  // bytes for kTileBytes of a row of x
constexpr int64_t kBlock = 16 * kTileRows;                // rows that stay in the L2 cache
constexpr int64_t kResult = 2 * kTileRows * kColumns;     // elements of a result of four tiles
// Number of steps of a long row that are multiplied together: this part of a block of rows stays in
// the L2 cache.
constexpr int64_t kSteps = 64;
// Panels up to this number of bytes, and rows up to this number of steps, stay in the caches: then
// a tile of rows meets all panels before the next.
constexpr int64_t kCached = 512 * 1024, kShortSteps = 16;

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// Finishes writes before a tile is loaded: the intrinsics do not declare that they read memory.
inline void finish_writes() { __asm__ volatile("" ::: "memory"); }

// Tiles 0 to 3 hold the result: 0 and 1 the first 16 rows, 2 and 3 the next 16 rows. Tiles 4 and 5
// hold x, 6 and 7 the panel. rows: number of rows in tiles 0, 1 and 4, for fewer than 16 rows.
void configure_tiles(int64_t rows) {
  struct alignas(64) {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t bytes[16] = {};
    uint8_t rows[16] = {};
  } config;
  for (int tile = 0; tile < 8; ++tile) {
    config.bytes[tile] = kTileBytes;
    config.rows[tile] = kTileRows;
  }
  for (const int tile : {0, 1, 4}) config.rows[tile] = static_cast<uint8_t>(rows);
  finish_writes();
  _tile_loadconfig(&config);
}

struct Halves {
  static inline void add_first() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
  }
  static inline void add_second() {
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
};
struct Bytes {
  static inline void add_first() {
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
  }
  static inline void add_second() {
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
};

inline void clear_result() {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
}

// Adds the products of kTileBytes of each row. kTiles: number of tiles of rows, one or two.
template <class Format, int kTiles>
inline void add_step(const uint8_t* x, int64_t stride, const uint8_t* panel) {
  _tile_loadd(6, panel, kPanelStride);
  _tile_loadd(7, panel + kTileBytes, kPanelStride);
  _tile_loadd(4, x, stride);
  Format::add_first();
  if constexpr (kTiles == 2) {
    _tile_loadd(5, x + kTileRows * stride, stride);
    Format::add_second();
  }
}

// Rows of x as bytes. `rest` holds the bytes after the last whole step, padded with zeros.
struct Rows {
  const uint8_t* bytes;
  int64_t stride;  // bytes between rows
  int64_t depth;   // bytes of a row
  const uint8_t* rest;
  int64_t steps() const { return depth / kTileBytes; }
  bool has_rest() const { return depth % kTileBytes != 0; }
  Rows from(int64_t row) const {
    return {bytes + row * stride, stride, depth, rest + row * kTileBytes};
  }
};
// A panel of weights. Weights that do not fit in any cache are prefetched while others are
// multiplied: each step of a tile prefetches ahead_step bytes of the next panel, starting at
// `ahead`. It prefetches into L2, which takes more prefetches at a time than L1 and feeds the tiles
// at full speed.
struct Panel {
  const uint8_t *bytes, *rest;
  const uint8_t* ahead = nullptr;
  int64_t ahead_step = 0;

  void fetch_ahead(int64_t step) const {
    constexpr int kForReading = 0, kIntoL2 = 2;
    const uint8_t* begin = ahead + step * ahead_step;
    for (int64_t line = 0; line < ahead_step; line += kLine)
      __builtin_prefetch(begin + line, kForReading, kIntoL2);
  }
};

template <class Format, int kTiles>
inline void add_products(const Rows& x, const Panel& panel) {
  for (int64_t step = 0; step < x.steps(); ++step) {
    panel.fetch_ahead(step);
    add_step<Format, kTiles>(x.bytes + step * kTileBytes, x.stride,
                             panel.bytes + step * kPanelStep);
  }
  if (x.has_rest()) add_step<Format, kTiles>(x.rest, kTileBytes, panel.rest);
}

template <int kTiles>
inline void store_tiles(void* result, int64_t stride) {  // stride: in bytes
  auto* bytes = static_cast<uint8_t*>(result);
  _tile_stored(0, bytes, stride);
  _tile_stored(1, bytes + kTileBytes, stride);
  if constexpr (kTiles == 2) {
    _tile_stored(2, bytes + kTileRows * stride, stride);
    _tile_stored(3, bytes + kTileRows * stride + kTileBytes, stride);
  }
}

inline __mmask16 mask_of(int64_t count) {  // the first `count` lanes
  return static_cast<__mmask16>(count >= 16 ? 0xFFFF : count <= 0 ? 0 : (1 << count) - 1);
}

// Columns of y that a panel of w writes, in halves of 16 columns.
struct Place {
  float* y;
  int64_t stride, column;
  const MatrixView& w;
  bool adds = false;  // to y, in place of the bias
  __mmask16 mask(int64_t half) const { return mask_of(w.outputs - column - half * 16); }
  float* at(int64_t row, int64_t half) const { return y + row * stride + column + half * 16; }
  __m512 bias(int64_t half) const {
    return w.bias == nullptr ? _mm512_setzero_ps()
                             : _mm512_maskz_loadu_ps(mask(half), w.bias + column + half * 16);
  }
};

// Loads the tiles of the result from rows of floats; stride: in bytes, 0 for the same in each row.
template <int kTiles>
inline void load_result(const float* from, int64_t stride) {
  _tile_loadd(0, from, stride);
  _tile_loadd(1, from + 16, stride);
  if constexpr (kTiles == 2) {
    const auto* next = reinterpret_cast<const uint8_t*>(from) + kTileRows * stride;
    _tile_loadd(2, next, stride);
    _tile_loadd(3, next + kTileBytes, stride);
  }
}

// Writes the products plus the bias, or what is there, to y. kTiles · 16 rows, or the number of rows
// that the tiles are configured for.
template <int kTiles>
void multiply_halves(const Rows& x, const Panel& panel, int64_t rows, const Place& to) {
  const MatrixView& w = to.w;
  clear_result();
  if (to.column + kColumns <= w.outputs) {
    if (to.adds)
      load_result<kTiles>(to.at(0, 0), to.stride * 4);
    else if (w.bias != nullptr)
      load_result<kTiles>(w.bias + to.column, 0);
    add_products<Halves, kTiles>(x, panel);
    store_tiles<kTiles>(to.at(0, 0), to.stride * 4);
    return;
  }
  alignas(64) float sums[kResult];
  add_products<Halves, kTiles>(x, panel);
  store_tiles<kTiles>(sums, kPanelStride);
  for (int64_t half = 0; half < 2; ++half) {
    const __mmask16 mask = to.mask(half);
    const __m512 bias = to.bias(half);
    for (int64_t r = 0; r < rows; ++r) {
      const __m512 sum = _mm512_load_ps(sums + r * kColumns + half * 16);
      const __m512 before = to.adds ? _mm512_maskz_loadu_ps(mask, to.at(r, half)) : bias;
      _mm512_mask_storeu_ps(to.at(r, half), mask, _mm512_add_ps(sum, before));
    }
  }
}

template <int kTiles>
void multiply_bytes(const Rows& x, const Panel& panel, const float* scales, int64_t rows,
                    const Place& to) {
  const MatrixView& w = to.w;
  clear_result();
  alignas(64) int32_t sums[kResult];
  add_products<Bytes, kTiles>(x, panel);
  store_tiles<kTiles>(sums, kPanelStride);
  for (int64_t half = 0; half < 2; ++half) {
    const int64_t column = to.column + half * 16;  // scales and sums are filled up to whole panels
    const __mmask16 mask = to.mask(half);
    const __m512 bias = to.bias(half);
    const __m512i offsets = _mm512_loadu_si512(w.sums + column);
    const __m512 steps = _mm512_loadu_ps(w.scales + column);
    for (int64_t r = 0; r < rows; ++r) {
      const __m512i sum = _mm512_load_si512(sums + r * kColumns + half * 16);
      const __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_sub_epi32(sum, offsets)), steps);
      _mm512_mask_storeu_ps(to.at(r, half), mask,
                            _mm512_fmadd_ps(value, _mm512_set1_ps(scales[r]), bias));
    }
  }
}

// A factor x [rows] and the panels of w, as bytes.
struct Factors {
  const uint8_t* x;
  const uint8_t* panels;
  int64_t rows;
  int64_t stride;  // bytes between rows of x
  int64_t depth;   // bytes of a row that are multiplied, and of the weights of an output
  int64_t outputs;
  int64_t panel_size;  // bytes between panels
  bool has_rest() const { return depth % kTileBytes != 0; }
  // The panel with this column.
  const uint8_t* panel(int64_t column) const { return panels + column / kColumns * panel_size; }
  bool stay_in_cache() const {
    return !has_rest() && depth <= kShortSteps * kTileBytes && outputs * depth <= kCached;
  }
  // Up to `count` steps of each row, beginning with step `first`.
  Factors steps(int64_t first, int64_t count) const {
    Factors part = *this;
    part.x += first * kTileBytes;
    part.panels += first * kPanelStep;
    part.depth = least(count * kTileBytes, depth - first * kTileBytes);
    return part;
  }
  // Up to kBlock rows, beginning with `row`.
  Factors block(int64_t row) const {
    Factors part = *this;
    part.x += row * stride;
    part.rows = least(kBlock, rows - row);
    return part;
  }
};

// Copies the bytes after the last whole step of each row to `rest` [count, kTileBytes].
void copy_rest_of_rows(const Factors& of, int64_t first, int64_t count, uint8_t* rest) {
  const int64_t begin = of.depth / kTileBytes * kTileBytes;
  for (int64_t r = 0; r < count; ++r) {
    __builtin_memset(rest + r * kTileBytes, 0, kTileBytes);
    __builtin_memcpy(rest + r * kTileBytes, of.x + (first + r) * of.stride + begin,
                     static_cast<size_t>(of.depth - begin));
  }
}

void copy_rest_of_panel(const uint8_t* panel, int64_t depth, uint8_t* rest) {
  const int64_t begin = depth / kTileBytes * kPanelStep, count = depth * kColumns - begin;
  __builtin_memset(rest, 0, kPanelStep);
  __builtin_memcpy(rest, panel + begin, static_cast<size_t>(count));
}

// Returns the panel at a column for tile `tile` of `tiles`, each of 32 rows. The tiles together
// prefetch the next panel. For a single tile, prefetches come too late, and cost time if a cache
// holds the weights.
inline Panel panel_at(const Factors& of, int64_t column, int64_t tile, int64_t tiles,
                      const uint8_t* rest) {
  Panel panel{of.panel(column), rest};
  if (tiles == 1 || column + kColumns >= of.outputs) return panel;
  panel.ahead_step = (kPanelStep / kLine + tiles - 1) / tiles * kLine;
  panel.ahead = panel.bytes + of.panel_size + tile * (of.depth / kTileBytes) * panel.ahead_step;
  return panel;
}

// Calls multiply<kTiles>(x, panel, first row, rows, column) for each panel and each 32 or 16 rows
// of x. Fewer than 16 rows are one call, for which the tiles are configured.
template <class Multiply>
inline void in_tiles(const Factors& of, int64_t begin, int64_t end, const Multiply& multiply) {
  alignas(64) uint8_t rest_of_rows[kBlock * kTileBytes], rest_of_panel[kPanelStep];
  for (int64_t block = begin; block < end; block += kBlock) {
    const int64_t rows = least(kBlock, end - block);
    const Rows x{of.x + block * of.stride, of.stride, of.depth, rest_of_rows};
    if (of.has_rest()) copy_rest_of_rows(of, block, rows, rest_of_rows);
    const int64_t tiles = (rows + 2 * kTileRows - 1) / (2 * kTileRows);
    const auto multiply_tile = [&](int64_t tile, int64_t column, const Panel& panel) {
      const int64_t r = tile * 2 * kTileRows;
      if (rows - r >= 2 * kTileRows) {
        multiply.template operator()<2>(x.from(r), panel, block + r, 2 * kTileRows, column);
      } else {
        multiply.template operator()<1>(x.from(r), panel, block + r, least(kTileRows, rows - r),
                                        column);
      }
    };
    if (of.stay_in_cache()) {
      finish_writes();
      for (int64_t tile = 0; tile < tiles; ++tile) {
        for (int64_t column = 0; column < of.outputs; column += kColumns)
          multiply_tile(tile, column, {of.panel(column), nullptr});
      }
      continue;
    }
    for (int64_t column = 0; column < of.outputs; column += kColumns) {
      if (of.has_rest()) copy_rest_of_panel(of.panel(column), of.depth, rest_of_panel);
      finish_writes();
      for (int64_t tile = 0; tile < tiles; ++tile)
        multiply_tile(tile, column, panel_at(of, column, tile, tiles, rest_of_panel));
    }
  }
}

template <class Multiply>
inline void multiply_all(const Factors& of, const Multiply& multiply) {
  const int64_t whole = of.rows / kTileRows * kTileRows;
  if (whole > 0) {
    configure_tiles(kTileRows);
    in_tiles(of, 0, whole, multiply);
  }
  if (whole < of.rows) {
    configure_tiles(of.rows - whole);
    in_tiles(of, whole, of.rows, multiply);
  }
  _tile_release();
}

void product_bf16(const uint16_t* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
                  int64_t y_stride) {
  if (rows == 1) return kAvx512Bf16Kernels.product_bf16(x, rows, stride, w, y, y_stride);
  const Factors factors{reinterpret_cast<const uint8_t*>(x),
                        reinterpret_cast<const uint8_t*>(w.halves),
                        rows,
                        2 * stride,
                        2 * w.depth,
                        w.outputs,
                        2 * w.depth * kColumns};
  const auto multiply = [&](const Factors& part, float* to, bool adds) {
    multiply_all(part, [&]<int kTiles>(const Rows& left, const Panel& panel, int64_t first,
                                       int64_t count, int64_t column) {
      multiply_halves<kTiles>(left, panel, count,
                              {to + first * y_stride, y_stride, column, w, adds});
    });
  };
  if (factors.depth <= kSteps * kTileBytes) return multiply(factors, y, false);
  for (int64_t row = 0; row < rows; row += kBlock) {
    const Factors block = factors.block(row);
    for (int64_t step = 0; step * kTileBytes < factors.depth; step += kSteps)
      multiply(block.steps(step, kSteps), y + row * y_stride, step > 0);
  }
}

void product_int8(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                  int64_t y_stride) {
  if (rows == 1) return kAvx512Bf16Kernels.product_int8(x, rows, w, y, y_stride);
  const Factors factors{x.bytes,
                        reinterpret_cast<const uint8_t*>(w.bytes),
                        rows,
                        w.depth,
                        w.depth,
                        w.outputs,
                        w.depth * kColumns};
  multiply_all(factors, [&]<int kTiles>(const Rows& left, const Panel& panel, int64_t first,
                                        int64_t count, int64_t column) {
    multiply_bytes<kTiles>(left, panel, x.scales + first, count,
                           {y + first * y_stride, y_stride, column, w});
  });
}

}  // namespace

const Kernels& amx_kernels() {
  static const Kernels set = [] {
    Kernels own = kAvx512Bf16Kernels;
    own.name = "amx";
    own.amx = true;
    own.product_bf16 = product_bf16;
    own.product_int8 = product_int8;
    return own;
  }();
  return set;
}

}  // namespace heed
#endif
