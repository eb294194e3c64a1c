#include "metric/latency.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heed {

namespace {

using Json = nlohmann::json;

constexpr const char* kExpected =
    "expected a JSON object such as {\"source_length\": 4, \"delays\": [2, 3, 4]}";

// The reason why the object has no delays; empty if it has.
std::string fault_of_object(const Json& object) {
  if (!object.is_object()) return fmt::format("found no JSON object, {}", kExpected);
  const auto is_count = [](const Json& value) {
    return value.is_number() && value.get<double>() >= 0;
  };
  for (const char* key : {"source_length", "delays"}) {
    if (!object.contains(key)) return fmt::format("'{}' is missing, {}", key, kExpected);
  }
  if (!is_count(object["source_length"]))
    return fmt::format("source_length is not a number of source tokens, {}", kExpected);
  const Json& delays = object["delays"];
  if (!delays.is_array() || !std::ranges::all_of(delays, is_count))
    return fmt::format("delays are not a list of numbers of source tokens, {}", kExpected);
  if (!std::ranges::is_sorted(delays, {}, [](const Json& delay) { return delay.get<double>(); }))
    return "a delay is less than the one before it, expected numbers of source tokens read so far";
  return {};
}

// Discarded where the line is no JSON.
Json parse(std::string_view line) { return Json::parse(line, nullptr, false); }

Delays read_delays(std::string_view line) {
  const Json object = parse(line);
  if (const std::string fault = fault_of_object(object); !fault.empty())
    throw Error(ErrorKind::kData, fault);
  return {object["source_length"].get<double>(), object["delays"].get<std::vector<double>>()};
}

// 1 / r = |x| / |y|: source tokens for each target token.
double tokens_per_token(const Delays& delays) {
  HEED_CHECK(!delays.read.empty());
  return delays.source_length / static_cast<double>(delays.read.size());
}

}  // namespace

double average_lagging(const Delays& delays) {
  const double pace = tokens_per_token(delays);
  double sum = 0, tau = 0;
  for (const double read : delays.read) {
    sum += read - tau * pace;
    tau += 1;
    if (read >= delays.source_length) break;
  }
  return sum / tau;
}

double differentiable_average_lagging(const Delays& delays) {
  const double pace = tokens_per_token(delays);
  double sum = 0, t = 0, slowed = 0;  // slowed: g'
  for (const double read : delays.read) {
    slowed = t == 0 ? read : std::max(read, slowed + pace);
    sum += slowed - t * pace;
    t += 1;
  }
  return sum / t;
}

std::string Latency::signature(size_t) const {
  return fmt::format("nrefs:0|version:heed-{}", HEED_VERSION);
}

std::string Latency::fault_of(std::string_view line, LineRole role) const {
  return role == LineRole::kHypothesis ? fault_of_object(parse(line)) : std::string();
}

Statistics Latency::statistics(std::string_view hypothesis, const LineReferences&) const {
  const Delays delays = read_delays(hypothesis);
  if (delays.read.empty()) return {0, 0};
  return {latency_(delays), 1};
}

Score Latency::from_sum(const Statistics& sum) const {
  HEED_CHECK(sum.size() == 2);
  return {sum[1] > 0 ? sum[0] / sum[1] : 0,
          fmt::format("(lines = {:.0f})", sum[1]),
          {{"lines", sum[1]}}};
}

}  // namespace heed
