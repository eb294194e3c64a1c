#include "distributed/reduction_config.h"

namespace heed {

void ReductionConfig::fields(Fields& f) {
  static const Words<SumPrecision> words = {{"fp32", SumPrecision::kOwn},
                                            {"bf16", SumPrecision::kBf16}};
  f.field("overlap", overlap,
          "sum parts of the gradient while the backward pass computes the others (Li 2020); equal "
          "results");
  f.choice("precision", precision, words,
           "number format in which gradients are sent: fp32, or bf16, half the bytes and rounded "
           "twice; they are added in fp32");
  f.may_change(ChangeAt::kResume, {"overlap"});
}

}  // namespace heed
