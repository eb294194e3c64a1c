// Limits of a request to the server.
#pragma once

#include <chrono>
#include <cstdint>

namespace heed {

struct ServeLimits {
  int64_t body = 1 << 20;                  // bytes
  int64_t texts = 256;                     // of a request
  int64_t characters = 10'000;             // of a text, or of all phrases of a list
  int64_t phrases = 500;                   // that translations have to contain
  int64_t tokens = 2000;                   // of a translation
  int64_t beam = 32;                       // of search, and of an n-best list or samples
  int64_t queue = 1024;                    // lines of a model that wait
  double memory = 4e9;                     // bytes of all requests together
  std::chrono::milliseconds time{60'000};  // of a request

  // Values in the JSON of a request; texts and phrases never need as many.
  int64_t values() const { return 16 * texts + 4 * characters; }
  // Attention weights of a line: source tokens × target tokens × translations.
  int64_t weights() const { return tokens * tokens; }
};

}  // namespace heed
