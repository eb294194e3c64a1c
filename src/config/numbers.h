// Syntax of numbers in a config: decimal, a point with digits on both sides, an optional exponent.
// No leading zeros, plus signs, underscores, nan or inf. (YAML 1.1 reads 010 as 8.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/ranges.h"

namespace heed {

bool is_integer(std::string_view text);
bool is_number(std::string_view text);

// Returns nullopt if the text is not such a number or is too large for the type.
std::optional<int64_t> to_integer(std::string_view text);
std::optional<double> to_number(std::string_view text);

// Hint at what was probably meant: "; write 10", the mistake in the number, or "". A suggested
// integer is within the range.
std::string integer_hint(std::string_view text, const IntRange& range);
std::string number_hint(std::string_view text);

}  // namespace heed
