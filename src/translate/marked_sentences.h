// Markup of a line in its translation: the tags of the source at the words that attention links to
// theirs (markup/placement.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "translate/split_line.h"
#include "translate/translated.h"

namespace heed {

// A translation of one sentence of a line.
struct TranslatedSentence {
  const std::vector<std::string>& source;  // its pieces
  const Translated& target;
};

// The translation of a line with SplitLine::markup. sentences: all of them, with attention weights.
// warnings: nullptr takes none.
std::string marked_text(const TextModel& model, const SplitLine& split,
                        const std::vector<TranslatedSentence>& sentences, WarningList* warnings);

}  // namespace heed
