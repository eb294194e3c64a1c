// A text, plain or compressed, read line by line.
#include "base/file.h"
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

namespace heed {

void try_input(std::string_view bytes) {
  const MemoryFile file(bytes);
  LineReader reader(file.path());
  for (std::string line; reader.next(line);) HEED_CHECK(line.find('\n') == std::string::npos);
}

}  // namespace heed
