// Parameters of Marian, in both of its formats: no tensor takes more memory than the file has bytes.
#include "exchange/marian_file.h"

#include "nn/torch.h"

#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

namespace heed {

void try_input(std::string_view bytes) {
  const MemoryFile input(bytes);
  MarianFile file(input.path());
  for (const std::string& name : file.names()) {
    const Tensor tensor = file.read(name);
    HEED_CHECK(tensor.sizes() == file.shape(name));
    tensor.to(torch::kFloat).sum();
  }
  file.settings();
}

}  // namespace heed
