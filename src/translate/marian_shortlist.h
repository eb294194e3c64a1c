// Shortlists of Marian in its binary format, such as lex.50.50.ende.s2t.bin of Firefox Translations
// (src/data/shortlist.cpp of Marian): the translations of each source token, without probabilities.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

struct MarianShortlist {
  uint64_t frequent = 0, best = 0;             // sizes that it was made with
  std::vector<std::vector<uint32_t>> targets;  // by source token, both in ids of Marian
};

bool is_marian_shortlist(const std::filesystem::path& file);
// Throws Error(kData) for a damaged one, IoError.
MarianShortlist read_marian_shortlist(const std::filesystem::path& file);
void write_marian_shortlist(const std::filesystem::path& file, const MarianShortlist& shortlist);

// Vocabularies of Marian begin with </s> and <unk>; the other tokens follow in the same order.
inline constexpr int32_t kMarianSpecials = 2;
int64_t id_of_marian(uint32_t id);
uint32_t id_in_marian(int32_t id);  // of a token that is no special one, or kEnd or kUnknown

}  // namespace heed
