#include "translate/translation_json.h"

#include <nlohmann/json.hpp>

namespace heed {

namespace {

nlohmann::ordered_json terms_json(const std::vector<TermUse>& terms) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TermUse& term : terms)
    list.push_back({{"source", term.source}, {"targets", term.targets}, {"met", term.is_met}});
  return list;
}

nlohmann::ordered_json text_json(const Translated& one) {
  return {{"text", one.text}, {"score", one.score}, {"log_probability", one.log_probability}};
}

}  // namespace

nlohmann::ordered_json warnings_json(const WarningList& warnings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const LineWarning& warning : warnings)
    list.push_back({{"kind", name_of(warning.kind)}, {"message", warning.text()}});
  return list;
}

nlohmann::ordered_json translation_json(int64_t number, const TranslatedLine& translation,
                                        bool with_alignments) {
  nlohmann::ordered_json json;
  json["line"] = number;
  if (!translation.constraints_met) json["constraints_met"] = false;
  if (!translation.terms.empty()) json["terms"] = terms_json(translation.terms);
  json["warnings"] = warnings_json(translation.warnings);
  json["translations"] = nlohmann::ordered_json::array();
  for (const Translated& one : translation.best) {
    nlohmann::ordered_json& object = json["translations"].emplace_back(text_json(one));
    object["finished"] = one.finished;
    object["tokens"] = one.pieces;
    object["log_probabilities"] = one.log_probabilities;
    if (with_alignments) object["alignment"] = pharaoh(one.alignment);
  }
  return json;
}

nlohmann::ordered_json texts_json(int64_t number, const TranslatedLine& translation) {
  nlohmann::ordered_json json{{"line", number}, {"translations", nlohmann::ordered_json::array()}};
  for (const Translated& one : translation.best) json["translations"].push_back(text_json(one));
  return json;
}

}  // namespace heed
