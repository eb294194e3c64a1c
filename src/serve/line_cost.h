// Estimates of what a line costs, by which lines share time and memory.
#pragma once

#include <cstdint>

#include "serve/line_kind.h"
#include "serve/translation_queue.h"

namespace heed {

// Work of a line before it is read: hypotheses × target tokens at most, which a source has fewer of
// than characters, and more for constraints. Not in seconds.
double work_of(const QueuedLine& line);

// usual: the search where a request says nothing.
LineKind kind_of(const QueuedLine& line, const SearchConfig& usual);
// Part of the memory that lines of a kind and all others may take: the rest is for shorter ones.
double memory_part(LineKind kind);

// Memory of a line in the search, and of its translations, at most.
int64_t bytes_of(const Request& request, const DecodingBytes& bytes);
// Attention weights of its translations, at most.
int64_t weights_of(const Request& request);

}  // namespace heed
