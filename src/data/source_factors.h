// Source factors: labels of the words of a source, such as parts of speech, in a file parallel to
// its text (Sennrich and Haddow 2016). A line has one label for each word, separated by spaces, or
// one label for the whole line, such as a language.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/word_pairs.h"
#include "text/codec.h"

namespace heed {

struct SourceFactor {
  std::string name;                       // the name of what is read beside the sources
  size_t source = 0;                      // the number of the source whose words it labels
  std::shared_ptr<const Codec> labels{};  // each label a word
  bool whole_line = false;                // one label for all words
};

// The label of each piece of a sentence: that of its word, of the first of several. Throws Error(kData),
// which begins with `place`, where there are more or fewer labels than words.
Ids read_labels(std::string_view line, const SentenceText& sentence, const Codec& labels,
                const std::string& place);
// The only label of the line, for each piece. Throws as read_labels() does.
Ids read_label_of_line(std::string_view line, const SentenceText& sentence, const Codec& labels,
                       const std::string& place);

}  // namespace heed
