#include "inference/transformer_engine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "inference/sentences.h"
#include "inference/source_memory.h"
#include "inference/target_memory.h"
#include "inference/transformer_layers.h"

namespace heed {

namespace {

class TransformerDecoding final : public Decoding {
 public:
  TransformerDecoding(std::shared_ptr<const TransformerLayers> model,
                      const std::vector<const Example*>& sentences, bool attention)
      : model_(std::move(model)),
        past_(model_->shape.decoder.layers, model_->shape.decoder.width,
              NumberArray(model_->rounds_memory, model_->set)),
        tags_(model_->embeddings.target_tag),
        attends_(attention) {
    encode(sentences);
    past_.add_rows(std::ssize(sentences));
  }

  void step(const std::vector<int32_t>& tokens) override {
    HEED_CHECK(std::ssize(tokens) == past_.rows(), "{} tokens of {} rows", tokens.size(),
               past_.rows());
    std::vector<int64_t> positions;
    for (int64_t r = 0; r < past_.rows(); ++r) positions.push_back(past_.length(r));
    embed(tokens);
    model_->target.read(room_.projected, positions, hidden_);
    past_.extend();
    if (keeps_weights()) weights_.start(past_.rows(), sentences_.most_columns());
    for (int64_t layer = 0; layer < model_->shape.decoder.layers; ++layer) run_layer(layer);
    model_->decoder_norm(hidden_, past_.rows());
    output_->observe(tokens, vectors());
  }

  using Decoding::best;
  TopK best(int64_t count, const Limits& limits, const Distributions& distributions) override {
    return output_->best(vectors(), count, {past_.rows(), limits, sentences_.candidates()},
                         distributions);
  }

  std::vector<int32_t> most_probable(const Limits& limits) override {
    return output_->most_probable(vectors(), {past_.rows(), limits, sentences_.candidates()});
  }

  std::optional<std::span<const double>> attention(int64_t row) override {
    if (!attends_) return std::nullopt;
    return weights_.shown(row, sentences_.columns(row));
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sentences_.gather(rows, hypotheses);
    past_.gather(rows);
    tags_.gather(rows);
    output_->gather(rows, hypotheses);
  }

  void join(std::unique_ptr<Decoding> more) override {
    const auto& other = dynamic_cast<TransformerDecoding&>(*more);
    sentences_.join(other.sentences_);
    past_.join(other.past_);
    tags_.join(other.tags_);
    output_->join(*other.output_);
  }

 private:
  void encode(const std::vector<const Example*>& sentences) {
    const SourceTokens tokens(sentences, model_->shape.vocabulary.source_end);
    const std::vector<int64_t>& begins = tokens.begins;
    AlignedFloats x;
    model_->encode(sentences, tokens, x, room_);
    std::vector<std::shared_ptr<SourceMemory>> memories;
    const int64_t layers = model_->shape.decoder.layers, width = model_->shape.decoder.width;
    for (size_t i = 0; i + 1 < begins.size(); ++i)
      memories.push_back(std::make_shared<SourceMemory>(begins[i + 1] - begins[i], *model_));
    for (int64_t layer = 0; layer < layers; ++layer) {
      room_.projected.resize(tokens.tokens.size() * static_cast<size_t>(2 * width));
      model_->decoder[layer].cross.keys_values.product(x.data(), begins.back(),
                                                       room_.projected.data());
      for (size_t i = 0; i < memories.size(); ++i)
        memories[i]->keep(layer, room_.projected.data() + begins[i] * 2 * width, room_.keys);
    }
    for (size_t i = 0; i < memories.size(); ++i)
      sentences_.add(std::move(memories[i]), *sentences[i]);
    tags_.add_rows(sentences);
    output_ = model_->output->start({sentences, begins, x.data()});
  }

  // True if the output reads more than the hidden states.
  bool reads_step() const { return model_->shape.vocabulary.output.reads_weights(); }
  bool keeps_weights() const { return attends_ || reads_step(); }

  // In room_.projected.
  void embed(const std::vector<int32_t>& tokens) {
    const int64_t width = model_->shape.vocabulary.embedding;
    room_.projected.resize(tokens.size() * static_cast<size_t>(width));
    embed_tokens(*model_->embeddings.target, tokens, width, 1, room_.projected.data(), width);
    tags_.add_to_first(room_.projected.data(), width);
    if (reads_step()) embedded_ = room_.projected;
  }

  StepVectors vectors() {
    return {.hidden = hidden_.data(),
            .state = nullptr,
            .context = context_.data(),
            .input = embedded_.data(),
            .weights = keeps_weights() ? &weights_ : nullptr};
  }

  void run_layer(int64_t layer) {
    const DecoderLayerWeights& own = model_->decoder[layer];
    const bool last = layer + 1 == model_->shape.decoder.layers;
    model_->around(own.self.residual, hidden_, past_.rows(), room_,
                   [&](const float* x, float* y) { attend_past(own.self, layer, x, y); });
    model_->around(own.cross.residual, hidden_, past_.rows(), room_, [&](const float* x, float* y) {
      attend_source(own.cross, layer, x, y, last && keeps_weights());
      if (last && reads_step()) context_.assign(y, y + past_.rows() * model_->shape.decoder.width);
    });
    model_->feed(own.feed_forward, hidden_, past_.rows(), room_);
  }

  void attend_past(const SelfAttention& own, int64_t layer, const float* x, float* y) {
    const int64_t rows = past_.rows(), width = model_->shape.decoder.width,
                  heads = model_->shape.decoder.heads;
    room_.projected.resize(static_cast<size_t>(rows * 3 * width));
    room_.context.resize(static_cast<size_t>(rows * width));
    own.queries_keys_values.product(x, rows, room_.projected.data());
    for (int64_t r = 0; r < rows; ++r) {
      const float* projected = room_.projected.data() + r * 3 * width;
      past_.write_last(layer, r, projected + width, projected + 2 * width);
    }
    for (int64_t r = 0; r < rows; ++r) {
      const std::vector<int32_t>& path = past_.path(r);
      room_.scores.resize(static_cast<size_t>(model_->padded(std::ssize(path))));
      model_->set.attend_past({.query = room_.projected.data() + r * 3 * width,
                               .keys = past_.keys(layer),
                               .values = past_.values(layer),
                               .slots = path.data(),
                               .count = std::ssize(path),
                               .heads = heads,
                               .width = width / heads,
                               .scores = room_.scores.data(),
                               .context = room_.context.data() + r * width});
    }
    own.output.product(room_.context.data(), rows, y);
  }

  void attend_source(const CrossAttention& cross, int64_t layer, const float* x, float* y,
                     bool keep_weights) {
    const int64_t rows = past_.rows(), width = model_->shape.decoder.width,
                  heads = model_->shape.cross_heads;
    room_.queries.resize(static_cast<size_t>(rows * width));
    room_.context.resize(static_cast<size_t>(rows * width));
    cross.queries.product(x, rows, room_.queries.data());
    for (int64_t row = 0; row < rows; row += sentences_.hypotheses()) {
      AttentionView view = sentences_.of(row).view(layer);
      room_.scores.resize(static_cast<size_t>(kQueriesTogether * view.padded));
      view.queries = room_.queries.data() + row * width;
      view.query_count = sentences_.hypotheses();
      view.query_stride = width;
      view.heads = heads;
      view.width = view.value_width = width / heads;
      view.scores = room_.scores.data();
      view.context = room_.context.data() + row * width;
      view.context_stride = width;
      view.mean = keep_weights ? weights_.of(row) : nullptr;
      view.mean_stride = weights_.stride();
      model_->set.attend(view);
    }
    cross.output.product(room_.context.data(), rows, y);
  }

  std::shared_ptr<const TransformerLayers> model_;
  Sentences<SourceMemory> sentences_;
  TargetMemory past_;
  TargetTags tags_;
  bool attends_;
  AlignedFloats hidden_;  // [R,W] of the last step
  Workspace room_;
  std::unique_ptr<OutputDecoding> output_;
  AlignedFloats embedded_, context_;  // of the last step, if the output reads them [R,E], [R,W]
  StepWeights weights_;               // of the last layer
};

const TransformerShape& checked(const TransformerShape& shape, Precision precision) {
  check_widths(
      {shape.vocabulary.source_input(), shape.vocabulary.output.all_inputs(), shape.encoder.width,
       shape.decoder.width, shape.encoder.feed_forward, shape.decoder.feed_forward},
      precision);
  return shape;
}

}  // namespace

TransformerEngine::TransformerEngine(const TransformerShape& shape, const Weights& weights,
                                     Precision precision, const Kernels& set)
    : layers_(std::make_shared<const TransformerLayers>(checked(shape, precision),
                                                        Packer(weights, precision, set), set)) {}

// Keys and values, whose memory grows by a quarter at a time.
DecodingBytes TransformerEngine::bytes() const {
  const StackShape& decoder = layers_->shape.decoder;
  const auto number =
      static_cast<int64_t>(layers_->rounds_memory ? sizeof(uint16_t) : sizeof(float));
  const int64_t source = 2 * decoder.layers * decoder.width * number;
  return {.target_token = source + source / 4, .source_token = source};
}

std::unique_ptr<Decoding> TransformerEngine::start(const std::vector<const Example*>& sentences,
                                                   bool attention) const {
  return std::make_unique<TransformerDecoding>(layers_, sentences, attention);
}

}  // namespace heed
