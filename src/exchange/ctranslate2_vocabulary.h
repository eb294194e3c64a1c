// The vocabulary files of a model folder of CTranslate2.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed {

struct CTranslate2Side {
  std::vector<std::string> tokens;  // by id
  std::filesystem::path file;
};
struct CTranslate2Vocabularies {
  CTranslate2Side source, target;
  bool is_shared = false;
};

// shared_vocabulary.json or .txt, else those of source and target. unknown: the token that is
// appended where a vocabulary lacks it, as CTranslate2 does. Throws Error(kModel) that names the
// file and the fault.
CTranslate2Vocabularies read_ctranslate2_vocabularies(const std::filesystem::path& folder,
                                                      const std::string& unknown);

}  // namespace heed
