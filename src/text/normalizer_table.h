// The table of replacements of a SentencePiece model's normalizer (`precompiled_charsmap`).
// SentencePiece reads beyond the table where an offset in it is wrong.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// What is wrong with it, or "". An empty table, which replaces nothing, is whole.
std::string find_normalizer_fault(std::string_view table);

}  // namespace heed
