// The file of a vocabulary.
#include "text/vocabulary.h"

#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

namespace heed {

void try_input(std::string_view bytes) {
  const Vocabulary vocabulary = Vocabulary::load(MemoryFile(bytes).path());
  for (int32_t id = 0; id < vocabulary.size(); ++id)
    HEED_CHECK(vocabulary.id(vocabulary.piece(id)) == id);
}

}  // namespace heed
