// Files of BartTokenizer, a byte-level BPE: vocab.json and merges.txt, or tokenizer.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace heed {

struct HfByteBpe {
  std::filesystem::path vocabulary, merges_file;
  std::map<int64_t, std::string> tokens;  // by id; <s> and <mask> are ">>s<<" and ">>mask<<"
  std::string merges;                     // as in merges.txt
};

// True if the folder has such files, and no SentencePiece model.
bool has_byte_bpe(const std::filesystem::path& folder);
// Throws Error(kModel) that names the file and the fault.
HfByteBpe read_byte_bpe(const std::filesystem::path& folder);

}  // namespace heed
