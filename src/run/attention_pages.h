// Reference of the attention mechanisms: their names in a config, formula and paper, keys, and the
// places and mechanisms that each works with. The config reader's own checks give the latter.
#pragma once

#include <string>

namespace heed {

// One line for each mechanism, grouped by key.
std::string attention_list();
// Full entry of a mechanism or of a value of one of its keys; all entries if there are several.
// Throws Error(kUsage) with a suggestion for a name that does not exist.
std::string attention_entry(const std::string& name);
// Text of docs/attention.md.
std::string attention_reference();

}  // namespace heed
