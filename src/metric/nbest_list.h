// Refuses lists of n-best translations where plain text is expected.
#pragma once

#include <string>
#include <vector>

namespace heed {

// Throws Error(kData) that begins with `name` if the first line is NUMBER ||| TEXT ||| SCORE, with
// or without other columns, TEXT ||| ALIGNMENT as Marian writes it, or an object of `heed translate --format
// json`.
void refuse_nbest_list(const std::vector<std::string>& lines, const std::string& name);

}  // namespace heed
