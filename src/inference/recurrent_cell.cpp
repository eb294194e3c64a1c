#include "inference/recurrent_cell.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

void CellLayer::step(const Kernels& set, int64_t rows, float* input_part, float* hidden,
                     float* cell_state, AlignedFloats& work) const {
  if (candidate.outputs() > 0) return reset_before_step(set, rows, input_part, hidden, work);
  const int64_t count = rows * gates();
  work.resize(static_cast<size_t>(count));
  state.product(hidden, rows, work.data());
  switch (cell) {
    case CellKind::kRnn:
      set.add(input_part, count, work.data());
      set.tanh(work.data(), count);
      std::copy_n(work.data(), count, hidden);
      return;
    case CellKind::kLstm:
      set.lstm_cell({.rows = rows,
                     .width = width,
                     .parts = {work.data(), input_part},
                     .before = cell_state,
                     .gates = work.data(),
                     .after = cell_state},
                    hidden);
      return;
    case CellKind::kGru:
      set.gru_cell({.rows = rows,
                    .width = width,
                    .input = input_part,
                    .state = work.data(),
                    .before = hidden},
                   hidden);
      return;
  }
}

namespace {

// x += the first `width` columns of rows of `from`, `stride` apart.  x [rows,width]
void add_columns(const Kernels& set, const float* from, int64_t stride, int64_t rows, int64_t width,
                 float* x) {
  for (int64_t r = 0; r < rows; ++r) set.add(from + r * stride, width, x + r * width);
}

// σ(x) = (1 + tanh(x / 2)) / 2, in place.
void sigmoid(const Kernels& set, float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) x[i] *= 0.5F;
  set.tanh(x, count);
  for (int64_t i = 0; i < count; ++i) x[i] = 0.5F + 0.5F * x[i];
}

}  // namespace

// work: r and z [rows,2W], r ∘ h [rows,W], n [rows,W]
void CellLayer::reset_before_step(const Kernels& set, int64_t rows, const float* input_part,
                                  float* hidden, AlignedFloats& work) const {
  const int64_t count = rows * width, input_stride = 3 * width;
  work.resize(static_cast<size_t>(4 * count));
  float *gates = work.data(), *read = gates + 2 * count, *n = read + count;
  state.product(hidden, rows, gates);
  add_columns(set, input_part, input_stride, rows, 2 * width, gates);
  sigmoid(set, gates, 2 * count);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t j = 0; j < width; ++j)
      read[r * width + j] = gates[2 * r * width + j] * hidden[r * width + j];
  }
  candidate.product(read, rows, n);
  add_columns(set, input_part + 2 * width, input_stride, rows, width, n);
  set.tanh(n, count);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t j = 0; j < width; ++j) {
      const int64_t i = r * width + j;
      hidden[i] = n[i] + gates[(2 * r + 1) * width + j] * (hidden[i] - n[i]);
    }
  }
}

void take_rows(const float* x, const std::vector<int64_t>& rows, int64_t width, AlignedFloats& to) {
  to.resize(rows.size() * static_cast<size_t>(width));
  for (size_t i = 0; i < rows.size(); ++i)
    std::copy_n(x + rows[i] * width, width, to.data() + static_cast<int64_t>(i) * width);
}

namespace {

// Outputs of a layer from number `begin` to `end`.
PackedMatrix outputs_of(const PackedMatrix& layer, int64_t begin, int64_t end) {
  std::vector<int32_t> outputs(static_cast<size_t>(end - begin));
  std::iota(outputs.begin(), outputs.end(), static_cast<int32_t>(begin));
  return layer.select(outputs);
}

}  // namespace

CellLayer cell_layer(const Packer& packer, const std::string& layer, CellKind cell, Reset reset,
                     int64_t width) {
  const names::CellNames name(layer);
  CellLayer own{cell, width, packer.matrix(name.weight_input, name.bias_input), {}};
  PackedMatrix state = packer.matrix(name.weight_hidden, name.bias_hidden);
  if (cell == CellKind::kGru && reset == Reset::kBefore) {
    own.state = outputs_of(state, 0, 2 * width);
    own.candidate = outputs_of(state, 2 * width, 3 * width);
  } else {
    own.state = std::move(state);
  }
  return own;
}

}  // namespace heed
