// `data.augment:` section: changes of the text of training pairs that are drawn anew in each epoch, so
// that a model learns what its corpora lack. As in OpusTrainer (Bogoychev et al. 2023).
//
//   augment: {upper_case: 0.05, typos: {probability: 0.1, rate: 0.05}, join: {sentences: 3}}
//
// A probability is that of a pair. Each change is drawn by itself, so a pair may have several.
#pragma once

#include <cstdint>
#include <optional>

#include "config/fields.h"

namespace heed {

// A change of some words of a line.
struct WordNoiseConfig final : Settings {
  double probability = 0.1;
  double rate = 0.1;  // of the words of a drawn line; it has one at least
  void fields(Fields& f) override;
};

struct JoinConfig final : Settings {
  double probability = 0.1;
  int64_t sentences = 2;  // at most
  void fields(Fields& f) override;
};

struct AugmentConfig final : Settings {
  std::optional<JoinConfig> join;
  std::optional<WordNoiseConfig> drop, mask;
  double punctuation = 0, upper_case = 0, title_case = 0;
  std::optional<WordNoiseConfig> typos;
  double tags = 0, emoji = 0, urls = 0, placeholders = 0;
  void fields(Fields& f) override;
  // True if a change is for sources alone.
  bool changes_sources_alone() const { return drop || mask || typos; }
  bool changes_case() const { return upper_case > 0 || title_case > 0; }
  // True if word alignments are of use.
  bool reads_alignments() const { return tags > 0 || emoji > 0 || urls > 0 || placeholders > 0; }
};

}  // namespace heed
