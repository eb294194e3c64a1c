#include "request/line_json.h"

#include <cmath>

#include "translate/translation_json.h"

namespace heed {

namespace {

// Rounds weights to four digits, more than a picture shows.
Json rounded(const AttentionMatrix& attention) {
  Json rows = Json::array();
  for (const auto& row : attention) {
    Json& weights = rows.emplace_back(Json::array());
    for (const float weight : row) weights.push_back(std::round(weight * 1e4) / 1e4);
  }
  return rows;
}

}  // namespace

Json line_json(int64_t number, const TranslatedLine& translation, const LineOptions& how) {
  Json json = translation_json(number, translation, how.alignment);
  if (!how.attention) return json;
  json["source_tokens"] = translation.source;
  for (size_t i = 0; i < translation.best.size(); ++i)
    json["translations"][i]["attention"] = rounded(translation.best[i].attention);
  return json;
}

}  // namespace heed
