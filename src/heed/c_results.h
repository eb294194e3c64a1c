// The results object of the C interface.
#pragma once

#include <vector>

#include "heed/translator_c.h"
#include "heed/translator_v0.h"

struct heed_translations {
  explicit heed_translations(std::vector<heed::v0::Translations> translations);

  // nullptr if the translation does not exist.
  const heed::v0::Translation* at(size_t i, size_t k) const;

  // Matrices that C reads as one array, row by row.
  struct Arrays {
    std::vector<float> attention;
    std::vector<int64_t> alignment;
  };
  std::vector<heed::v0::Translations> found;
  std::vector<std::vector<Arrays>> arrays;  // for each of found[i].best
};
