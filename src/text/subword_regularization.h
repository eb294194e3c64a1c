// Subword regularization: in training a line is segmented into other subwords each time it is read,
// by BPE-dropout (Provilkov et al. 2020) of a BPE model, by sampling from the segmentations of a
// unigram language model (Kudo 2018). Validation and translation use the best segmentation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/fields.h"
#include "text/codec.h"

namespace heed {

struct SubwordRegularizationConfig final : Settings {
  double bpe_dropout = 0.1;        // p
  double alpha = 0.1;              // α of P(x)^α / Σ P(x')^α
  int64_t nbest = 64;              // l, the number of segmentations x'
  std::vector<std::string> sides;  // by name; empty: all
  bool takes(const std::string& side) const;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

// The same vocabulary; encode() gives the segmentation that `key` draws: a function of key and line
// alone. Refers to `how`.
std::shared_ptr<const Codec> sampled(const std::shared_ptr<const Codec>& codec,
                                     const SubwordRegularizationConfig& how, uint64_t key);

}  // namespace heed
