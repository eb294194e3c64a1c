// The tokenizers and vocabularies of a model folder of transformers with a MarianTokenizer.
#pragma once

#include <filesystem>
#include <vector>

#include "exchange/hf_settings.h"
#include "text/codecs.h"
#include "text/text_config.h"

namespace heed {

struct HfText {
  TextConfigs config;
  Codecs codecs;
  std::vector<int64_t> source_rows, target_rows;  // TokenRows::rows
  bool may_generate_unknown = true;
};

// Throws Error(kModel) that names the file and the fault.
HfText read_hf_text(const std::filesystem::path& folder, const HfSettings& settings);

}  // namespace heed
