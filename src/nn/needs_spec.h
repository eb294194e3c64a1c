// Inputs that a part of the model needs with each sentence, in addition to its words.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"

namespace heed {

// Names of two sources with equally many entries in each line: tokens, or sentences of documents.
struct EntryNames {
  std::string keys, values;
};

struct Needs {
  bool edges = false;   // between its words
  bool tag = false;     // tag of its corpus
  bool marker = false;  // separator of the sentences of a document
  std::vector<EntryNames> entries{};
};

// Base class of the settings of a part with such needs.
class Needing {
 public:
  virtual ~Needing() = default;
  virtual void add_needs(Needs& needs) const = 0;
};

// Needs of these settings and of all kinds nested in them.
Needs needs_of(const Visited& settings);

}  // namespace heed
