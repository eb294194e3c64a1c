// Folders of a CTranslate2 model: one folder, or an unpacked package of Argos Translate
// (metadata.json, model/, sentencepiece.model).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed {

struct CTranslate2Folder {
  std::filesystem::path model;  // with model.bin
  std::vector<std::filesystem::path>
      tokenizers;  // folders to look for tokenizers in, in this order
  bool is_argos = false;
  // Metadata of a package of Argos: a token that each target begins with, codes of the languages; "": none.
  std::string target_prefix{}, source_language{}, target_language{};
};

// Throws Error(kModel) with the expected content of the folder.
CTranslate2Folder find_ctranslate2_folder(const std::filesystem::path& path);

}  // namespace heed
