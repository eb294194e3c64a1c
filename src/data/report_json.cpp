#include "data/report_json.h"

#include <array>

namespace heed {

namespace {

constexpr std::array<std::pair<const char*, int64_t CorpusCount::*>, 13> kCounts{{
    {"pairs", &CorpusCount::pairs},
    {"kept", &CorpusCount::kept},
    {"bad_rows", &CorpusCount::bad_rows},
    {"malformed", &CorpusCount::malformed},
    {"empty", &CorpusCount::empty},
    {"too_long", &CorpusCount::too_long},
    {"uneven", &CorpusCount::uneven},
    {"not_copied", &CorpusCount::not_copied},
    {"repaired", &CorpusCount::repaired},
    {"joined", &CorpusCount::joined},
    {"unmarked", &CorpusCount::unmarked},
    {"truncated", &CorpusCount::truncated},
    {"facts_cut", &CorpusCount::facts_cut},
}};

}  // namespace

nlohmann::json counts_to_json(const CorpusReport& report) {
  nlohmann::json all = nlohmann::json::array();
  for (const CorpusCount& count : report.corpora) {
    nlohmann::json& one = all.emplace_back();
    for (const auto& [name, number] : kCounts) one[name] = count.*number;
  }
  return all;
}

CorpusReport report_from_json(const nlohmann::json& counts, const std::vector<std::string>& names) {
  CorpusReport report;
  for (size_t i = 0; i < names.size(); ++i) {
    CorpusCount& count = report.corpora.emplace_back();
    count.name = names[i];
    for (const auto& [name, number] : kCounts) count.*number = counts.at(i).value(name, int64_t{0});
  }
  return report;
}

}  // namespace heed
