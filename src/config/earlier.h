// Configs that earlier versions wrote, with every default of their time written out: a key that is
// missing in one was not known then.
#pragma once

#include <vector>

namespace heed {

struct Node;

// What kinds of this type, under these fields, did before they had the key.
struct EarlierDefault {
  std::vector<const char*> fields;
  const char* type;
  const char* key;
  const char* value;  // "~": null
};

// Writes out what is missing.
void add_earlier_defaults(Node& root, const std::vector<EarlierDefault>& defaults);

}  // namespace heed
