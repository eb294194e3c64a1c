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
        coverage_(model_->shape.attention.parts.size()),
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
    compute_attentional(read_past(shape.reads_previous_state ? previous_ : states_.top()));
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
    if (past_) past_->gather(rows);
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
    if (past_) past_->join(*other.past_);
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
    const auto rows = std::ssize(sentences);
    const std::vector<Encoded> sources = model_->sources.read(sentences);
    const size_t number = shape.vocabulary.attended;
    // A language model has no source.
    const Encoded none{.last = {}, .states = {}, .begins = {0}};
    const Encoded &attended_source = sources.empty() ? none : sources[number],
                  &first = sources.empty() ? none : sources[shape.decoder.first_source];
    states_.start(first.last, rows);
    if (model_->past) {
      past_ = model_->past->start();
      past_->add_rows(rows);
    }
    std::vector<AttendedSources> attended = model_->attention->sources(sources, sentences.size());
    for (size_t i = 0; i < sentences.size(); ++i)
      sentences_.add(std::make_shared<const AttendedSources>(std::move(attended[i])), *sentences[i],
                     number);
    coverage_.add_rows(rows);
    tags_.add_rows(sentences);
    output_ = model_->output->start(
        {sentences, number, attended_source.begins, attended_source.states.data()});
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

  // The states [R,W], or [p; r] with a past, to which they are added.
  const AlignedFloats& read_past(const AlignedFloats& states) {
    if (!model_->past) return states;
    model_->past->read(states, *past_, past_room_, past_read_);
    return past_read_;
  }

  // h̃ [R,W of the output] of the states [R,·].
  void compute_attentional(const AlignedFloats& states) {
    const RecurrentShape& shape = model_->shape;
    const OutputActivation activation = shape.decoder.output_activation;
    if (activation == OutputActivation::kNone) {
      attentional_ = states;
      return;
    }
    const int64_t rows = sentences_.rows(), width = shape.decoder.output_width;
    std::vector<Columns> parts = {{&states, shape.read_width()},
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
    model_->attention->attend(states_.read(states, sentences_.rows()).data(), sentences_,
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
  CoverageOfParts coverage_;
  std::optional<TargetMemory> past_;  // of the decoder's states, if it reads them
  TargetTags tags_;
  std::unique_ptr<OutputDecoding> output_;
  bool attends_;
  AlignedFloats attentional_;                  // h̃ of the last step [R,W of the output]
  AlignedFloats previous_;                     // s_{t-1} [R,W]
  const AlignedFloats* state_ = nullptr;       // that outputs read [R,·]
  AlignedFloats embedded_, merged_, context_;  // of the last step [R,E], [R,E], [R,V]
  AlignedFloats joined_, pieces_;
  SourcesAttention::Workspace attention_room_;
  AlignedFloats past_read_;  // [p; r] of the last step
  PastAttention::Workspace past_room_;
  StepWeights weights_;
};

const RecurrentShape& checked(const RecurrentShape& shape, Precision precision) {
  check_widths({shape.vocabulary.output.all_inputs(), shape.cell_input(), shape.output_input()},
               precision);
  check_widths({shape.attention.widest(), shape.decoder.width}, precision);
  for (size_t i = 0; i < shape.encoders.size(); ++i)
    check_widths(shape.encoders[i], shape.vocabulary.source_input(i), precision);
  return shape;
}

}  // namespace

RecurrentEngine::RecurrentEngine(const RecurrentShape& shape, const Packer& packer,
                                 const Kernels& set)
    : layers_(std::make_shared<const RecurrentLayers>(checked(shape, packer.precision()), packer,
                                                      set)) {}

// Hypotheses have states of one size, and keys and values of a past, whose memory grows by a quarter at
// a time; of the source there are states, keys and values, and what the output keeps.
DecodingBytes RecurrentEngine::bytes() const {
  const RecurrentShape& shape = layers_->shape;
  int64_t widest = 0;
  for (const EncoderShape& encoder : shape.encoders) widest = std::max(widest, encoder.width());
  const int64_t numbers =
      widest + shape.attention.source_numbers() + shape.vocabulary.output.source_numbers();
  const int64_t past = shape.past ? shape.past->attention.source_numbers() : 0;
  const int64_t target = (past + past / 4) * static_cast<int64_t>(sizeof(float));
  return {.target_token = target + static_cast<int64_t>(sizeof(int32_t)),
          .source_token = numbers * static_cast<int64_t>(sizeof(float))};
}

std::unique_ptr<Decoding> RecurrentEngine::start(const std::vector<const Example*>& sentences,
                                                 bool attention) const {
  return std::make_unique<RecurrentDecoding>(layers_, sentences, attention);
}

}  // namespace heed
