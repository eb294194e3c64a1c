// Lines of several inputs, an object each.
#include "cli/source_object.h"
#include "fuzz/fuzzing.h"

namespace heed {

void try_input(std::string_view bytes) {
  while (!bytes.empty()) {
    std::vector<std::string> texts;
    if (!read_source_object(take_until(bytes, '\n'), {"en", "de"}, texts))
      HEED_CHECK(texts.size() == 2);
  }
}

}  // namespace heed
