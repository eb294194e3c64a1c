// Parts of a text that byte-level BPE merges separately, by the expression of GPT-2:
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#pragma once

#include <string_view>
#include <vector>

namespace heed {

// text: well-formed. The parts are views into it, and together they are the text.
std::vector<std::string_view> byte_bpe_words(std::string_view text);

}  // namespace heed
