#include "inference/transformer_engine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "inference/sentences.h"
#include "inference/transformer_layers.h"

namespace heed {

namespace {

class TransformerDecoding final : public Decoding {
 public:
  TransformerDecoding(std::shared_ptr<const TransformerLayers> model,
                      const std::vector<const Example*>& sentences, bool attention)
      : model_(std::move(model)),
        past_(model_->start()),
        tags_(model_->embeddings.target_tag),
        attends_(attention) {
    const Encoded source = std::move(model_->sources.read(sentences).front());
    auto memories = model_->memories(source.begins, source.states, room_);
    for (size_t i = 0; i < memories.size(); ++i)
      sentences_.add(std::move(memories[i]), *sentences[i], 0);
    past_.add_rows(std::ssize(sentences));
    tags_.add_rows(sentences);
    output_ = model_->output->start({sentences, 0, source.begins, source.states.data()});
  }

  void step(const std::vector<int32_t>& tokens) override {
    HEED_CHECK(std::ssize(tokens) == past_.rows(), "{} tokens of {} rows", tokens.size(),
               past_.rows());
    past_.extend();
    if (keeps_weights()) weights_.start(past_.rows(), sentences_.most_columns());
    embed(tokens);
    model_->decode(room_.projected, sentences_, past_, hidden_,
                   {.weights = keeps_weights() ? &weights_ : nullptr,
                    .context = reads_step() ? &context_ : nullptr},
                   room_);
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
  // True if the output reads more than the hidden states.
  bool reads_step() const { return model_->shape.vocabulary.output.reads_weights(); }
  bool keeps_weights() const { return attends_ || reads_step(); }

  // In room_.projected.
  void embed(const std::vector<int32_t>& tokens) {
    const int64_t width = model_->shape.vocabulary.embedding;
    room_.projected.resize(tokens.size() * static_cast<size_t>(width));
    embed_tokens(model_->embeddings.target, tokens, room_.projected.data(), width);
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

  std::shared_ptr<const TransformerLayers> model_;
  Sentences<SourceMemory> sentences_;
  TargetState past_;
  TargetTags tags_;
  std::unique_ptr<OutputDecoding> output_;
  bool attends_;
  AlignedFloats hidden_;  // [R,W] of the last step
  Workspace room_;
  AlignedFloats embedded_, context_;  // of the last step, if the output reads them [R,E], [R,W]
  StepWeights weights_;               // of alignments
};

const TransformerShape& checked(const TransformerShape& shape, Precision precision) {
  check_widths({shape.vocabulary.output.all_inputs()}, precision);
  check_widths(shape.encoder, shape.vocabulary.source_input(), precision);
  check_widths(shape.decoder, shape.vocabulary.target_input(), precision);
  return shape;
}

}  // namespace

TransformerEngine::TransformerEngine(const TransformerShape& shape, const Packer& packer,
                                     const Kernels& set)
    : layers_(std::make_shared<const TransformerLayers>(checked(shape, packer.precision()), packer,
                                                        set)) {}

// Keys and values; the memory of those of the target grows by a quarter at a time.
DecodingBytes TransformerEngine::bytes() const {
  const auto number =
      static_cast<int64_t>(layers_->rounds_memory ? sizeof(uint16_t) : sizeof(float));
  int64_t source = 0, target = 0;
  for (const auto& own : layers_->shape.cross_attention) {
    if (own) source += own->keys() + own->values();
  }
  for (const SelfAttentionShape& own : layers_->shape.decoder.self_attention) {
    const auto [keys, values] = memory_widths(own);
    target += keys + values;
  }
  const auto kept =
      static_cast<int64_t>(sizeof(float)) * layers_->shape.vocabulary.output.source_numbers();
  return {.target_token = number * (target + target / 4), .source_token = number * source + kept};
}

std::unique_ptr<Decoding> TransformerEngine::start(const std::vector<const Example*>& sentences,
                                                   bool attention) const {
  return std::make_unique<TransformerDecoding>(layers_, sentences, attention);
}

}  // namespace heed
