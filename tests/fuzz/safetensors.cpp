// Header of a safetensors file, followed by a zero byte and as many bytes as it has data.
#include <stdexcept>

#include "base/safetensors_header.h"
#include "fuzz/fuzzing.h"

namespace heed {

void try_input(std::string_view bytes) try {
  const std::string header = take_until(bytes, '\0');
  for (const auto& [name, entry] : parse_header(header, bytes.size()))
    HEED_CHECK(entry.begin <= entry.end && entry.end <= bytes.size());
} catch (const std::runtime_error&) {
  // Errors of the header are expected.
}

}  // namespace heed
