// What has to come with each sentence beside its words, because a part of the model reads it.
#pragma once

#include "config/settings.h"

namespace heed {

struct Needs {
  bool edges = false;   // between its words
  bool tag = false;     // that of its corpus
  bool marker = false;  // what separates its sentences
};

// Settings of a part that needs something say so by this.
class Needing {
 public:
  virtual ~Needing() = default;
  virtual void add_needs(Needs& needs) const = 0;
};

// Of these settings and of all kinds in them, however deep.
Needs needs_of(const Settings& settings);

}  // namespace heed
