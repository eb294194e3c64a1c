// Models of heed as model folders of transformers (Hugging Face), which from_pretrained() of
// MarianMTModel or PegasusForConditionalGeneration, and of MarianTokenizer, loads.
#pragma once

#include <filesystem>

#include "model/saved_model.h"

namespace heed {

// Writes config.json, generation_config.json, tokenizer_config.json, vocab.json, source.spm,
// target.spm and model.safetensors into an existing folder. Post-norm is MarianMTModel, pre-norm
// PegasusForConditionalGeneration; interleaved sinusoidal positions become those in halves by the
// order of the numbers in all vectors (hf_names.h). Throws Error(kUsage) that lists what of the
// model these classes cannot hold.
void export_hf(const LoadedModel& model, const std::filesystem::path& folder);

}  // namespace heed
