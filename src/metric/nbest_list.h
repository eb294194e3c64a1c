// Refuses lists of n-best translations where plain text is expected.
#pragma once

#include <string>
#include <vector>

namespace heed {

// Throws Error(kData) that begins with `name` if the first line is NUMBER ||| TEXT ||| SCORE, with
// or without other columns, or an object as `heed translate --format json` writes it.
void refuse_nbest_list(const std::vector<std::string>& lines, const std::string& name);

}  // namespace heed
