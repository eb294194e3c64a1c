// Settings of the attention of a recurrent layer to its own past states (cell_attention.h).
#pragma once

#include <memory>

#include "nn/attention/attention_config.h"
#include "nn/layer_config.h"

namespace heed {

// Dimensions of a recurrent layer.
struct RecurrentDims {
  CellKind cell = CellKind::kLstm;
  int64_t input = 0, width = 0;
};

struct CellAttentionConfig final : Settings {
  std::shared_ptr<AttentionConfig> attention;  // staged, with an additive score
  CellAttentionConfig();
  void fields(Fields& f) override;
  void check(const RecurrentDims& layer, Problems& problems) const;
  // The query is [x; h~], the keys are h, the values h or, of an LSTM, [h; c].
  static AttentionDims attention_dims(const RecurrentDims& layer);
};

}  // namespace heed
