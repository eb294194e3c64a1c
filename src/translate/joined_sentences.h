// Translations of the sentences of a line as one of the line.
#pragma once

#include <string>
#include <vector>

#include "translate/split_line.h"

namespace heed {

// translations: of each sentence of the line. That of the line has a choice of one for each sentence, at
// most `nbest` of them, by the sums of their scores; of samples the k-th of each. Its
//   text                               has the white space of the line between sentences
//   score, log_probability             are sums
//   source, pieces, log_probabilities  stand one after another; the end of each sentence but the last
//                                      is a piece of its own, </s>
//   attention                          has blocks on the diagonal, and 0 elsewhere
//   alignment                          counts the words of the whole line and the whole translation
// A sentence without pieces has no part in it but its warnings.
Translation joined(const TextModel& model, const LineOptions& options, const SplitLine& split,
                   std::vector<Translation> translations);

// The text of such a translation, by the texts of the sentences. Those that have none are left out.
// White space is kept, but for separators of lines other than line breaks, which become spaces. Where
// one language writes a space between words and the other does not, that of the target counts.
std::string joined_text(const SplitLine& split, const std::vector<std::string>& texts);

}  // namespace heed
