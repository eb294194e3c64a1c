#include "inference/convolution_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "inference/convolution_step.h"
#include "inference/outputs/output.h"
#include "inference/positions.h"
#include "inference/sentences.h"
#include "inference/sources_reader.h"
#include "inference/state_attention.h"
#include "inference/target_state.h"
#include "inference/vocabulary.h"
#include "model/parameter_names_spec.h"

namespace heed {

struct ConvolutionLayers {
  struct DecoderLayer {
    ConvolutionStep convolution;
    StateAttention attention;
    PackedMatrix to_query, from_context;  // no outputs without attention
  };

  ConvolutionLayers(const ConvolutionShape& wanted, const Packer& packer,
                    const Kernels& kernels_used)
      : shape(wanted),
        set(kernels_used),
        embeddings(shape.vocabulary, packer),
        sources(shape.vocabulary, {shape.encoder}, NoJoinerShape(), embeddings, packer, set),
        positions(shape.decoder.positions, shape.vocabulary.target_input(),
                  names::ConvolutionStackNames(names::kDecoder).positions, packer),
        to_width(packer.layer(names::ConvolutionStackNames(names::kDecoder).to_width,
                              shape.decoder.weight_norm)),
        output(make_output(shape.vocabulary, embeddings, packer, set)) {
    const bool is_normed = shape.decoder.weight_norm;
    for (int64_t i = 0; i < shape.decoder.layers; ++i) {
      const names::ConvolutionLayerNames layer(names::layer(names::kDecoder, i));
      DecoderLayer& own = decoder.emplace_back(DecoderLayer{
          ConvolutionStep(layer.convolution, packer, set),
          StateAttention(shape.attention, layer.attention, decoder.size(), packer, set),
          {},
          {}});
      if (!shape.attention.reads()) continue;
      own.to_query = packer.layer(layer.to_query, is_normed);
      own.from_context = packer.layer(layer.from_context, is_normed);
    }
  }

  ConvolutionShape shape;
  const Kernels& set;
  Embeddings embeddings;
  SourcesReader sources;
  PositionTable positions;
  PackedMatrix to_width;
  std::vector<DecoderLayer> decoder;
  std::unique_ptr<const OutputWeights> output;
};

namespace {

TargetState no_rows(const ConvolutionLayers& model) {
  const auto& [layers, width, kernel, weight_norm, positions] = model.shape.decoder;
  const auto count = static_cast<size_t>(layers);
  return {std::vector<MemoryWidths>(count), std::vector<int64_t>(count, (kernel - 1) * width),
          NumberArray(false, model.set)};
}

class ConvolutionDecoding final : public Decoding {
 public:
  ConvolutionDecoding(std::shared_ptr<const ConvolutionLayers> model,
                      const std::vector<const Example*>& sentences, bool attention)
      : model_(std::move(model)),
        past_(no_rows(*model_)),
        coverage_(model_->decoder.size()),
        tags_(model_->embeddings.target_tag),
        attends_(attention) {
    const auto rows = std::ssize(sentences);
    const Encoded source = std::move(model_->sources.read(sentences).front());
    std::vector<AttendedSources> attended(sentences.size());
    for (const auto& layer : model_->decoder) layer.attention.add_sources(source, attended);
    for (size_t i = 0; i < sentences.size(); ++i)
      sentences_.add(std::make_shared<const AttendedSources>(std::move(attended[i])), *sentences[i],
                     0);
    past_.add_rows(rows);
    for (CoverageSums& sums : coverage_) sums.add_rows(rows);
    tags_.add_rows(sentences);
    output_ = model_->output->start({sentences, 0, source.begins, source.states.data()});
  }

  void step(const std::vector<int32_t>& tokens) override {
    const int64_t rows = past_.rows();
    HEED_CHECK(std::ssize(tokens) == rows, "{} tokens of {} rows", tokens.size(), rows);
    past_.extend();
    if (keeps_weights()) weights_.start(rows, sentences_.most_columns());
    embed(tokens);
    placed_ = embedded_;
    model_->positions.add_to(placed_.data(), past_.positions());
    hidden_.resize(static_cast<size_t>(rows * model_->shape.decoder.width));
    model_->to_width.product(placed_.data(), rows, hidden_.data());
    for (size_t i = 0; i < model_->decoder.size(); ++i) run_layer(i);
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
    if (!attends_ || !model_->shape.has_weights()) return std::nullopt;
    return weights_.shown(row, sentences_.columns(row));
  }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sentences_.gather(rows, hypotheses);
    past_.gather(rows);
    for (CoverageSums& sums : coverage_) sums.gather(rows);
    tags_.gather(rows);
    output_->gather(rows, hypotheses);
  }

  void join(std::unique_ptr<Decoding> more) override {
    const auto& other = dynamic_cast<ConvolutionDecoding&>(*more);
    sentences_.join(other.sentences_);
    past_.join(other.past_);
    for (size_t i = 0; i < coverage_.size(); ++i) coverage_[i].join(other.coverage_[i]);
    tags_.join(other.tags_);
    output_->join(*other.output_);
  }

 private:
  bool keeps_weights() const { return attends_ || model_->shape.vocabulary.output.reads_weights(); }

  // The input of the decoder for the tokens: [e; ζ].
  void embed(const std::vector<int32_t>& tokens) {
    const VocabularyShape& shape = model_->shape.vocabulary;
    const int64_t width = shape.target_input();
    embedded_.resize(tokens.size() * static_cast<size_t>(width));
    embed_tokens(model_->embeddings.target, tokens, embedded_.data(), width);
    output_->read_beside(tokens, embedded_.data() + shape.embedding, width);
    tags_.add_to_first(embedded_.data(), width);
  }

  // hidden_ from the inputs of a layer to its outputs.
  void run_layer(size_t i) {
    const ConvolutionLayers::DecoderLayer& layer = model_->decoder[i];
    const auto count = std::ssize(hidden_);
    convolved_.resize(hidden_.size());
    read_past(static_cast<int64_t>(i));
    layer.convolution.apply(past_.rows(), room_, convolved_.data());
    if (model_->shape.attention.reads()) attend(i);
    add_residual(convolved_.data(), count, hidden_.data());
  }

  // The windows of hidden_ with the inputs before it, which then end in hidden_.
  void read_past(int64_t layer) {
    const auto& [layers, width, kernel, weight_norm, positions] = model_->shape.decoder;
    const int64_t before = (kernel - 1) * width;
    float* carried = past_.carried.of(layer);
    room_.windows.resize(hidden_.size() * static_cast<size_t>(kernel));
    std::vector<const float*> rows(static_cast<size_t>(kernel));
    for (int64_t r = 0; r < past_.rows(); ++r) {
      float* past = carried + r * before;
      const float* now = hidden_.data() + r * width;
      for (int64_t k = 0; k + 1 < kernel; ++k) rows[k] = past + k * width;
      rows.back() = now;
      copy_window(rows, width, room_.windows.data() + r * width * kernel);
      if (before == 0) continue;
      std::copy(past + width, past + before, past);
      std::copy_n(now, width, past + before - width);
    }
  }

  // Adds what is read of the source to convolved_. Only the last layer has the weights of alignments.
  void attend(size_t i) {
    const ConvolutionLayers::DecoderLayer& layer = model_->decoder[i];
    const int64_t rows = past_.rows(), width = model_->shape.attention.context();
    const bool is_last = i + 1 == model_->decoder.size();
    queries_.resize(placed_.size());
    layer.to_query.product(convolved_.data(), rows, queries_.data());
    model_->set.add(placed_.data(), std::ssize(placed_), queries_.data());
    layer.attention.attend(queries_.data(), sentences_,
                           is_last && keeps_weights() ? &weights_ : nullptr, coverage_[i],
                           attention_room_, context_);
    scaled_ = context_;
    for (int64_t r = 0; r < rows; ++r) {
      const float root = std::sqrt(static_cast<float>(sentences_.of(r)[i].keys));
      for (int64_t j = r * width; j < (r + 1) * width; ++j) scaled_[j] *= root;
    }
    read_.resize(convolved_.size());
    layer.from_context.product(scaled_.data(), rows, read_.data());
    model_->set.add(read_.data(), std::ssize(read_), convolved_.data());
  }

  StepVectors vectors() {
    return {.hidden = hidden_.data(),
            .state = nullptr,
            .context = context_.data(),
            .input = embedded_.data(),
            .weights = keeps_weights() ? &weights_ : nullptr};
  }

  std::shared_ptr<const ConvolutionLayers> model_;
  Sentences<AttendedSources> sentences_;
  TargetState past_;
  std::vector<CoverageSums> coverage_;  // of each layer
  TargetTags tags_;
  std::unique_ptr<OutputDecoding> output_;
  bool attends_;
  // Numbers of the last step: input, with positions [R,E]; state of a layer [R,W]; context vector [R,V]
  AlignedFloats embedded_, placed_, hidden_, context_;
  AlignedFloats convolved_, queries_, scaled_, read_;
  ConvolutionStep::Workspace room_;
  StateAttention::Workspace attention_room_;
  StepWeights weights_;
};

const ConvolutionShape& checked(const ConvolutionShape& shape, Precision precision) {
  check_widths({shape.vocabulary.output.all_inputs(), shape.attention.width}, precision);
  check_widths(shape.encoder, shape.vocabulary.source_input(), precision);
  check_widths(shape.decoder, shape.vocabulary.target_input(), precision);
  return shape;
}

}  // namespace

ConvolutionEngine::ConvolutionEngine(const ConvolutionShape& shape, const Packer& packer,
                                     const Kernels& set)
    : layers_(std::make_shared<const ConvolutionLayers>(checked(shape, packer.precision()), packer,
                                                        set)) {}

// Hypotheses have states of one size; of the source there are the keys and values of each layer, and
// what the output keeps.
DecodingBytes ConvolutionEngine::bytes() const {
  const ConvolutionShape& shape = layers_->shape;
  const int64_t numbers = shape.encoder.width() +
                          shape.decoder.layers * shape.attention.source_numbers() +
                          shape.vocabulary.output.source_numbers();
  return {.target_token = sizeof(int32_t),
          .source_token = numbers * static_cast<int64_t>(sizeof(float))};
}

std::unique_ptr<Decoding> ConvolutionEngine::start(const std::vector<const Example*>& sentences,
                                                   bool attention) const {
  return std::make_unique<ConvolutionDecoding>(layers_, sentences, attention);
}

}  // namespace heed
