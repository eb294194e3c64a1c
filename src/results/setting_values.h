// Settings that divide the runs of a table into rows and columns.
#pragma once

#include <string>
#include <vector>

#include "results/run_list.h"

namespace heed {

// The key of a setting or of a section that this name means: the key itself, or the end of the one
// key that ends so ("rate"; "score" of "….score.type"). Throws Error(kUsage) if no run has it, with
// what is similar, or if several keys end so.
std::string find_setting(const std::vector<RunSummary>& runs, const std::string& name,
                         const std::string& option);

// The value of a setting in each run; "-" if a run lacks it. The value of a section, such as
// model.decoder.attention, is that of its settings that differ between the runs: "general, heads 4".
// A setting `type` is printed without its name.
std::vector<std::string> values_of(const std::vector<RunSummary>& runs, const std::string& key);

// The values without the folders at the beginning or end that all of them share, if they are paths.
std::vector<std::string> short_values(const std::vector<std::string>& values);

// True if one comes before the other: numbers by value and before texts.
bool is_before(const std::string& one, const std::string& other);

}  // namespace heed
