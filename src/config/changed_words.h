// Settings that differ from their defaults, in a few words, for descriptions on one line.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

struct WordChoice {
  std::set<std::string> always{};                           // keys that are named with any value
  std::function<bool(const Settings& kind)> left_out = {};  // kinds that are described elsewhere
};

// "cell gru", "terms [window (radius 3)]": the settings that differ from `usual`, in their order. A
// kind inside is compared with its own defaults.
std::vector<std::string> changed_words(const Visited& settings, const Visited& usual,
                                       const WordChoice& choice = {});

// "gru", or with words "gru (layers 2, width 64)".
std::string with_words(const std::string& name, const std::vector<std::string>& words);

}  // namespace heed
