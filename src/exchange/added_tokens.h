// Tokens of a transformers tokenizer that are not in its vocabulary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "exchange/json_file.h"

namespace heed {

inline constexpr const char* kHfTokenizer = "tokenizer_config.json";
inline constexpr const char* kHfAddedTokens = "added_tokens.json";

// Reads a JSON object; empty if the file does not exist. Throws Error(kModel) for other JSON.
Json read_object(const std::filesystem::path& path);

// Text of a token that is {"content": token, …} or a string; "" for other forms.
std::string content_of(const Json& token);

// Reads tokens by id: first from tokenizer_config.json, {"added_tokens_decoder": {"7": {"content":
// token}}}, then from added_tokens.json, {token: 7}. Ignores tokens of another form. Throws
// Error(kModel) for an id that is not a number.
std::map<int64_t, std::string> read_added_tokens(const std::filesystem::path& folder);

}  // namespace heed
