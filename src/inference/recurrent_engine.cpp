#include "inference/recurrent_engine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "inference/columns.h"
#include "inference/decoder_states.h"
#include "inference/recurrent_layers.h"
#include "inference/sentences.h"

namespace heed {

namespace {

using OutputActivation = RecurrentDecoderShape::OutputActivation;

class RecurrentDecoding final : public Decoding {
 public:
  RecurrentDecoding(std::shared_ptr<const RecurrentLayers> model,
                    const std::vector<const Example*>& sentences, bool attention)
      : model_(std::move(model)),
        states_(*model_),
        tags_(model_->embeddings.target_tag),
        attends_(attention) {
    start(sentences);
  }

  void step(const std::vector<int32_t>& tokens) override {
    const RecurrentDecoderShape& shape = model_->shape.decoder;
    const int64_t rows = sentences_.rows();
    HEED_CHECK(std::ssize(tokens) == rows, "{} tokens of {} rows", tokens.size(), rows);
    embed(tokens);
    if (keeps_weights()) weights_.start(rows, sentences_.most_columns());
    if (shape.attends_before) attend(states_.hidden());
    if (shape.reads_previous_state) previous_ = states_.hidden();
    states_.step(cell_input(), rows);
    if (!shape.attends_before) attend(states_.top());
    compute_attentional(shape.reads_previous_state ? previous_ : states_.top());
    state_ = &states_.read(states_.top(), rows);
    output_->observe(tokens, vectors());
  }

  using Decoding::best;
  TopK best(int64_t count, const Limits& limits, const Distributions& distributions) override {
    return output_->best(vectors(), count, {sentences_.rows(), limits, sentences_.candidates()},
                         distributions);
  }

  std::vector<int32_t> most_probable(const Limits& limits) override {
    return output_->most_probable(vectors(), {sentences_.rows(), limits, sentences_.candidates()});
  }

  std::optional<std::span<const double>> attention(int64_t row) override {
    if (!attends_ || !model_->shape.has_weights()) return std::nullopt;
    return weights_.shown(row, sentences_.columns(row));
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sentences_.gather(rows, hypotheses);
    states_.gather(rows);
    coverage_.gather(rows);
    tags_.gather(rows);
    output_->gather(rows, hypotheses);
    for (const auto& [x, width] : fed()) {
      AlignedFloats taken;
      take_rows(x->data(), rows, width, taken);
      std::swap(*x, taken);
    }
  }

  void join(std::unique_ptr<Decoding> more) override {
    auto& other = dynamic_cast<RecurrentDecoding&>(*more);
    sentences_.join(other.sentences_);
    states_.join(other.states_);
    coverage_.join(other.coverage_);
    tags_.join(other.tags_);
    output_->join(*other.output_);
    const auto own = fed(), joining = other.fed();
    for (size_t i = 0; i < own.size(); ++i)
      own[i].x->insert(own[i].x->end(), joining[i].x->begin(), joining[i].x->end());
  }

 private:
  struct Fed {
    AlignedFloats* x;  // [R,width]
    int64_t width;
  };

  // Vectors of a step that the next one reads.
  std::vector<Fed> fed() {
    const RecurrentShape& shape = model_->shape;
    std::vector<Fed> all;
    if (shape.decoder.input_feeding) all.push_back({&attentional_, shape.decoder.output_width});
    if (shape.decoder.context_feeding) all.push_back({&context_, shape.context_width()});
    return all;
  }

  void start(const std::vector<const Example*>& sentences) {
    const RecurrentShape& shape = model_->shape;
    const SourceTokens tokens(sentences, shape.vocabulary.source_end);
    const std::vector<int64_t>& begins = tokens.begins;
    const auto rows = std::ssize(sentences);
    AlignedFloats embedded;
    model_->source.embed(sentences, tokens, embedded);
    const Encoded encoded = model_->encoder->encode(begins, std::move(embedded));
    states_.start(encoded.last, rows);
    std::vector<AttendedSources> attended(sentences.size());
    model_->attention.add_sources(encoded, begins, attended);
    for (size_t i = 0; i < sentences.size(); ++i)
      sentences_.add(std::make_shared<const AttendedSources>(std::move(attended[i])),
                     *sentences[i]);
    coverage_.add_rows(rows);
    tags_.add_rows(sentences);
    output_ = model_->output->start({sentences, begins, encoded.states.data()});
    for (const auto& [fed, width] : fed()) fed->assign(static_cast<size_t>(rows * width), 0.0F);
  }

  // The input of the decoder for the tokens: [e; ζ], merged with the context vectors if they are fed.
  void embed(const std::vector<int32_t>& tokens) {
    const VocabularyShape& shape = model_->shape.vocabulary;
    const int64_t rows = std::ssize(tokens), width = shape.target_input();
    embedded_.resize(static_cast<size_t>(rows * width));
    embed_tokens(model_->embeddings.target, tokens, embedded_.data(), width);
    output_->read_beside(tokens, embedded_.data() + shape.embedding, width);
    tags_.add_to_first(embedded_.data(), width);
    if (!model_->shape.decoder.context_feeding) return;
    const AlignedFloats& x = join_columns(
        {{&embedded_, width}, {&context_, model_->shape.context_width()}}, rows, joined_);
    merged_.resize(embedded_.size());
    model_->merge.product(x.data(), rows, merged_.data());
  }
  const AlignedFloats& input() const {
    return model_->shape.decoder.context_feeding ? merged_ : embedded_;
  }

  // Input of the first layer.
  const AlignedFloats& cell_input() {
    const RecurrentShape& shape = model_->shape;
    std::vector<Columns> parts = {{&input(), shape.vocabulary.target_input()}};
    if (shape.decoder.attends_before) parts.push_back({&context_, shape.context_width()});
    if (shape.decoder.input_feeding) parts.push_back({&attentional_, shape.decoder.output_width});
    return join_columns(parts, sentences_.rows(), joined_);
  }

  // h̃ [R,W of the output] of the states [R,W].
  void compute_attentional(const AlignedFloats& states) {
    const RecurrentShape& shape = model_->shape;
    const OutputActivation activation = shape.decoder.output_activation;
    if (activation == OutputActivation::kNone) {
      attentional_ = states;
      return;
    }
    const int64_t rows = sentences_.rows(), width = shape.decoder.output_width;
    std::vector<Columns> parts = {{&states, shape.decoder.width},
                                  {&context_, shape.context_width()}};
    if (shape.decoder.deep_output) parts.push_back({&embedded_, shape.vocabulary.target_input()});
    const AlignedFloats& x = join_columns(parts, rows, joined_);
    AlignedFloats& y = activation == OutputActivation::kMaxout ? pieces_ : attentional_;
    y.resize(static_cast<size_t>(rows * model_->attentional.outputs()));
    model_->attentional.product(x.data(), rows, y.data());
    if (activation == OutputActivation::kTanh) model_->set.tanh(y.data(), rows * width);
    if (activation == OutputActivation::kMaxout) take_largest_pieces(rows, width);
  }
  void take_largest_pieces(int64_t rows, int64_t width) {
    attentional_.resize(static_cast<size_t>(rows * width));
    for (int64_t r = 0; r < rows; ++r) {
      const float* pieces = pieces_.data() + r * 2 * width;
      for (int64_t i = 0; i < width; ++i)
        attentional_[r * width + i] = std::max(pieces[i], pieces[width + i]);
    }
  }

  bool keeps_weights() const { return attends_ || model_->shape.vocabulary.output.reads_weights(); }

  // Context vectors of the states [R,W] in context_.
  void attend(const AlignedFloats& states) {
    model_->attention.attend(states_.read(states, sentences_.rows()).data(), sentences_,
                             keeps_weights() ? &weights_ : nullptr, coverage_, attention_room_,
                             context_);
  }

  StepVectors vectors() {
    return {.hidden = attentional_.data(),
            .state = state_->data(),
            .context = context_.data(),
            .input = input().data(),
            .weights = keeps_weights() ? &weights_ : nullptr};
  }

  std::shared_ptr<const RecurrentLayers> model_;
  Sentences<AttendedSources> sentences_;
  DecoderStates states_;
  CoverageSums coverage_;
  TargetTags tags_;
  std::unique_ptr<OutputDecoding> output_;
  bool attends_;
  AlignedFloats attentional_;                  // h̃ of the last step [R,W of the output]
  AlignedFloats previous_;                     // s_{t-1} [R,W]
  const AlignedFloats* state_ = nullptr;       // that outputs read [R,·]
  AlignedFloats embedded_, merged_, context_;  // of the last step [R,E], [R,E], [R,V]
  AlignedFloats joined_, pieces_;
  StateAttention::Workspace attention_room_;
  StepWeights weights_;
};

const RecurrentShape& checked(const RecurrentShape& shape, Precision precision) {
  check_widths({shape.vocabulary.output.all_inputs(), shape.cell_input(), shape.output_input()},
               precision);
  check_widths(shape.encoder, shape.vocabulary.source_input(), precision);
  return shape;
}

}  // namespace

RecurrentEngine::RecurrentEngine(const RecurrentShape& shape, const Packer& packer,
                                 const Kernels& set)
    : layers_(std::make_shared<const RecurrentLayers>(checked(shape, packer.precision()), packer,
                                                      set)) {}

// Hypotheses have states of one size; of the source there are states, keys and values, and what the
// output keeps.
DecodingBytes RecurrentEngine::bytes() const {
  const RecurrentShape& shape = layers_->shape;
  const int64_t numbers = shape.encoder.width() + shape.attention.source_numbers() +
                          shape.vocabulary.output.source_numbers();
  return {.target_token = sizeof(int32_t),
          .source_token = numbers * static_cast<int64_t>(sizeof(float))};
}

std::unique_ptr<Decoding> RecurrentEngine::start(const std::vector<const Example*>& sentences,
                                                 bool attention) const {
  return std::make_unique<RecurrentDecoding>(layers_, sentences, attention);
}

}  // namespace heed
