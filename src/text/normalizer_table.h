// Table of replacements of a SentencePiece model's normalizer (`precompiled_charsmap`).
// SentencePiece reads beyond the table if an offset in it is wrong.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Describes the fault of a table, or "". An empty table, which replaces nothing, is valid.
std::string find_normalizer_fault(std::string_view table);

}  // namespace heed
