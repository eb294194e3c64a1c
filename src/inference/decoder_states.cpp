#include "inference/decoder_states.h"

#include <algorithm>
#include <utility>

#include "inference/columns.h"

namespace heed {

namespace {

using Bridge = RecurrentDecoderShape::Bridge;

void take(AlignedFloats& x, const std::vector<int64_t>& rows, int64_t width) {
  AlignedFloats taken;
  take_rows(x.data(), rows, width, taken);
  x = std::move(taken);
}

}  // namespace

void DecoderStates::start(const std::vector<LastState>& last, int64_t sentences) {
  const RecurrentDecoderShape& shape = model_.shape.decoder;
  const LastState none;  // of a language model
  for (int64_t layer = 0; layer < shape.layers; ++layer) {
    const size_t number = shape.bridge == Bridge::kShared ? last.size() : layer + 1;
    const LastState& from = last.empty() ? none : last[std::min(number, last.size()) - 1];
    const bool copies_cell = !from.cell.empty() && shape.bridge != Bridge::kShared;
    LayerState& state = states_.emplace_back();
    state.hidden = bridged(from.hidden, 2 * layer, sentences);
    if (shape.cell == CellKind::kLstm)
      state.cell = bridged(copies_cell ? from.cell : from.hidden, 2 * layer + 1, sentences);
  }
}

// from [N,W of the encoder] -> [N,W]
AlignedFloats DecoderStates::bridged(const AlignedFloats& from, int64_t part, int64_t rows) const {
  const RecurrentDecoderShape& decoder = model_.shape.decoder;
  if (decoder.bridge == Bridge::kLast) return from;
  AlignedFloats state(static_cast<size_t>(rows * decoder.width), 0.0F);
  if (decoder.bridge == Bridge::kNone) return state;
  const PackedMatrix& bridge = model_.bridges[decoder.bridge == Bridge::kShared ? 0 : part];
  const int64_t width = decoder.first_width, read = bridge.inputs();
  AlignedFloats end(static_cast<size_t>(rows * read));  // of `from`
  for (int64_t r = 0; r < rows; ++r)
    std::copy_n(from.data() + (r + 1) * width - read, read, end.data() + r * read);
  bridge.product(end.data(), rows, state.data());
  if (decoder.bridge == Bridge::kRelu) {
    model_.set.relu(state.data(), std::ssize(state));
  } else {
    model_.set.tanh(state.data(), std::ssize(state));
  }
  return state;
}

void DecoderStates::step(const AlignedFloats& first, int64_t rows) {
  const RecurrentDecoderShape& shape = model_.shape.decoder;
  const AlignedFloats* input = &first;
  for (int64_t i = 0; i < shape.layers; ++i) {
    const CellLayer& layer = model_.decoder[i];
    LayerState& state = states_[i];
    projected_.resize(static_cast<size_t>(rows * layer.gates()));
    layer.input.product(input->data(), rows, projected_.data());
    layer.step(model_.set, rows, projected_.data(), state.hidden.data(), state.cell.data(), gates_);
    if (shape.residual && i > 0) {
      AlignedFloats& sum = i % 2 == 0 ? even_sum_ : odd_sum_;
      sum = state.hidden;
      model_.set.add(input->data(), rows * shape.width, sum.data());
      input = &sum;
    } else {
      input = &state.hidden;
    }
  }
  top_ = input;
}

void DecoderStates::gather(const std::vector<int64_t>& rows) {
  for (LayerState& state : states_) {
    take(state.hidden, rows, model_.shape.decoder.width);
    if (!state.cell.empty()) take(state.cell, rows, model_.shape.decoder.width);
  }
}

void DecoderStates::join(const DecoderStates& more) {
  const auto append = [](AlignedFloats& x, const AlignedFloats& other) {
    x.insert(x.end(), other.begin(), other.end());
  };
  for (size_t i = 0; i < states_.size(); ++i) {
    append(states_[i].hidden, more.states_[i].hidden);
    append(states_[i].cell, more.states_[i].cell);
  }
}

const AlignedFloats& DecoderStates::read(const AlignedFloats& hidden, int64_t rows) {
  if (!model_.shape.decoder.reads_memory) return hidden;
  return join_columns(
      {{&hidden, model_.shape.decoder.width}, {&states_.back().cell, model_.shape.decoder.width}},
      rows, read_);
}

}  // namespace heed
