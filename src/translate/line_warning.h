// Warnings of a line and its translation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/line_warnings.h"

namespace heed {

enum class WarningKind {
  kMalformed,          // malformed UTF-8, a zero byte
  kSourceCut,          // the model has read the beginning of the line alone
  kSourceLong,         // longer than in training, or than a table of positions
  kSourceUnlike,       // letters or tags unlike those of the training data
  kUnknown,            // tokens outside the vocabulary
  kTargetLanguage,     // the line looks like the target language
  kTab,                // a file of several columns?
  kEmptyParts,         // parts between markers without a token
  kNotSplit,           // several sentences that are translated as one
  kCut,                // the maximum length has cut or shortened the translation
  kEndedEarly,         // no token was possible
  kRepeated,           // the translation repeats itself
  kCopied,             // the translation is the source
  kTargetLong,         // longer than a table of positions
  kConstraint,         // a required phrase is missing
  kConstraintUnknown,  // a prefix or phrase with words outside the vocabulary
  kFewDistinct,        // fewer distinct texts than were asked for
  kSeparators,         // line separators in the translation
  kTerm,               // a term of the glossary is missing
  kMarkup,             // tags that are malformed, or without words in the translation
  kProtected           // text to keep that the translation did not have once
};

// The name for programs: "source_cut".
const char* name_of(WarningKind kind);

struct LineWarning {
  WarningKind kind;
  std::string message;   // equal for lines that are warned of together
  std::string detail{};  // of this line: "26 tokens", or ""
  std::string text() const;
};

using WarningList = std::vector<LineWarning>;

// number: of the line, from 1. warnings: nullptr takes none.
void add_to(LineWarnings* warnings, const WarningList& list, int64_t number);

// The text with U+FFFD in place of malformed bytes and zero bytes, of which it warns.
std::string well_formed(const std::string& text, WarningList& warnings);

}  // namespace heed
