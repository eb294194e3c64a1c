// What a request to the server may ask for.
#pragma once

#include <chrono>
#include <cstdint>

namespace heed {

struct ServeLimits {
  int64_t body = 1 << 20;                  // bytes
  int64_t texts = 256;                     // of a request
  int64_t characters = 10'000;             // of a text
  int64_t tokens = 2000;                   // of a translation
  int64_t beam = 32;                       // of search, and of an n-best list or samples
  int64_t queue = 1024;                    // lines of a model that wait
  std::chrono::milliseconds time{60'000};  // of a request
};

}  // namespace heed
