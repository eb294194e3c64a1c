// Text to learn tokenizers from.
#pragma once

#include <string>
#include <vector>

#include "../base/temporary_folder.h"
#include "text/tokenizer.h"

namespace heed {

inline LineSource source_of(std::vector<std::string> lines) {
  return [lines = std::move(lines)](const std::function<void(std::string_view)>& take) {
    for (const std::string& line : lines) take(line);
  };
}

// Sentences of a small grammar, with umlauts; always the same.
inline std::vector<std::string> some_sentences(size_t count) {
  const std::vector<std::string> subjects = {"der Bär", "die alte Frau", "ein Kind", "Mäuse",
                                             "Überall jemand"};
  const std::vector<std::string> verbs = {"sieht", "hört", "überrascht", "verfolgt", "Zeichnet"};
  const std::vector<std::string> objects = {"den Fluss.", "zwei Bäume!", "nichts, gar nichts.",
                                            "das große Haus", "Straßen 3x"};
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    lines.push_back(subjects[i % 5] + " " + verbs[i / 5 % 5] + " " + objects[i / 25 % 5]);
  }
  return lines;
}

}  // namespace heed
