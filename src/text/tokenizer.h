// Raw text to pieces and back.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "text/vocabulary.h"

namespace heed {

// A tokenizer is a value without state of a sentence; encode and decode may be called from several threads.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  virtual std::vector<std::string> encode(std::string_view line) const = 0;
  virtual std::string decode(const std::vector<std::string>& pieces) const = 0;
  // Does this piece begin a word (for mapping pieces to words)?
  virtual bool begins_word(std::string_view piece) const = 0;
  // Pieces that the tokenizer itself fixes (a SentencePiece model's), or empty: then they are counted in the training data.
  virtual std::vector<std::string> own_pieces() const { return {}; }
  // Whatever encode and decode need beside the config goes into `folder` under names that begin with `stem`.
  virtual void save(const std::filesystem::path& folder, const std::string& stem) const {}
};

// Calls its argument with each line of training text (one side of all corpora, cleaned).
using LineSource = std::function<void(const std::function<void(std::string_view)>&)>;

struct TokenizerConfig : KindSettings {
  bool lower = false;
  // Made anew for a training run; `lines` is only read if something has to be learned.
  virtual std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const = 0;
  // From what save() wrote.
  virtual std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder, const std::string& stem) const = 0;
};
const Registry<TokenizerConfig>& tokenizers();

}  // namespace heed
