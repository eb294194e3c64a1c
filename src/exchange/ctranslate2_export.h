// Models of heed as model folders of CTranslate2.
#pragma once

#include <filesystem>

#include "model/saved_model.h"

namespace heed {

// Writes model.bin (float32; its loader quantizes on request), config.json and the vocabularies into
// an existing folder, and the SentencePiece models as source.spm and target.spm, which CTranslate2
// leaves to its user. Throws Error(kUsage) that lists what of the model the format cannot hold.
void export_ctranslate2(const LoadedModel& model, const std::filesystem::path& folder);

}  // namespace heed
