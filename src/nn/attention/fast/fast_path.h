// Faster ways through an attention of stages (plain_attention.h), with the same results.
#pragma once

#include <memory>
#include <vector>

#include "nn/attention/plain_attention.h"
#include "nn/attention/staged_config.h"

namespace heed {

class FastPath {
 public:
  virtual ~FastPath() = default;
  // True if attend() computes these queries.
  virtual bool takes(const At& at, const KeysAndValues& memory) const = 0;
  // Keeps the weights only if the pass does.
  virtual Attended attend(const Stages& stages, const At& at,
                          const KeysAndValues& memory) const = 0;
};

// Softmax attention of a training pass in one operation, without weights; null if the stages do
// not fit.
std::unique_ptr<FastPath> make_fused_path(const StagedConfig& config, const StageDims& dims);
// Search with a normalizer that scores only some of the keys (Normalizer::read()); null if the
// stages do not fit.
std::unique_ptr<FastPath> make_read_ahead_path(const StagedConfig& config);

// Softmax attention with one of the terms local, atrous and sparse, and perhaps the term causal,
// over a long sequence that is there as a whole: only the keys that the terms leave are scored.
// null if the stages do not fit.
std::unique_ptr<FastPath> make_banded_path(const StagedConfig& config, const StageDims& dims);

// Returns the paths that fit the stages.
std::vector<std::unique_ptr<FastPath>> make_fast_paths(const StagedConfig& config,
                                                       const StageDims& dims);

}  // namespace heed
