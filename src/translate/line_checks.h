// Signs that a source line is not what the model was trained to read, and that its translation is none.
#pragma once

#include <cstdint>
#include <string_view>

#include "translate/line_warning.h"
#include "translate/text_model.h"

namespace heed {

// Warns of text with more tokens than a learned table has positions. kind: kSourceLong or kTargetLong;
// side: "source", "translation" or "target".
void check_positions(WarningKind kind, const char* side, int64_t tokens,
                     const std::optional<int64_t>& positions, WarningList& warnings);

// Warns of a tab in text that has no columns.
void check_tabs(std::string_view text, WarningList& warnings);

// Warns of source tokens that a score does not know, of a tab where the source has no columns, of unknown words, of words of the target language,
// and of letters and tags that hardly a line of the training has.
void check_line(const TextModel& model, const SourceLine& line, const EncodedLine& encoded,
                WarningList& warnings);

// Warns of tokens of a given target that are scored as <unk>. pieces: the tokens as they are written;
// one that is written <unk> is meant.
void check_target(const Ids& target, const std::vector<std::string>& pieces, WarningList& warnings);

// Warns of a translation that is the source itself, between two languages: four words or more with
// letters, whatever their letter case.
void check_copy(const TextModel& model, const EncodedLine& source, const std::string& target,
                WarningList& warnings);

// Warns of a translation that repeats what the source does not.
void check_repetition(const TextModel& model, const EncodedLine& source, const std::string& target,
                      WarningList& warnings);

}  // namespace heed
