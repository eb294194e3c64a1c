#include "text/byte_bpe.h"
#include "text/characters.h"
#include "text/sentencepiece.h"
#include "text/words.h"

namespace heed {

const Registry<TokenizerConfig>& tokenizers() {
  static const Registry<TokenizerConfig> kinds = {
      kind<SentencePieceConfig, TokenizerConfig>(
          "sentencepiece",
          "SentencePiece subwords, trained on the training data or loaded from a file"),
      kind<ByteBpeConfig, TokenizerConfig>(
          "byte_bpe", "byte-level BPE of GPT-2 and BART, loaded from a file of merges"),
      kind<WordsConfig, TokenizerConfig>(
          "words", "words between spaces, for text that is already tokenized"),
      kind<CharactersConfig, TokenizerConfig>("characters", "characters (Unicode code points)"),
  };
  return kinds;
}

}  // namespace heed
