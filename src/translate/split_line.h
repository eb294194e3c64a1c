// Lines whose sentences are translated each by itself: a model that was trained on single sentences
// leaves out what follows the first. docs/tasks.md, "Several sentences on a line", has the rules.
#pragma once

#include <string>
#include <vector>

#include "translate/line_translation.h"

namespace heed {

// True for a model with lines that can be split: it has one source, without labels or edges of words,
// and no marker between sentences.
bool can_split(const TextModel& model);
inline constexpr const char* kCannotSplit =
    "the lines of this model cannot be split: it has several inputs, or marks sentences itself";
// True for a model that translates single sentences. The lines of others are split at line breaks
// alone: they were trained on several sentences a line, and are left as they are.
bool reads_sentences(const TextModel& model);

struct SplitLine {
  struct Sentence {
    SourceLine line;
    std::string
        prefix{};         // LexicalConstraints::prefix; the other constraints are those of the line
    std::string text{};   // in the whole line
    std::string space{};  // white space of the line before it; "" before the first
    int64_t own_words = 0;  // at its beginning, which the line does not have: its language
  };
  // Markup of the line. Sentences from first_sentences[b] on are of block b.
  struct Markup {
    MarkedLine line;
    std::vector<size_t> first_sentences;
  };
  std::vector<Sentence> sentences;         // never none
  WarningList warnings{};                  // of the whole line
  std::shared_ptr<const Markup> markup{};  // nullptr: the line is text
};

// The line as one sentence, unless LineOptions::split is set and the model can be split; a warning tells
// of several sentences where the model was trained on single ones. Each sentence
// takes one sentence of the prefix (LexicalConstraints::prefix), and the last takes the rest of it.
// Phrases to avoid count for each sentence. has_phrases: phrases are required; the line is then left
// whole, with a warning, since they may belong to any sentence. A language at the beginning of the
// line (">>de<<") begins each sentence. With LineOptions::markup the blocks of a line are split in this
// way; throws Error(kData) for phrases that are required of a line with several blocks.
SplitLine split_line(const TextModel& model, const LineOptions& options, const SourceLine& line,
                     const std::string& prefix, bool has_phrases);

}  // namespace heed
