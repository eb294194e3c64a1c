#include "nn/attention/none_config.h"

namespace heed {

namespace kinds {
Kind<AttentionConfig> none() {
  return kind<NoAttentionConfig, AttentionConfig>("none", "no attention");
}
}  // namespace kinds

}  // namespace heed
