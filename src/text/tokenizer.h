// Tokenization of raw text and detokenization. A piece is a token: a subword, word or character.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "text/piece_words.h"
#include "text/vocabulary.h"

namespace heed {

class RandomStream;
struct SubwordRegularization;

// A tokenizer has no state per sentence; encode and decode are thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  // An empty line, and one of spaces alone, gives no pieces.
  virtual std::vector<std::string> encode(std::string_view line) const = 0;
  // A segmentation of the line that is drawn at random, for training; that of encode() where there
  // is no other.
  virtual std::vector<std::string> sample(std::string_view line, const SubwordRegularization& how,
                                          RandomStream& draws) const {
    return encode(line);
  }
  // <unk> is written as it stands. Text for users comes from Codec::decode(), which keeps it on one
  // line.
  virtual std::string decode(const std::vector<std::string>& pieces) const = 0;
  // A line without the joiner of subwords, as in translations: a reference beside them.
  virtual std::string joined(std::string_view line) const { return std::string(line); }
  // Whether encode() lower-cases the line.
  virtual bool lowers() const { return false; }
  // A line as a translation would be written: joined(), one line, in lower case where the text is.
  std::string written(std::string_view line) const;
  // The piece that an encoded line begins with, where it names no other: its language. It is no part
  // of the text, and decode() leaves it out. "" for none.
  virtual std::string_view opening() const { return {}; }
  // The words of a line (word_unit.h) as they stand there, lower-cased where encode() does so.
  virtual std::vector<std::string> words(std::string_view line) const;
  int64_t count_words(std::string_view line) const { return std::ssize(words(line)); }
  // The words of the line that each of its pieces is part of; pieces: all of them or the first ones,
  // from encode() or sample().
  virtual PieceWords piece_words(std::string_view line,
                                 const std::vector<std::string>& pieces) const;
  // The same of pieces that a model has written: the words of decode(pieces).
  virtual PieceWords written_words(const std::vector<std::string>& pieces) const;
  // A piece as text, with the spaces that it stands for.
  virtual std::string text_of(std::string_view piece) const { return std::string(piece); }
  // How the text is written. To be set before anyone else has the tokenizer.
  WordUnit word_unit() const { return word_unit_; }
  void set_word_unit(WordUnit unit) { word_unit_ = unit; }
  // Pieces that the tokenizer itself fixes (a SentencePiece model's), or empty: then they are
  // counted in the training data.
  virtual std::vector<std::string> own_pieces() const { return {}; }
  // Whether kMarkerPiece stands between the sentences of a line.
  virtual bool marks() const { return false; }
  // The sentences without a piece in a line with marks, which encode() leaves out with their mark.
  virtual int64_t empty_parts(std::string_view line) const { return 0; }
  // Writes everything that encode and decode need besides the config to `folder`, in files whose
  // names begin with `stem`.
  virtual void save(const std::filesystem::path& folder, const std::string& stem) const {}

 protected:
  // text_of() each of them; text: the line, or what they were written as.
  virtual std::vector<std::string> texts_of(const std::vector<std::string>& pieces,
                                            std::string_view text) const;

 private:
  WordUnit word_unit_ = WordUnit::kByLine;
};

// Calls its argument with each line of training text (source or target side of all corpora,
// cleaned).
using LineSource = std::function<void(const std::function<void(std::string_view)>&)>;

// Which pieces get an id where they are counted.
struct VocabularyConfig final : Settings {
  std::optional<std::string> file;
  std::optional<int64_t> max_size;
  int64_t min_count = 1;
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;
};

// The settings of the source or target side of the text. A side that shares another's has no
// settings of its own.
struct TokenizerConfig : KindSettings {
  std::optional<std::string> share;
  bool lower = false;
  std::optional<std::string> marker;

  void fields(Fields& f) const final;
  void validate(Problems& problems) const override;
  // The settings of the kind beside the above.
  virtual void own_fields(Fields& f) const = 0;
  // Made anew for a training run; `lines` is only read if something has to be learned.
  virtual std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const = 0;
  // From what save() wrote. Throws Error(kModel).
  virtual std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder,
                                          const std::string& stem) const = 0;
  // True if its words are between spaces in every text; then the text is not asked.
  virtual bool splits_at_spaces() const { return false; }
  // Whether its tokenizer samples (subword_regularization.h).
  virtual bool samples() const { return false; }
  // What its pieces are, in messages: "words".
  virtual const char* unit() const = 0;
  // Names the files that save() and Vocabulary::save() write to the folder, instead of learning;
  // overridden where there is no vocabulary_config().
  virtual void take_files(const std::filesystem::path& folder, const std::string& stem);
  // The size that its vocabulary is asked to have, where it learns one of its own.
  virtual std::optional<int64_t> wanted_size() const { return std::nullopt; }
  // How pieces are counted; nullptr where the tokenizer fixes them.
  virtual VocabularyConfig* vocabulary_config() { return nullptr; }
  // Calls `visit` with key and value of each file that is named and that a training run reads.
  virtual void visit_files(const std::function<void(const char*, std::string&)>& visit) {}
};
const Registry<TokenizerConfig>& tokenizers();

}  // namespace heed
