// Numbers as a config writes them: decimal, a point with digits on both sides, an exponent if need
// be; no leading zeros, no signs of plus, no underscores, no nan and no inf. (YAML 1.1 takes 010
// for 8.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/ranges.h"

namespace heed {

bool is_integer(std::string_view text);
bool is_number(std::string_view text);

// nullopt: no such number, or too large for its type.
std::optional<int64_t> to_integer(std::string_view text);
std::optional<double> to_number(std::string_view text);

// How to write what was probably meant: "; write 10", or what is wrong with it, or "". A whole number
// that is meant lies in the range.
std::string integer_hint(std::string_view text, const IntRange& range);
std::string number_hint(std::string_view text);

}  // namespace heed
