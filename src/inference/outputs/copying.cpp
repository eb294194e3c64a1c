#include "inference/outputs/copying.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

CopiedSource::CopiedSource(const Example& sentence, size_t source, int64_t positions,
                           int64_t vocabulary)
    : tokens(vocabulary) {
  HEED_CHECK(sentence.copyable.has_value() && sentence.copied == source,
             "a sentence without copies");
  ids = sentence.copyable->ids;
  HEED_CHECK(positions - std::ssize(ids) <= 1, "{} ids of {} positions", ids.size(), positions);
  ids.resize(static_cast<size_t>(positions), kEnd);
  for (const int32_t id : ids) tokens = std::max<int64_t>(tokens, id + 1);
}

int64_t CopyingDecoding::most_tokens() const {
  int64_t most = vocabulary_;
  for (int64_t row = 0; row < sources_.rows(); row += sources_.hypotheses())
    most = std::max(most, sources_.of(row).tokens);
  return most;
}

void CopyingDecoding::copy(int64_t row, std::span<const float> of_positions,
                           std::span<float> log_probs) const {
  const Ids& ids = sources_.of(row).ids;
  for (size_t i = 0; i < ids.size(); ++i) {
    float& token = log_probs[ids[i]];
    token = log_add(token, of_positions[i]);
  }
}

void GenerateOrCopyDecoding::each_row(const StepVectors& step, int64_t rows, const Visit& visit) {
  layer_.each_row(step.hidden, rows, room_, [&](int64_t row, std::span<const float> logits) {
    const CopiedSource& source = sources_.of(row);
    const float log_norm = finite_log_sum(set_, logits);
    copying_.resize(source.ids.size());
    const float generating = masses(row, step, log_norm, copying_);
    float whole = generating;
    for (const float mass : copying_) whole = log_add(whole, mass);
    log_probs_.assign(static_cast<size_t>(source.tokens), kImpossibleLogit);
    for (size_t i = 0; i < logits.size(); ++i)
      log_probs_[i] = logits[i] - log_norm + (generating - whole);
    for (float& mass : copying_) mass -= whole;
    copy(row, copying_, log_probs_);
    visit(row, log_probs_);
  });
}

}  // namespace heed
