#include "cli/tokenizer_path.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/model_folder.h"
#include "load/model_path.h"
#include "text/sentencepiece_file.h"
#include "text/text_folder.h"

namespace heed {

Codecs load_tokenizers(const std::string& path) {
  if (is_there(fs::path(path) / kTextConfig)) return load_text(path, kTextConfig);
  if (is_plain_file(path) && begins_as_sentencepiece_model(path)) return load_sentencepiece(path);
  refuse_other_than_model(path);
  Codecs codecs;
  read_model(path, [&](const fs::path& folder) { codecs = load_text(folder, kModelConfig); });
  return codecs;
}

}  // namespace heed
