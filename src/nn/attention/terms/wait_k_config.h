// Settings of the term wait_k (wait_k.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct WaitKConfig final : TermConfig {
  int64_t k = 3;
  double catch_up = 0;  // c
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  bool hides_unread() const override { return true; }
  bool operator==(const WaitKConfig& other) const {
    return k == other.k && catch_up == other.catch_up;
  }
  // k + t - 1 - ⌊c t⌋: the number of tokens of a long source that are read before target token t,
  // counted from 1.
  int64_t tokens_read(int64_t t) const;
};

// The policies of all terms wait_k inside these settings, each once.
std::vector<WaitKConfig> policies_in(const Visited& settings);

}  // namespace heed
