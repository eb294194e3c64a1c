// Several engines as one, which takes the mean of their probabilities.
#pragma once

#include <memory>
#include <vector>

#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

class EnsembleEngine final : public Engine {
 public:
  // The engines have the same target vocabulary, and copy the same tokens.  vocabulary: its size
  EnsembleEngine(std::vector<std::shared_ptr<const Engine>> engines, int64_t vocabulary,
                 const Kernels& set = kernels());
  int64_t best_batch(int64_t hypotheses) const override;
  DecodingBytes bytes() const override;
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::vector<std::shared_ptr<const Engine>> engines_;
  int64_t vocabulary_;
  const Kernels& set_;
};

// The only engine, or several as an ensemble.
std::shared_ptr<const Engine> ensemble_of(std::vector<std::shared_ptr<const Engine>> engines,
                                          int64_t vocabulary);

}  // namespace heed
