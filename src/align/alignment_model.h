// A trained aligner with its words, and its file.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "align/word_aligner.h"
#include "base/file.h"
#include "text/word_unit.h"

namespace heed {

// How lines become the words that are aligned.
struct AlignedUnits {
  bool pieces = false;  // tokens of a tokenizer
  bool cased = false;   // words keep their capital letters; pieces always do
  std::array<WordUnit, 2> units{WordUnit::kByLine, WordUnit::kByLine};  // of words
  bool operator==(const AlignedUnits&) const = default;
};

struct AlignmentModel {
  AlignedUnits text{};
  WordNumbers sources{}, targets{};
  std::unique_ptr<WordAligner> aligner{};
};

// A text file: a line that names the format, a line of JSON with the settings, for each pair of words
// `source TAB target TAB t(target | source) TAB t(source | target)`, and a line with the hash of all lines
// but the first. The NULL word is empty. Pairs of
// the lowest probability are left out, since an unknown pair has that too.
// Throws Error(kData) for a word with a tab.
void save_alignment_model(const AlignmentModel& model, AtomicFile& file);
// Throws Error(kModel) with the line of a fault, also for a file that was cut or changed.
AlignmentModel load_alignment_model(const fs::path& file);

// Lines `target source probability` for each pair with t(target | source) of at least `least`, where the
// probabilities of a source word sum to 1: for `heed translate --shortlist`.
void write_lexicon(const AlignmentModel& model, AtomicFile& file, double least = 1e-3);

}  // namespace heed
