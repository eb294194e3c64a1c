// Exports models of heed. All functions throw Error(kUsage) that lists what of
// the model the format cannot hold.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "model/saved_model.h"

namespace heed {

// A model folder of transformers (Hugging Face), which from_pretrained() of MarianMTModel or
// PegasusForConditionalGeneration, and of MarianTokenizer, loads. Writes config.json,
// generation_config.json, tokenizer_config.json, vocab.json, source.spm, target.spm and
// model.safetensors. Post-norm is MarianMTModel, pre-norm PegasusForConditionalGeneration;
// interleaved sinusoidal positions become those in halves by the order of the numbers in all vectors
// (hf_names.h).
void export_hf(const LoadedModel& model, const std::filesystem::path& folder);

// A model folder of CTranslate2. Writes model.bin (kFloat, which its loader quantizes on request, or
// kInt8 with a scale for each output), config.json and the vocabularies, and the SentencePiece models as source.spm and target.spm, which
// CTranslate2 leaves to its user.
void export_ctranslate2(const LoadedModel& model, const std::filesystem::path& folder,
                        Precision precision = Precision::kFloat);

struct ArgosOptions {
  std::string source_language, target_language;  // codes of ISO 639; "": those of the model
  Precision precision = Precision::kInt8;        // as of export_ctranslate2()
};

// A package of Argos Translate: a zip archive, which argostranslate.package.install_from_path() takes.
// folder: an existing, empty folder for its content.
void export_argos(const LoadedModel& model, const std::filesystem::path& folder,
                  const std::filesystem::path& archive, const ArgosOptions& options);

enum class MarianFormat { kNpz, kBinary, kIntgemm };  // intgemm: 8 bits

// A Transformer or recurrent model of Marian, with its vocabularies and MODEL.decoder.yml for its decoder.
// kIntgemm has the scales of activations too, as Firefox Translations uses them. They are measured while
// the model translates the lines, which the other formats do not read. Returns the sizes of the
// vocabularies.
struct MarianSizes {
  int64_t source = 0, target = 0;
};
MarianSizes export_marian(const LoadedModel& model, const std::filesystem::path& folder,
                          MarianFormat format, const std::vector<std::string>& lines = {});

}  // namespace heed
