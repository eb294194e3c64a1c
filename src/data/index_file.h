// The index of training text as a file, which is mapped into memory: processes of a host that map it
// share its pages, and none of them reads the text.
//
//   16 bytes   "heed pair index\n"
//    8 bytes   length of the header; little-endian, as all numbers
//   32 bytes   hash of the header (hash.h)
//   header     JSON: "key": what the index depends on, "corpora": their counts, "columns": bytes and
//              hash of each
//   columns    those of the pairs (pair_index.h), then of the ids (encoded_text.h: ids, ends), each
//              at a multiple of 64 bytes
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus_index.h"

namespace heed {

// Throws Error(kIo); then there is no such file.
void write_index(const std::filesystem::path& file, const std::string& key,
                 const CorpusIndex& index);

// The index of this text; nothing if there is no such file. A file that is damaged, of another key, or
// with impossible numbers is left out with a warning. Reads the whole file once, to check its hashes.
// vocabularies: the number of ids of each side. Throws Error(kIo).
std::optional<CorpusIndex> find_index(const std::filesystem::path& file, const std::string& key,
                                      const TrainingText& text,
                                      const std::vector<int64_t>& vocabularies);

}  // namespace heed
