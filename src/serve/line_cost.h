// Estimates of the cost of a line, for dividing time and memory among lines.
#pragma once

#include <cstdint>

#include "serve/line_kind.h"
#include "serve/translation_queue.h"

namespace heed {

// Work of a line before it is read: hypotheses × target tokens at most, more with constraints. The
// number of source characters is an upper bound for the source tokens. Not in seconds.
double work_of(const QueuedLine& line);

// usual: the search settings of a request without any.
LineKind kind_of(const QueuedLine& line, const SearchConfig& usual);
// Part of the memory that the lines of this kind and of the other kinds may take together; the rest
// is for shorter lines.
double memory_part(LineKind kind);

// Upper bound for the memory of a line in the search and of its translations.
int64_t bytes_of(const Request& request, const DecodingBytes& bytes);
// Upper bound for the number of attention weights of its translations.
int64_t weights_of(const Request& request);

}  // namespace heed
