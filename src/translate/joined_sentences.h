// Joins the translations of the sentences of a line to a translation of the line.
#pragma once

#include <string>
#include <vector>

#include "translate/split_line.h"

namespace heed {

// Joins `translations`, one for each sentence of the line. A translation of the line combines one
// choice for each sentence: the at most `nbest` combinations with the largest sums of scores, or
// for samples the k-th of each sentence. Its
//   text                               has the white space of the line between sentences, and its
//                                      markup
//   score, log_probability             are sums
//   source, pieces, log_probabilities  are concatenated, with a piece </s> at the end of each
//                                      sentence but the last
//   attention                          has blocks on the diagonal, and 0 elsewhere
//   alignment                          counts the words of the whole line and the whole translation
// A sentence without pieces contributes only its warnings.
TranslatedLine joined(const TextModel& model, const LineOptions& options, const SplitLine& split,
                      std::vector<TranslatedLine> translations);

// The text of such a translation, from the texts of the sentences; empty texts are left out. Keeps
// white space, but turns separators of lines other than line breaks into spaces. If only one of the
// two languages writes spaces between words, the target language decides.
std::string joined_text(const SplitLine& split, const std::vector<std::string>& texts);

}  // namespace heed
