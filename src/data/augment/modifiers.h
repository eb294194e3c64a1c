// Changes of a training pair (augment_config.h), in the order in which they are made.
#pragma once

#include <array>

#include "base/random.h"
#include "data/augment/augment_config.h"
#include "data/augment/word_line.h"

namespace heed {

struct Modifier {
  const char* name;  // of its key, and of its random stream
  double (*probability)(const AugmentConfig& config);
  // Returns false if the pair has nothing to change; then it stays as it is.
  bool (*change)(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
};

bool join_pairs(AugmentedPair& pair,
                const AugmentedPair& next);  // the modifier `join`, pair by pair
bool drop_words(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool mask_words(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool change_punctuation(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool upper_case(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool title_case(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool make_typos(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool add_tags(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool insert_emoji(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool insert_url(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);
bool insert_placeholder(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws);

// All but `join`, which needs other pairs and comes before them.
inline constexpr std::array<Modifier, 10> kModifiers = {{
    {"drop", [](const AugmentConfig& c) { return c.drop ? c.drop->probability : 0; }, drop_words},
    {"mask", [](const AugmentConfig& c) { return c.mask ? c.mask->probability : 0; }, mask_words},
    {"punctuation", [](const AugmentConfig& c) { return c.punctuation; }, change_punctuation},
    {"upper_case", [](const AugmentConfig& c) { return c.upper_case; }, upper_case},
    {"title_case", [](const AugmentConfig& c) { return c.title_case; }, title_case},
    {"typos", [](const AugmentConfig& c) { return c.typos ? c.typos->probability : 0; },
     make_typos},
    {"tags", [](const AugmentConfig& c) { return c.tags; }, add_tags},
    {"emoji", [](const AugmentConfig& c) { return c.emoji; }, insert_emoji},
    {"urls", [](const AugmentConfig& c) { return c.urls; }, insert_url},
    {"placeholders", [](const AugmentConfig& c) { return c.placeholders; }, insert_placeholder},
}};

}  // namespace heed
