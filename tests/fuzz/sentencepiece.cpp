// The file of a SentencePiece model, which is then used.
#include "text/sentencepiece.h"

#include "fuzz/fuzzing.h"

namespace heed {

void try_input(std::string_view bytes) {
  const SentencePieceTokenizer tokenizer(std::string(bytes), "model", false);
  for (const char* line :
       {"der alte B\xC3\xA4r", "\xEF\xAC\x81 \xE2\x91\xA0 \xEF\xBC\xA1  e\xCC\x81", " "})
    tokenizer.decode(tokenizer.encode(line));
  tokenizer.own_pieces();
}

}  // namespace heed
