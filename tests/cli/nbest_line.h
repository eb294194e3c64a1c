// A line of an n-best list: "0 ||| x y z ||| -1.007".
#pragma once

#include <string>

namespace heed {

struct NbestLine {
  size_t number;  // of the source line, from 0
  std::string text;
  double score;
};

inline NbestLine parse_nbest(const std::string& line) {
  const std::string bars = " ||| ";
  const size_t text = line.find(bars) + bars.size(), score = line.rfind(bars);
  return {std::stoul(line), line.substr(text, score - text),
          std::stod(line.substr(score + bars.size()))};
}

}  // namespace heed
