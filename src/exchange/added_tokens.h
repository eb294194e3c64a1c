// Tokens of a tokenizer of transformers that stand beside its vocabulary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "exchange/json_file.h"

namespace heed {

inline constexpr const char* kHfTokenizer = "tokenizer_config.json";
inline constexpr const char* kHfAddedTokens = "added_tokens.json";

// An object; empty if the file is not there. Throws Error(kModel) if it is something else.
Json read_object(const std::filesystem::path& path);

// Of {"content": token, …}, or a token by itself; "" if it is neither.
std::string content_of(const Json& token);

// By id: those of tokenizer_config.json, {"added_tokens_decoder": {"7": {"content": token}}}, then
// those of added_tokens.json, {token: 7}. Entries of another form are left out.
std::map<int64_t, std::string> read_added_tokens(const std::filesystem::path& folder);

}  // namespace heed
