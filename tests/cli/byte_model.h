// A model that has learned nothing and writes bytes of all values, those of line separators too.
#pragma once

#include "cli/trained_model.h"

namespace heed {

// runs/toy in its folder, by byte fallback of SentencePiece.
inline const ToyWorkshop& byte_workshop() {
  static const ToyWorkshop workshop;
  static const Outcome training = workshop.run(
      {"train", "toy.yaml", "--set",
       "text={source: {type: sentencepiece, size: 280, byte_fallback: true}, target: {share: "
       "source}}",
       "--set", "train.max_updates=2", "--set", "train.validate.metric=loss"});
  EXPECT_EQ(training.exit_code, 0) << training.err;
  return workshop;
}

// The lines of str.splitlines() in Python. A last line without its end counts.
inline size_t count_python_lines(const std::string& text) {
  size_t count = 0, end_of_last = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view(text).substr(at);
    size_t size = std::string_view("\n\v\f\r\x1C\x1D\x1E").find(rest.front()) != std::string::npos;
    for (const std::string_view longer : {"\r\n", "\u0085", "\u2028", "\u2029"}) {
      if (rest.starts_with(longer)) size = longer.size();
    }
    if (size == 0) continue;
    ++count;
    end_of_last = at + size;
    at = end_of_last - 1;
  }
  return count + (end_of_last < text.size() ? 1 : 0);
}

}  // namespace heed
