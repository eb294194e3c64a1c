#include "inference/recurrent_engine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "inference/recurrent_layers.h"
#include "inference/sentences.h"

namespace heed {

namespace {

using Bridge = RecurrentDecoderShape::Bridge;
using OutputActivation = RecurrentDecoderShape::OutputActivation;

void append(AlignedFloats& x, const AlignedFloats& more) {
  x.insert(x.end(), more.begin(), more.end());
}

class RecurrentDecoding final : public Decoding {
 public:
  RecurrentDecoding(std::shared_ptr<const RecurrentLayers> model,
                    const std::vector<const Example*>& sentences, bool attention)
      : model_(std::move(model)), attends_(attention) {
    encode(sentences);
  }

  void step(const std::vector<int32_t>& tokens) override {
    const RecurrentShape& shape = model_->shape;
    const int64_t rows = sentences_.rows();
    HEED_CHECK(std::ssize(tokens) == rows, "{} tokens of {} rows", tokens.size(), rows);
    embedded_.resize(static_cast<size_t>(rows * shape.vocabulary.embedding));
    embed_tokens(*model_->embeddings.target, tokens, shape.vocabulary.embedding, 1,
                 embedded_.data());
    if (attends_) weights_.start(rows, sentences_.most_columns());
    if (shape.decoder.attends_before) attend(states_.back().hidden);
    if (shape.decoder.reads_previous_state) previous_ = states_.back().hidden;
    const AlignedFloats& top = run_cells();
    if (!shape.decoder.attends_before) attend(top);
    compute_attentional(shape.decoder.reads_previous_state ? previous_ : top);
  }

  using Decoding::best;
  TopK best(int64_t count, const Limits& limits, const Distributions& distributions) override {
    return model_->output.best(attentional_.data(), count,
                               {sentences_.rows(), limits, sentences_.candidates()}, distributions,
                               output_room_);
  }

  std::vector<int32_t> most_probable(const Limits& limits) override {
    return model_->output.most_probable(
        attentional_.data(), {sentences_.rows(), limits, sentences_.candidates()}, output_room_);
  }

  std::optional<std::span<const double>> attention(int64_t row) override {
    if (!attends_) return std::nullopt;
    return weights_.shown(row, sentences_.columns(row));
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sentences_.gather(rows, hypotheses);
    AlignedFloats taken;
    for (AlignedFloats* state : all_states()) {
      if (state->empty()) continue;
      const RecurrentDecoderShape& shape = model_->shape.decoder;
      take_rows(state->data(), rows, state == &attentional_ ? shape.output_width : shape.width,
                taken);
      std::swap(*state, taken);
    }
  }

  void join(std::unique_ptr<Decoding> more) override {
    auto& other = dynamic_cast<RecurrentDecoding&>(*more);
    sentences_.join(other.sentences_);
    const auto own = all_states(), joining = other.all_states();
    for (size_t i = 0; i < own.size(); ++i) append(*own[i], *joining[i]);
  }

 private:
  struct LayerState {
    AlignedFloats hidden, cell;  // [R,W]; the cell of an LSTM alone
  };

  std::vector<AlignedFloats*> all_states() {
    std::vector<AlignedFloats*> all;
    for (LayerState& state : states_) {
      all.push_back(&state.hidden);
      all.push_back(&state.cell);
    }
    if (model_->shape.decoder.input_feeding) all.push_back(&attentional_);
    return all;
  }

  void encode(const std::vector<const Example*>& sentences) {
    const RecurrentShape& shape = model_->shape;
    const auto& [tokens, begins] = SourceTokens(sentences, shape.vocabulary.source_end);
    AlignedFloats x(tokens.size() * static_cast<size_t>(shape.vocabulary.embedding));
    embed_tokens(*model_->embeddings.source, tokens, shape.vocabulary.embedding, 1, x.data());
    const std::vector<LastState> last = model_->encode(begins, x, room_);
    auto sources = model_->attention.sources(begins, x);
    for (size_t i = 0; i < sources.size(); ++i)
      sentences_.add(std::move(sources[i]), *sentences[i]);
    const auto rows = std::ssize(sentences);
    const bool copies_cell =
        shape.encoder.cell == CellKind::kLstm && shape.decoder.bridge != Bridge::kShared;
    for (int64_t layer = 0; layer < shape.decoder.layers; ++layer) {
      const LastState& from = shape.decoder.bridge == Bridge::kShared
                                  ? last.back()
                                  : last[std::min<size_t>(layer, last.size() - 1)];
      LayerState& state = states_.emplace_back();
      state.hidden = bridged(from.hidden, 2 * layer, rows);
      if (shape.decoder.cell == CellKind::kLstm)
        state.cell = bridged(copies_cell ? from.cell : from.hidden, 2 * layer + 1, rows);
    }
    if (shape.decoder.input_feeding)
      attentional_.assign(static_cast<size_t>(rows * shape.decoder.output_width), 0.0F);
  }

  // The first state of the decoder.  from [N,W of the encoder] -> [N,W]
  AlignedFloats bridged(const AlignedFloats& from, int64_t part, int64_t rows) const {
    const RecurrentDecoderShape& decoder = model_->shape.decoder;
    if (decoder.bridge == Bridge::kLast) return from;
    AlignedFloats state(static_cast<size_t>(rows * decoder.width), 0.0F);
    if (decoder.bridge == Bridge::kNone) return state;
    const PackedMatrix& bridge = model_->bridges[decoder.bridge == Bridge::kShared ? 0 : part];
    const int64_t width = model_->shape.encoder.width, read = bridge.inputs();
    AlignedFloats end(static_cast<size_t>(rows * read));  // of `from`
    for (int64_t r = 0; r < rows; ++r)
      std::copy_n(from.data() + (r + 1) * width - read, read, end.data() + r * read);
    bridge.product(end.data(), rows, state.data());
    model_->set.tanh(state.data(), std::ssize(state));
    return state;
  }

  // The states of the top layer, or with residual connections the sums [R,W].
  const AlignedFloats& run_cells() {
    const RecurrentShape& shape = model_->shape;
    const int64_t rows = sentences_.rows(), width = shape.decoder.width;
    const AlignedFloats* input = &first_input();
    for (int64_t i = 0; i < shape.decoder.layers; ++i) {
      const CellLayer& layer = model_->decoder[i];
      LayerState& state = states_[i];
      room_.projected.resize(static_cast<size_t>(rows * layer.gates()));
      layer.input.product(input->data(), rows, room_.projected.data());
      layer.step(model_->set, rows, room_.projected.data(), state.hidden.data(), state.cell.data(),
                 room_.gates);
      if (shape.decoder.residual && i > 0) {
        AlignedFloats& sum = i % 2 == 0 ? even_sum_ : odd_sum_;
        sum = state.hidden;
        model_->set.add(input->data(), rows * width, sum.data());
        input = &sum;
      } else {
        input = &state.hidden;
      }
    }
    return *input;
  }

  // [e; c; h̃] of what the first layer reads.
  const AlignedFloats& first_input() {
    const RecurrentShape& shape = model_->shape;
    std::vector<Part> parts = {{&embedded_, shape.vocabulary.embedding}};
    if (shape.decoder.attends_before) parts.push_back({&context_, shape.encoder.width});
    if (shape.decoder.input_feeding) parts.push_back({&attentional_, shape.decoder.output_width});
    return joined(parts);
  }

  // h̃ [R,W of the output] of the states [R,W].
  void compute_attentional(const AlignedFloats& top) {
    const RecurrentShape& shape = model_->shape;
    const int64_t rows = sentences_.rows(), width = shape.decoder.output_width;
    std::vector<Part> parts = {{&top, shape.decoder.width}, {&context_, shape.encoder.width}};
    if (shape.decoder.deep_output) parts.push_back({&embedded_, shape.vocabulary.embedding});
    const AlignedFloats& x = joined(parts);
    room_.outputs.resize(static_cast<size_t>(rows * model_->attentional.outputs()));
    model_->attentional.product(x.data(), rows, room_.outputs.data());
    attentional_.resize(static_cast<size_t>(rows * width));
    if (shape.decoder.output_activation != OutputActivation::kMaxout) {
      std::copy_n(room_.outputs.data(), rows * width, attentional_.data());
      if (shape.decoder.output_activation == OutputActivation::kTanh)
        model_->set.tanh(attentional_.data(), rows * width);
      return;
    }
    for (int64_t r = 0; r < rows; ++r) {
      const float* pieces = room_.outputs.data() + r * 2 * width;
      float* to = attentional_.data() + r * width;
      for (int64_t j = 0; j < width; ++j) to[j] = std::max(pieces[j], pieces[width + j]);
    }
  }

  struct Part {
    const AlignedFloats* x;  // [R,width]
    int64_t width;
  };
  // Concatenated rows.
  const AlignedFloats& joined(const std::vector<Part>& parts) {
    int64_t all = 0, column = 0;
    for (const Part& part : parts) all += part.width;
    joined_.resize(static_cast<size_t>(sentences_.rows() * all));
    for (const auto& [x, width] : parts) {
      for (int64_t r = 0; r < sentences_.rows(); ++r)
        std::copy_n(x->data() + r * width, width, joined_.data() + r * all + column);
      column += width;
    }
    return joined_;
  }

  // Context vectors of the states [R,W] in context_.
  void attend(const AlignedFloats& states) {
    model_->attention.attend(states.data(), sentences_, attends_ ? &weights_ : nullptr,
                             attention_room_, context_);
  }

  std::shared_ptr<const RecurrentLayers> model_;
  Sentences<SourceStates> sentences_;
  bool attends_;
  std::vector<LayerState> states_;
  AlignedFloats attentional_;         // h̃ of the last step [R,W of the output]
  AlignedFloats previous_;            // s_{t-1} [R,W]
  AlignedFloats embedded_, context_;  // of the last step [R,E], [R,V]
  AlignedFloats joined_, even_sum_, odd_sum_;
  RecurrentLayers::Workspace room_;
  RecurrentAttention::Workspace attention_room_;
  OutputLayer::Workspace output_room_;
  StepWeights weights_;
};

const RecurrentShape& checked(const RecurrentShape& shape, Precision precision) {
  check_widths({shape.cell_input(), shape.output_input(), shape.encoder.width}, precision);
  return shape;
}

}  // namespace

RecurrentEngine::RecurrentEngine(const RecurrentShape& shape, const Weights& weights,
                                 Precision precision, const Kernels& set)
    : layers_(std::make_shared<const RecurrentLayers>(checked(shape, precision),
                                                      Packer(weights, precision, set), set)) {}

// Hypotheses have states of one size; of the source there are states, keys and values.
DecodingBytes RecurrentEngine::bytes() const {
  const int64_t numbers = 2 * layers_->shape.encoder.width + layers_->shape.attention.width;
  return {.target_token = sizeof(int32_t),
          .source_token = numbers * static_cast<int64_t>(sizeof(float))};
}

std::unique_ptr<Decoding> RecurrentEngine::start(const std::vector<const Example*>& sentences,
                                                 bool attention) const {
  return std::make_unique<RecurrentDecoding>(layers_, sentences, attention);
}

}  // namespace heed
