// The allowed values of a number: whether one is among them, and how to say it.
#pragma once

#include <cstdint>
#include <string>

#include "config/settings.h"

namespace heed {

// "at least 1", "from 0 to 1", "at least 0 and below 1", or "" if every number is allowed.
std::string range_text(const IntRange& range);
std::string range_text(const Range& range);

bool contains(const IntRange& range, int64_t value);
bool contains(const Range& range, double value);

}  // namespace heed
