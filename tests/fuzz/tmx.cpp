// A translation memory, plain or compressed: each row is an object of texts.
#include <nlohmann/json.hpp>

#include "data/tmx_source.h"
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

namespace heed {

void try_input(std::string_view bytes) {
  const MemoryFile file(bytes);
  LineReader reader = open_lines({file.path(), {TextView::Form::kTmx, "en"}});
  for (std::string row; reader.next(row);) {
    const auto unit = nlohmann::ordered_json::parse(row);
    for (const auto& [language, text] : unit.items())
      HEED_CHECK(!language.empty() && text.is_string());
  }
}

}  // namespace heed
