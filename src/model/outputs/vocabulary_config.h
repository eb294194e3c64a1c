// Settings of the output vocabulary (vocabulary.cpp).
#pragma once

#include "model/output_config.h"

namespace heed {

struct VocabularyOutputConfig final : OutputConfig {
  bool bias = true;
  void fields(Fields& f) override;
};

}  // namespace heed
