// Imports models of other toolkits. All functions throw Error(kModel) that names the part that is
// missing, damaged or of another architecture, Error(kUsage) for options that do not fit the model,
// and IoError. Settings of search that heed does not have are left out with a warning.
#pragma once

#include <filesystem>
#include <optional>

#include "exchange/ctranslate2_text.h"
#include "exchange/hf_languages.h"
#include "exchange/marian_text.h"
#include "model/saved_model.h"

namespace heed {

// A model of transformers (Hugging Face): a folder with config.json, the parameters (weights_file.h) and the files of the tokenizer
// (hf_text.h). Ids are converted to those of heed (token_rows.h); the rest of the architecture is
// converted to keys of the config.
LoadedModel import_hf(const std::filesystem::path& folder, const HfLanguages& languages = {});

struct CTranslate2ImportOptions {
  CTranslate2TextOptions text;
  std::optional<bool> source_end{};  // true: sources end in </s>; nullopt: detected from the model
};

// A model of CTranslate2: a folder with model.bin, config.json and vocabularies, or a package of
// Argos Translate (ctranslate2_folder.h), in any precision.
LoadedModel import_ctranslate2(const std::filesystem::path& folder,
                               const CTranslate2ImportOptions& options = {});

// The next two read a checkpoint of torch.save() as data (torch_file.h); they need no Python.
// A model of JoeyNMT 2: a folder with config.yaml, src_vocab.txt, trg_vocab.txt and best.ckpt or
// latest.ckpt, or a checkpoint in it.
LoadedModel import_joeynmt(const std::filesystem::path& path);
// A model of OpenNMT-py 3: a checkpoint, with its SentencePiece models beside it.
LoadedModel import_opennmt(const std::filesystem::path& path);

// A Transformer or a recurrent model of Marian: model.npz or model.bin with its vocabularies, or a folder
// with them. Its settings are in the parameters.
LoadedModel import_marian(const std::filesystem::path& path, const MarianTextOptions& options = {});

}  // namespace heed
