#include "inference/recurrent_encoder.h"

#include <algorithm>
#include <numeric>

#include "model/parameter_names_spec.h"

namespace heed {

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

RecurrentEncoder::RecurrentEncoder(const RecurrentEncoderShape& shape, const std::string& name,
                                   const Packer& packer, const Kernels& set)
    : shape_(shape), set_(set) {
  const auto cell = [&](const std::string& layer) {
    return cell_layer(packer, layer, shape.cell, shape.reset, shape.cell_width());
  };
  for (int64_t i = 0; i < shape.layers; ++i) {
    EncoderLevel& level = levels_.emplace_back();
    level.forward = cell(names::forward_layer(name, i));
    if (shape.bidirectional) level.backward = cell(names::backward_layer(name, i));
  }
}

// Writes the states to room.outputs, into the rows of their tokens and the columns from `column`
// on.
void RecurrentEncoder::run(const CellLayer& layer, const TimeOrder& order, bool backward,
                           const AlignedFloats& x, int64_t column, LastState& last,
                           Workspace& room) const {
  const std::vector<int64_t>& tokens = backward ? order.backward : order.forward;
  const int64_t width = layer.width, all = shape_.width;
  const auto sentences = std::ssize(order.sentence);
  take_rows(x.data(), tokens, layer.input.inputs(), room.read);
  room.projected.resize(tokens.size() * static_cast<size_t>(layer.gates()));
  layer.input.product(room.read.data(), std::ssize(tokens), room.projected.data());
  room.hidden.assign(static_cast<size_t>(sentences * width), 0.0F);
  room.cell.assign(room.hidden.size(), 0.0F);
  int64_t done = 0;
  for (const int64_t rows : order.rows) {
    layer.step(set_, rows, room.projected.data() + done * layer.gates(), room.hidden.data(),
               room.cell.data(), room.gates);
    for (int64_t r = 0; r < rows; ++r)
      std::copy_n(room.hidden.data() + r * width, width,
                  room.outputs.data() + tokens[done + r] * all + column);
    done += rows;
  }
  for (int64_t r = 0; r < sentences; ++r) {
    const int64_t to = order.sentence[r] * all + column;
    std::copy_n(room.hidden.data() + r * width, width, last.hidden.data() + to);
    if (!last.cell.empty()) std::copy_n(room.cell.data() + r * width, width, last.cell.data() + to);
  }
}

Encoded RecurrentEncoder::encode(const SourceTokens& tokens, AlignedFloats x) const {
  const std::vector<int64_t>& begins = tokens.begins;
  Workspace room;
  const TimeOrder order(begins);
  const bool reversed = shape_.reverse;
  std::vector<LastState> states;
  for (int64_t i = 0; i < shape_.layers; ++i) {
    const EncoderLevel& level = levels_[i];
    LastState& last = states.emplace_back();
    last.hidden.resize(order.sentence.size() * static_cast<size_t>(shape_.width));
    if (shape_.cell == CellKind::kLstm) last.cell.resize(last.hidden.size());
    room.outputs.resize(static_cast<size_t>(begins.back() * shape_.width));
    run(level.forward, order, reversed, x, 0, last, room);
    if (shape_.bidirectional)
      run(level.backward, order, !reversed, x, level.forward.width, last, room);
    if (shape_.residual && i > 0) set_.add(x.data(), std::ssize(room.outputs), room.outputs.data());
    std::swap(x, room.outputs);
  }
  return {.last = std::move(states), .states = std::move(x)};
}

}  // namespace heed
