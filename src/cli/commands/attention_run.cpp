#include "base/file.h"
#include "cli/commands/run.h"
#include "cli/tensors/attention_pages.h"

namespace heed {

int run_attention(const AttentionOptions& options) {
  using What = AttentionOptions::What;
  AtomicFile out("-");
  out.write(options.what == What::kList   ? attention_list()
            : options.what == What::kShow ? attention_entry(options.name)
                                          : attention_reference());
  out.commit();
  return 0;
}

}  // namespace heed
