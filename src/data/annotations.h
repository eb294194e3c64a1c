// Annotations of the words of a sentence pair, in files parallel to its text.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heed {

struct Annotation {
  std::string line;
  std::string place;  // for messages: "train.align:7"
};

struct Annotations {
  std::optional<Annotation> edges{};      // between words of the first source (edges.h)
  std::optional<Annotation> alignment{};  // of words of a source with the target (word_alignment.h)
  // Numbers of sentences of that source (supporting_facts.h).
  std::optional<Annotation> supporting_facts{};
  std::vector<Annotation> factors{};  // labels of the words of sources (source_factors.h)
};

}  // namespace heed
