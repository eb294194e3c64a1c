#include "text/characters.h"
#include "text/sentencepiece.h"
#include "text/words.h"

namespace heed {

const Registry<TokenizerConfig>& tokenizers() {
  static const Registry<TokenizerConfig> kinds = {
      kind<SentencePieceConfig, TokenizerConfig>(
          "sentencepiece", "subwords by SentencePiece, learned from the training text or named"),
      kind<WordsConfig, TokenizerConfig>("words", "split at spaces, for text tokenised elsewhere"),
      kind<CharactersConfig, TokenizerConfig>("characters", "one piece a code point"),
  };
  return kinds;
}

}  // namespace heed
