#include "inference/recurrent_layers.h"

#include <algorithm>
#include <numeric>

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

TimeOrder::TimeOrder(const std::vector<int64_t>& begins) : sentence(begins.size() - 1) {
  std::iota(sentence.begin(), sentence.end(), 0);
  const auto length = [&](int64_t i) { return begins[i + 1] - begins[i]; };
  std::ranges::stable_sort(sentence, [&](int64_t a, int64_t b) { return length(a) > length(b); });
  for (int64_t t = 0; !sentence.empty() && t < length(sentence.front()); ++t) {
    int64_t count = 0;
    for (; count < std::ssize(sentence) && length(sentence[count]) > t; ++count) {
      forward.push_back(begins[sentence[count]] + t);
      backward.push_back(begins[sentence[count] + 1] - 1 - t);
    }
    rows.push_back(count);
  }
}

namespace {

// Outputs of a layer from number `begin` to `end`.
PackedMatrix packed_rows(const Packer& packer, const Array& matrix, const std::vector<float>& bias,
                         int64_t begin, int64_t end) {
  const int64_t inputs = matrix.shape[1];
  const Array rows{{end - begin, inputs},
                   {matrix.values.begin() + begin * inputs, matrix.values.begin() + end * inputs}};
  return packer.packed(rows, {bias.begin() + begin, bias.begin() + end});
}

CellLayer cell_layer(const Packer& packer, const std::string& layer, CellKind cell, Reset reset,
                     int64_t width) {
  const names::CellNames name(layer);
  CellLayer own{cell,
                width,
                packer.packed(packer.matrix(name.weight_input), packer.vector(name.bias_input)),
                {}};
  const Array state = packer.matrix(name.weight_hidden);
  const std::vector<float> bias = packer.vector(name.bias_hidden);
  if (cell == CellKind::kGru && reset == Reset::kBefore) {
    own.state = packed_rows(packer, state, bias, 0, 2 * width);
    own.candidate = packed_rows(packer, state, bias, 2 * width, 3 * width);
  } else {
    own.state = packer.packed(state, bias);
  }
  return own;
}

std::vector<EncoderLevel> encoder_levels(const RecurrentShape& shape, const Packer& packer) {
  std::vector<EncoderLevel> levels;
  for (int64_t i = 0; i < shape.encoder.layers; ++i) {
    const std::string stack = names::encoder(shape.vocabulary.source);
    const int64_t width = shape.encoder.cell_width();
    EncoderLevel& level = levels.emplace_back();
    const auto cell = [&](const std::string& name) {
      return cell_layer(packer, name, shape.encoder.cell, shape.encoder.reset, width);
    };
    level.forward = cell(names::forward_layer(stack, i));
    if (shape.encoder.bidirectional) level.backward = cell(names::backward_layer(stack, i));
  }
  return levels;
}

std::vector<CellLayer> decoder_cells(const RecurrentDecoderShape& shape, const Packer& packer) {
  std::vector<CellLayer> cells;
  for (int64_t i = 0; i < shape.layers; ++i)
    cells.push_back(
        cell_layer(packer, names::layer(names::kDecoder, i), shape.cell, shape.reset, shape.width));
  return cells;
}

// Empty if the first states are not projected.
std::vector<PackedMatrix> bridge_layers(const RecurrentDecoderShape& shape, const Packer& packer) {
  std::vector<PackedMatrix> bridges;
  if (shape.bridge == RecurrentDecoderShape::Bridge::kShared)
    bridges.push_back(packer.linear({names::kBridge}));
  if (!shape.has_bridge_of_each_state()) return bridges;
  for (int64_t part = 0; part < 2 * shape.layers; ++part) {
    const bool is_needed = part % 2 == 0 || shape.cell == CellKind::kLstm;
    bridges.push_back(is_needed ? packer.linear({names::bridge(part)}) : PackedMatrix());
  }
  return bridges;
}

// Layer of the attentional state h̃. Outputs 2j and 2j + 1 are the pieces of a maxout; the first
// pieces of all are moved before the second ones.
PackedMatrix attentional_layer(const Packer& packer, int64_t pieces) {
  const Array matrix = packer.matrix(names::weight(names::kReadOut));
  const std::vector<float> bias = packer.vector(names::bias(names::kReadOut));
  const int64_t outputs = matrix.shape[0], inputs = matrix.shape[1];
  Array sorted{matrix.shape, {}};
  std::vector<float> sorted_bias;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    for (int64_t o = piece; o < outputs; o += pieces) {
      const auto row = matrix.values.begin() + o * inputs;
      sorted.values.insert(sorted.values.end(), row, row + inputs);
      sorted_bias.push_back(bias[o]);
    }
  }
  return packer.packed(sorted, sorted_bias);
}

}  // namespace

RecurrentLayers::RecurrentLayers(const RecurrentShape& wanted, const Packer& packer,
                                 const Kernels& kernels_used)
    : shape(wanted),
      set(kernels_used),
      embeddings(shape.vocabulary, packer),
      encoder(encoder_levels(shape, packer)),
      decoder(decoder_cells(shape.decoder, packer)),
      bridges(bridge_layers(shape.decoder, packer)),
      attention(shape, packer, set),
      attentional(attentional_layer(packer, shape.output_pieces())),
      output(shape.vocabulary, embeddings, shape.decoder.output_width, packer, set) {}

// Writes the states to room.outputs, into the rows of their tokens and the columns from `column`
// on.
void RecurrentLayers::run(const CellLayer& layer, const TimeOrder& order, bool backward,
                          const AlignedFloats& x, int64_t column, LastState& last,
                          Workspace& room) const {
  const std::vector<int64_t>& tokens = backward ? order.backward : order.forward;
  const int64_t width = layer.width, all = shape.encoder.width;
  const auto sentences = std::ssize(order.sentence);
  take_rows(x.data(), tokens, layer.input.inputs(), room.read);
  room.projected.resize(tokens.size() * static_cast<size_t>(layer.gates()));
  layer.input.product(room.read.data(), std::ssize(tokens), room.projected.data());
  room.hidden.assign(static_cast<size_t>(sentences * width), 0.0F);
  room.cell.assign(room.hidden.size(), 0.0F);
  int64_t done = 0;
  for (const int64_t rows : order.rows) {
    layer.step(set, rows, room.projected.data() + done * layer.gates(), room.hidden.data(),
               room.cell.data(), room.gates);
    for (int64_t r = 0; r < rows; ++r)
      std::copy_n(room.hidden.data() + r * width, width,
                  room.outputs.data() + tokens[done + r] * all + column);
    done += rows;
  }
  for (int64_t r = 0; r < sentences; ++r) {
    const int64_t to = order.sentence[r] * all + column;
    std::copy_n(room.hidden.data() + r * width, width, last.hidden.data() + to);
    std::copy_n(room.cell.data() + r * width, width, last.cell.data() + to);
  }
}

std::vector<LastState> RecurrentLayers::encode(const std::vector<int64_t>& begins, AlignedFloats& x,
                                               Workspace& room) const {
  const TimeOrder order(begins);
  const bool reversed = shape.encoder.reverse;
  std::vector<LastState> states;
  for (int64_t i = 0; i < shape.encoder.layers; ++i) {
    const EncoderLevel& level = encoder[i];
    LastState& last = states.emplace_back();
    last.hidden.resize(order.sentence.size() * static_cast<size_t>(shape.encoder.width));
    last.cell.resize(last.hidden.size());
    room.outputs.resize(static_cast<size_t>(begins.back() * shape.encoder.width));
    run(level.forward, order, reversed, x, 0, last, room);
    if (shape.encoder.bidirectional)
      run(level.backward, order, !reversed, x, level.forward.width, last, room);
    if (shape.encoder.residual && i > 0)
      set.add(x.data(), std::ssize(room.outputs), room.outputs.data());
    std::swap(x, room.outputs);
  }
  return states;
}

}  // namespace heed
