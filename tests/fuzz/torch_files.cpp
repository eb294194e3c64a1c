// Files of torch.save(), of both forms: nothing that they hold is run, and no tensor takes more memory
// than the file has bytes.
#include "exchange/torch_file.h"

#include "nn/torch.h"

#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"

// libtorch's reader of archives keeps a kilobyte of each one that it refuses.
extern "C" const char* __lsan_default_suppressions() { return "leak:mz_zip_reader_init\n"; }

namespace heed {

void try_input(std::string_view bytes) {
  const MemoryFile input(bytes);
  const auto file = open_torch_file(input.path());
  if (!file) return;
  constexpr int64_t kMost = 1 << 20;  // a stride of 0 makes many elements of one
  for (const std::string& name : file->names()) {
    const Tensor tensor = file->read(name);
    HEED_CHECK(tensor.sizes() == file->shape(name));
    if (tensor.numel() < kMost) tensor.to(torch::kFloat).sum();
  }
}

}  // namespace heed
