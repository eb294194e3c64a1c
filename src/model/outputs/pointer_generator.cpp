#include "model/outputs/pointer_generator.h"

#include "nn/torch.h"

#include "base/error.h"
#include "config/older.h"
#include "config/sizes.h"
#include "model/outputs/copying.h"
#include "model/outputs/generate_or_copy.h"
#include "nn/linear.h"

namespace heed {

namespace {

class PointerGenerator final : public GenerateOrCopy {
 public:
  PointerGenerator(const PointerGeneratorConfig& config, const OutputDims& dims,
                   std::shared_ptr<Embedding> embedding)
      : GenerateOrCopy(dims, std::move(embedding), config.bias),
        head_(config.head),
        copy_end_(config.copy_end) {
    gate_ = Linear(*this, "gate", dims.attention.context + dims.hidden + dims.input, 1);
  }

  void start(const EncoderOutput& source, const StateView& state) override {
    copies_.put(source, state);
  }

 protected:
  Tensor generating(const Step& step) override {
    return gate_(torch::cat({read_by(step).context, step.hidden, step.input}, -1));  // [R,T,1]
  }

  Tensor copying(const Step& step, const StateView& state) override {
    return log_of_mass(distribution(read_by(step), copies_.get(state, vocabulary())));  // [R,T,S]
  }

 private:
  static const Attended& read_by(const Step& step) {
    const Attended* read = alignment_of(step);
    HEED_CHECK(read != nullptr, "an output that copies, and no weights");
    return *read;
  }

  // The weights of the head, or the mean of all heads, as a distribution.  [R,T,S]
  Tensor distribution(const Attended& read, const CopiedIds& ids) const {
    const Tensor weights = head_ ? read.weights.select(1, *head_ - 1) : read.weights.mean(1);
    return distribution_of(copy_end_ ? weights : ids.without_end(weights));
  }

  std::optional<int64_t> head_;
  bool copy_end_;
  Linear gate_;
};

}  // namespace

void PointerGeneratorConfig::fields(Fields& f) const {
  f.field("bias", bias, "add a bias for each token of the vocabulary");
  f.field("head", head, kHeads,
          "head whose weights copy, from 1, of the decoder's last attention over the source; ~: "
          "the mean of all heads");
  earlier(f, "copy_end", copy_end, true);
  f.field("copy_end", copy_end,
          "the end of the source can be copied as the end of the target; See 2017: it cannot");
}

void PointerGeneratorConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
  if (dims.attention.heads == 0) {
    problems.add("",
                 "needs attention weights over one source, which the decoder's attention does not "
                 "have: choose an attention with weights, or one_source for several sources");
  } else if (head && *head > dims.attention.heads) {
    problems.add("head",
                 fmt::format("found {}, but the decoder's attention over the source has {} heads",
                             *head, dims.attention.heads));
  }
}

std::shared_ptr<Output> PointerGeneratorConfig::build(const OutputDims& dims,
                                                      std::shared_ptr<Embedding> embedding) const {
  return std::make_shared<PointerGenerator>(*this, dims, std::move(embedding));
}

}  // namespace heed
