// What attention mechanisms there are: the words of a config, formula and paper, keys, and where
// and with what each works, asked of the reader's own checks.
#pragma once

#include <string>

namespace heed {

// Every mechanism, a line each, by the key that it is a value of.
std::string attention_list();
// All that is known of a name: of a mechanism, or of a word of one of its keys; of each where there
// are several. Throws Error(kUsage) with a suggestion for a name that does not exist.
std::string attention_entry(const std::string& name);
// docs/attention.md
std::string attention_reference();

}  // namespace heed
