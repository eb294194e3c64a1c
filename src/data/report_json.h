// A CorpusReport as JSON: its counts, without names and weights.
#pragma once

#include <nlohmann/json.hpp>

#include "data/cleaning.h"

namespace heed {

nlohmann::json counts_to_json(const CorpusReport& report);
// The report on corpora of these names, in their order. Throws nlohmann::json::exception.
CorpusReport report_from_json(const nlohmann::json& counts, const std::vector<std::string>& names);

}  // namespace heed
