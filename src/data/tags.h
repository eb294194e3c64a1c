// Tags: labels of corpora, such as the language of the target. A tag is known to a model by its
// number, its place among all tags in the order of their letters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

using Tags = std::vector<std::string>;  // sorted, each once

inline constexpr const char* kTagInput = "tag";  // what a model with tags reads beside its sources

// Letters, digits, _ and -, at least one.
bool is_tag(std::string_view text);

// "is none of cs, de, fr; did you mean 'de'?"
std::string no_such_tag(const Tags& tags, std::string_view text);

// The number of a tag, as a line holds it, spaces around it left aside. Throws Error(kData), which
// begins with `place`, for what is none of them.
int64_t tag_number(const Tags& tags, std::string_view line, const std::string& place);

}  // namespace heed
