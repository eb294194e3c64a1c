// Lines that may be a list of n-best translations.
#include "fuzz/fuzzing.h"
#include "metric/nbest_list.h"

namespace heed {

void try_input(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) lines.emplace_back(take_until(bytes, '\n'));
  refuse_nbest_list(lines, "list");
}

}  // namespace heed
