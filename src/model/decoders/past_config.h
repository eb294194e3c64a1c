// Settings of the attention of a recurrent decoder to its own past states (past.h).
#pragma once

#include <memory>

#include "nn/attention/attention_config.h"

namespace heed {

struct PastConfig final : Settings {
  enum class Parts { kWhole, kKeyValue, kKeyValuePredict };
  Parts parts = Parts::kKeyValue;
  std::shared_ptr<AttentionConfig> attention;  // staged, over the states before this one
  PastConfig();
  static int64_t count_of(Parts parts);
  void fields(Fields& f) override;
  // width: of the states h.
  void check(int64_t width, Problems& problems) const;
  AttentionDims attention_dims(int64_t width) const;
  // Width of [p_t; r_t].
  int64_t output_width(int64_t width) const;
};

}  // namespace heed
