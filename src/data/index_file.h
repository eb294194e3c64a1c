// File of the index of training text. It is mapped into memory: processes of a host share its
// pages, and none of them reads the text.
//
//   16 bytes   "heed pair index\n"
//    8 bytes   length of the header; all numbers are little-endian
//   32 bytes   hash of the header (hash.h)
//   header     JSON: "key": text that the index depends on, "corpora": their counts, "columns":
//              bytes and hash of each
//   columns    columns of the pairs (pair_index.h), then of the ids (encoded_text.h: ids, ends),
//              each at a multiple of 64 bytes
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus_index.h"

namespace heed {

// Throws Error(kIo); the file does not exist then.
void write_index(const std::filesystem::path& file, const std::string& key,
                 const CorpusIndex& index);

// Loads the index of this text; nullopt if the file does not exist. A file that is damaged, has
// another key or contains impossible numbers is ignored with a warning. Reads the whole file once
// to check its hashes. vocabularies: number of ids of each side. Throws Error(kIo).
std::optional<CorpusIndex> find_index(const std::filesystem::path& file, const std::string& key,
                                      const TrainingText& text,
                                      const std::vector<int64_t>& vocabularies);

}  // namespace heed
