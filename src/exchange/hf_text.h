// The tokenizers and vocabularies of a model folder of transformers: MarianTokenizer (source.spm,
// target.spm, vocab.json and, with separate vocabularies, target_vocab.json), M2M100Tokenizer,
// NllbTokenizer, MBart50Tokenizer or MBartTokenizer (hf_languages.h), T5Tokenizer (spiece.model), BartTokenizer
// (hf_byte_bpe.h).
#pragma once

#include <filesystem>
#include <vector>

#include "exchange/hf_languages.h"
#include "exchange/hf_settings.h"
#include "text/codecs.h"
#include "text/text_config.h"

namespace heed {

struct HfText {
  TextConfigs config;
  Codecs codecs;
  std::vector<int64_t> source_rows, target_rows;  // TokenRows::rows
  HfLanguages languages{};                        // that are chosen
  int64_t begin_id = 0;                           // of the token that the decoder begins with
  // The target id that has this id in transformers. Error(kModel) that names the setting if none has.
  int32_t target_id(int64_t id, const std::string& setting) const;
};

// Throws Error(kModel) that names the file and the fault, Error(kUsage) for languages that the model
// does not have.
HfText read_hf_text(const std::filesystem::path& folder, const HfSettings& settings,
                    const HfLanguages& languages);

}  // namespace heed
