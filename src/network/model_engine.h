// Models of libtorch as an engine of search: one, or an ensemble that takes the mean of the
// probabilities.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/seq2seq.h"
#include "search/engine.h"

namespace heed {

class ModelEngine final : public Engine {
 public:
  // The models share their sources, named in the order that examples have them, a target vocabulary
  // and a device.
  ModelEngine(std::vector<std::shared_ptr<Seq2Seq>> models, std::vector<std::string> sources);
  std::unique_ptr<DecodingThreads> threads() const override;
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::vector<std::shared_ptr<Seq2Seq>> models_;
  std::vector<std::string> sources_;
};

}  // namespace heed
