#include "cli/translation_lines.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heed {

std::string nbest_lines(int64_t number, const Translation& translation) {
  std::string lines;
  for (const Translated& one : translation.best) {
    lines += fmt::format("{} ||| {} ||| {:.6f}\n", number, one.text, one.score);
  }
  return lines;
}

std::string json_line(int64_t number, const Translation& translation, bool with_alignments) {
  nlohmann::ordered_json json;
  json["line"] = number;
  json["translations"] = nlohmann::ordered_json::array();
  for (const Translated& one : translation.best) {
    nlohmann::ordered_json& object = json["translations"].emplace_back();
    object["text"] = one.text;
    object["score"] = one.score;
    object["log_probability"] = one.log_probability;
    object["finished"] = one.finished;
    object["tokens"] = one.pieces;
    object["log_probabilities"] = one.log_probabilities;
    if (with_alignments) object["alignment"] = pharaoh(one.alignment);
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heed
