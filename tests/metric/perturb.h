// A damaged copy of a line by a rule without chance: the same as scripts/fixtures/perturb.py.
#pragma once

#include <string>
#include <string_view>

namespace heed::test {

// `number` is that of the line, from 0; `salt` gives another copy.
std::string perturb(std::string_view line, size_t number, size_t salt);

}  // namespace heed::test
