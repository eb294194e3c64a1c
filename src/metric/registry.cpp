#include "metric/registry.h"

#include <functional>

#include "base/error.h"
#include "base/suggest.h"
#include "metric/accuracy.h"

namespace heed {

namespace {

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Metric>(const MetricOptions&)> make;
};

template <class M>
std::unique_ptr<Metric> plain(const MetricOptions&) {
  return std::make_unique<M>();
}

template <RougeKind kind>
std::unique_ptr<Metric> rouge(const MetricOptions& options) {
  return std::make_unique<Rouge>(kind, options.rouge);
}

std::unique_ptr<Metric> bleu(const MetricOptions& options) {
  return std::make_unique<Bleu>(options.bleu);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {"bleu", bleu},
      {"rouge1", rouge<RougeKind::kUnigrams>},
      {"rouge2", rouge<RougeKind::kBigrams>},
      {"rougeL", rouge<RougeKind::kLongest>},
      {"rougeLsum", rouge<RougeKind::kSummary>},
      {"exact", plain<ExactMatch>},
      {"accuracy", plain<WordAccuracy>},
  };
  return list;
}

struct Group {
  std::string name;
  std::vector<std::string> members;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> list = {{"rouge", {"rouge1", "rouge2", "rougeL", "rougeLsum"}}};
  return list;
}

[[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& allowed) {
  throw_error(ErrorKind::kUsage, "there is no metric '{}'; allowed: {}{}", name,
              fmt::join(allowed, ", "), did_you_mean(name, allowed));
}

}  // namespace

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const auto& entry : entries()) names.push_back(entry.name);
  for (const auto& group : groups()) names.push_back(group.name);
  return names;
}

std::unique_ptr<Metric> make_metric(const std::string& name, const MetricOptions& options) {
  std::vector<std::string> single;
  for (const auto& entry : entries()) {
    if (entry.name == name) return entry.make(options);
    single.push_back(entry.name);
  }
  refuse(name, single);
}

std::vector<std::unique_ptr<Metric>> make_metrics(const std::string& name,
                                                  const MetricOptions& options) {
  std::vector<std::string> members = {name};
  for (const auto& group : groups()) {
    if (group.name == name) members = group.members;
  }
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const auto& entry : entries()) {
    for (const auto& member : members) {
      if (entry.name == member) metrics.push_back(entry.make(options));
    }
  }
  if (metrics.empty()) refuse(name, metric_names());
  return metrics;
}

}  // namespace heed
