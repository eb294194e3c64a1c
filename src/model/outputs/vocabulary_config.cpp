#include "model/outputs/vocabulary_config.h"

namespace heed {

void VocabularyOutputConfig::fields(Fields& f) {
  f.field("bias", bias, "add a bias for each token");
}

namespace kinds {
Kind<OutputConfig> vocabulary_output() {
  return kind<VocabularyOutputConfig, OutputConfig>("vocabulary", "softmax over the vocabulary");
}
}  // namespace kinds

}  // namespace heed
