// The module for browsers learns no tokenizers, so the trainer of SentencePiece is not in it.
#if defined(__EMSCRIPTEN__)
#include <sentencepiece_trainer.h>

namespace sentencepiece {

util::Status SentencePieceTrainer::Train(const std::unordered_map<std::string, std::string>&,
                                         SentenceIterator*, std::string*) {
  return {util::StatusCode::kUnimplemented, "no tokenizer is learned in a browser"};
}

}  // namespace sentencepiece
#endif
