#include "clean/clean_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace heed {

namespace {

double percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string count_table(const std::vector<FilterCount>& filters, int64_t pairs, size_t width) {
  std::vector<TextColumn> columns{
      {{"filter"}}, {{"alone"}, true}, {{"%"}, true}, {{"first"}, true}, {{"%"}, true}};
  for (const FilterCount& filter : filters) {
    columns[0].cells.push_back(filter.name);
    columns[1].cells.push_back(format_count(filter.alone));
    columns[2].cells.push_back(fmt::format("{:.2f}", percent(filter.alone, pairs)));
    columns[3].cells.push_back(format_count(filter.first));
    columns[4].cells.push_back(fmt::format("{:.2f}", percent(filter.first, pairs)));
  }
  return column_blocks(columns, 1, width);
}

std::string shown(const std::string& text, size_t width) {
  return cut_to_width(printable(text), width);
}

std::string sample_text(const DroppedPair& pair, size_t width) {
  constexpr size_t kIndent = 4;
  const size_t rest = width > 2 * kIndent ? width - kIndent : kIndent;
  return fmt::format("  line {}: {}\n    {}\n    {}\n", pair.line, printable(pair.reason),
                     shown(pair.source, rest), shown(pair.target, rest));
}

}  // namespace

CleanReport::CleanReport(std::string corpus, const std::vector<std::string>& filters,
                         int64_t samples, uint64_t seed)
    : corpus_(std::move(corpus)), samples_(samples) {
  for (const std::string& name : filters) {
    filters_.push_back({name});
    draws_.emplace_back(stream_key(seed, "samples of a filter", filters_.size()));
  }
}

void CleanReport::add(size_t filter, const DroppedPair& pair) {
  FilterCount& count = filters_.at(filter);
  ++count.alone;
  // Reservoir sampling.
  if (std::ssize(count.samples) < samples_) {
    count.samples.push_back(pair);
  } else if (samples_ > 0) {
    const uint64_t place = draws_[filter].below(static_cast<uint64_t>(count.alone));
    if (place < count.samples.size()) count.samples[place] = pair;
  }
}

void CleanReport::finish() {
  for (FilterCount& filter : filters_) std::ranges::sort(filter.samples, {}, &DroppedPair::line);
}

std::string CleanReport::summary() const {
  return fmt::format("{}: {} pairs, {} kept ({:.2f} %)", printable(corpus_), format_count(pairs_),
                     format_count(kept_), percent(kept_, pairs_));
}

std::string CleanReport::text(size_t width) const {
  std::string text = summary() + "\n\n";
  text += count_table(filters_, pairs_, width);
  for (const FilterCount& filter : filters_) {
    if (filter.samples.empty()) continue;
    text += fmt::format("\n{}: {} of {}\n", filter.name, format_count(std::ssize(filter.samples)),
                        format_count(filter.alone));
    for (const DroppedPair& pair : filter.samples) text += sample_text(pair, width);
  }
  return text;
}

nlohmann::ordered_json CleanReport::json() const {
  nlohmann::ordered_json json{{"corpus", corpus_}, {"pairs", pairs_}, {"kept", kept_}};
  json["filters"] = nlohmann::ordered_json::array();
  for (const FilterCount& filter : filters_) {
    nlohmann::ordered_json entry{
        {"name", filter.name}, {"alone", filter.alone}, {"first", filter.first}};
    entry["samples"] = nlohmann::ordered_json::array();
    for (const DroppedPair& pair : filter.samples)
      entry["samples"].push_back({{"line", pair.line},
                                  {"reason", pair.reason},
                                  {"source", pair.source},
                                  {"target", pair.target}});
    json["filters"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace heed
