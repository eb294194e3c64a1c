#include "run/progress.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heed {

namespace {

using Json = nlohmann::json;

// JSON has no infinity and no NaN.
double number(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Json json_of(const TokenSums& sums) {
  return {{"loss", sums.loss},       {"negative_log_probability", sums.negative_log_probability},
          {"tokens", sums.tokens},   {"source_tokens", sums.source_tokens},
          {"correct", sums.correct}, {"examples", sums.examples}};
}

TokenSums sums_of(const Json& json) {
  TokenSums sums;
  sums.loss = number(json.at("loss"));
  sums.negative_log_probability = number(json.at("negative_log_probability"));
  sums.tokens = json.at("tokens");
  sums.source_tokens = json.at("source_tokens");
  sums.correct = json.at("correct");
  sums.examples = json.at("examples");
  return sums;
}

Json json_of(const Validation& validation) {
  Json json{
      {"update", validation.update}, {"loss", validation.loss}, {"accuracy", validation.accuracy}};
  for (const auto& [metric, value] : validation.translated) json[metric] = value;
  const CutLines& cut = validation.cut;
  if (cut.translated > 0) json["cut"] = {cut.translated, cut.targets, cut.sources};
  if (validation.at_end) json["at_end"] = true;
  const ScoreIdentity& identity = validation.identity;
  if (identity.is_known())
    json["identity"] = {{"set", identity.set}, {"metrics", identity.metrics}};
  return json;
}

Validation validation_of(const Json& json) {
  Validation validation;
  validation.update = json.at("update");
  validation.loss = number(json.at("loss"));
  validation.accuracy = number(json.at("accuracy"));
  validation.at_end = json.value("at_end", false);
  for (const auto& [name, metric] : validation_metrics()) {
    if (metric.translates && json.contains(name)) validation.translated[name] = number(json[name]);
  }
  if (json.contains("identity")) {
    const Json& identity = json.at("identity");
    validation.identity = {.set = identity.at("set"), .metrics = identity.at("metrics")};
  }
  if (json.contains("cut")) {
    const Json& cut = json.at("cut");
    validation.cut = {.translated = cut.at(0), .targets = cut.at(1), .sources = cut.at(2)};
  }
  return validation;
}

}  // namespace

TokenSums& TokenSums::operator+=(const TokenSums& other) {
  loss += other.loss;
  negative_log_probability += other.negative_log_probability;
  tokens += other.tokens;
  source_tokens += other.source_tokens;
  correct += other.correct;
  examples += other.examples;
  return *this;
}

bool Progress::validated() const {
  if (validations.empty() || validations.back().update != update) return false;
  const ScoreIdentity& now = validations.now;
  return !now.is_known() || validations.back().identity.set == now.set;
}

std::string to_json(const Progress& progress) {
  Json json{{"update", progress.update},
            {"earlier_updates", progress.earlier_updates},
            {"examples", progress.examples},
            {"skipped", progress.skipped},
            {"skipped_in_a_row", progress.skipped_in_a_row},
            {"seconds", progress.seconds},
            {"position",
             {{"epoch", progress.position.epoch},
              {"batch", progress.position.batch},
              {"number", progress.position.number}}},
            {"since_log", json_of(progress.since_log)},
            {"validations", Json::array()}};
  for (const Validation& validation : progress.validations) {
    json["validations"].push_back(json_of(validation));
  }
  if (progress.baseline) json["baseline"] = *progress.baseline;
  return json.dump(2) + "\n";
}

Progress progress_from_json(const std::string& text, const std::string& where) try {
  const Json json = Json::parse(text);
  Progress progress;
  progress.update = json.at("update");
  progress.earlier_updates = json.value("earlier_updates", int64_t{0});
  progress.examples = json.at("examples");
  progress.skipped = json.at("skipped");
  progress.skipped_in_a_row = json.at("skipped_in_a_row");
  if (json.contains("baseline")) progress.baseline = number(json.at("baseline"));
  progress.seconds = number(json.at("seconds"));
  progress.position.epoch = json.at("position").at("epoch");
  progress.position.batch = json.at("position").at("batch");
  progress.position.number = json.at("position").at("number");
  progress.since_log = sums_of(json.at("since_log"));
  for (const Json& item : json.at("validations")) {
    progress.validations.push_back(validation_of(item));
  }
  return progress;
} catch (const Json::exception& error) {
  throw_error(ErrorKind::kModel, "{}: not the progress of a run: {}", where, error.what());
}

}  // namespace heed
