#include "inference/last_state_engine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "inference/columns.h"
#include "inference/outputs/output.h"
#include "inference/sentences.h"
#include "inference/sources_reader.h"
#include "inference/vocabulary.h"

namespace heed {

struct LastStateLayers {
  LastStateLayers(const LastStateShape& wanted, const Packer& packer, const Kernels& set)
      : shape(wanted),
        embeddings(shape.vocabulary, packer),
        sources(shape.vocabulary, shape.encoders, shape.joiner, embeddings, packer, set),
        output(make_output(shape.vocabulary, embeddings, packer, set)) {}

  LastStateShape shape;
  Embeddings embeddings;
  SourcesReader sources;
  std::unique_ptr<const OutputWeights> output;
};

namespace {

class LastStateDecoding final : public Decoding {
 public:
  LastStateDecoding(std::shared_ptr<const LastStateLayers> model,
                    const std::vector<const Example*>& sentences)
      : model_(std::move(model)) {
    const std::vector<Encoded> sources = model_->sources.read(sentences);
    const auto rows = std::ssize(sentences);
    std::vector<Columns> columns;
    for (const Encoded& source : sources) {
      const AlignedFloats& last = source.last.back().hidden;
      columns.push_back({&last, std::ssize(last) / rows});
    }
    AlignedFloats joined;
    join_columns(columns, rows, joined);
    const int64_t width = model_->shape.vocabulary.output.hidden;
    for (int64_t i = 0; i < rows; ++i)
      sentences_.add(std::make_shared<const AlignedFloats>(joined.begin() + i * width,
                                                           joined.begin() + (i + 1) * width),
                     *sentences[i], model_->shape.vocabulary.attended);
    const Encoded& first = sources.front();
    output_ = model_->output->start({sentences, 0, first.begins, first.states.data()});
  }

  void step(const std::vector<int32_t>& tokens) override {
    const int64_t rows = sentences_.rows(), width = model_->shape.vocabulary.output.hidden;
    HEED_CHECK(std::ssize(tokens) == rows, "{} tokens of {} rows", tokens.size(), rows);
    hidden_.resize(static_cast<size_t>(rows * width));
    for (int64_t r = 0; r < rows; ++r)
      std::ranges::copy(sentences_.of(r), hidden_.data() + r * width);
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

  std::optional<std::span<const double>> attention(int64_t) override { return std::nullopt; }

  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sentences_.gather(rows, hypotheses);
    output_->gather(rows, hypotheses);
  }

  void join(std::unique_ptr<Decoding> more) override {
    const auto& other = dynamic_cast<LastStateDecoding&>(*more);
    sentences_.join(other.sentences_);
    output_->join(*other.output_);
  }

 private:
  StepVectors vectors() const { return {.hidden = hidden_.data()}; }

  std::shared_ptr<const LastStateLayers> model_;
  Sentences<AlignedFloats> sentences_;  // their last states, side by side [W]
  std::unique_ptr<OutputDecoding> output_;
  AlignedFloats hidden_;  // [R,W]
};

const LastStateShape& checked(const LastStateShape& shape, Precision precision) {
  check_widths({shape.vocabulary.output.all_inputs()}, precision);
  for (size_t i = 0; i < shape.encoders.size(); ++i)
    check_widths(shape.encoders[i], shape.vocabulary.source_input(i), precision);
  return shape;
}

}  // namespace

LastStateEngine::LastStateEngine(const LastStateShape& shape, const Packer& packer,
                                 const Kernels& set)
    : layers_(std::make_shared<const LastStateLayers>(checked(shape, packer.precision()), packer,
                                                      set)) {}

// Sentences keep one state; their tokens have embeddings and states while they are encoded.
DecodingBytes LastStateEngine::bytes() const {
  int64_t widest = 0;
  for (const EncoderShape& encoder : layers_->shape.encoders)
    widest = std::max(widest, encoder.width());
  return {.target_token = sizeof(int32_t),
          .source_token = widest * static_cast<int64_t>(sizeof(float))};
}

std::unique_ptr<Decoding> LastStateEngine::start(const std::vector<const Example*>& sentences,
                                                 bool) const {
  return std::make_unique<LastStateDecoding>(layers_, sentences);
}

}  // namespace heed
