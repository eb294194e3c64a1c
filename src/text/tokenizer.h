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
struct LineLanguage;
struct SubwordRegularizationConfig;

// Tokenizers have no state per sentence; encode and decode are thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  // Returns no pieces for an empty line or a line of spaces.
  virtual std::vector<std::string> encode(std::string_view line) const = 0;
  // Draws a random segmentation of the line, for training. Equals encode() for tokenizers that do
  // not sample.
  virtual std::vector<std::string> sample(std::string_view line,
                                          const SubwordRegularizationConfig& how,
                                          RandomStream& draws) const {
    return encode(line);
  }
  // Writes <unk> as it is. Text for users comes from Codec::decode(), which keeps it on one line.
  virtual std::string decode(const std::vector<std::string>& pieces) const = 0;
  // Line without the joiner of subwords, in the form of a translation: for references.
  virtual std::string joined(std::string_view line) const { return std::string(line); }
  // True if encode() lower-cases the line.
  virtual bool lowers() const { return false; }
  // Line in the form of a translation: joined(), on one line, lower-cased if the text is.
  std::string written(std::string_view line) const;
  // Piece that an encoded line begins with unless the line names another: its language. It is not
  // part of the text, and decode() leaves it out. "" for none.
  virtual std::string_view opening() const { return {}; }
  // encode() of text that is part of a line, without its language.
  virtual std::vector<std::string> encode_without_language(std::string_view text) const {
    return encode(text);
  }
  // True if a line has to begin with such a piece, because none is chosen.
  virtual bool needs_language() const { return false; }
  // Number of pieces at the end of an encoded line that are not part of its text: </s> and the
  // language behind it (line_language.h).
  virtual size_t closing() const { return 0; }
  // Words of a line (word_unit.h) as they occur in it, lower-cased if encode() does so.
  virtual std::vector<std::string> words(std::string_view line) const;
  int64_t count_words(std::string_view line) const { return std::ssize(words(line)); }
  // Words of the line that each of its pieces belongs to. pieces: all of them or the first ones,
  // from encode() or sample().
  virtual PieceWords piece_words(std::string_view line,
                                 const std::vector<std::string>& pieces) const;
  // Words of decode(pieces) in the same form, for pieces that a model has written.
  virtual PieceWords written_words(const std::vector<std::string>& pieces) const;
  // Piece as text, with the spaces that it stands for.
  virtual std::string text_of(std::string_view piece) const { return std::string(piece); }
  // Form in which words are written. Must be set before the tokenizer is shared.
  WordUnit word_unit() const { return word_unit_; }
  void set_word_unit(WordUnit unit) { word_unit_ = unit; }
  // Pieces that the tokenizer itself defines (a SentencePiece model's). If empty, pieces are
  // counted in the training data.
  virtual std::vector<std::string> own_pieces() const { return {}; }
  // True if kMarkerPiece separates the sentences of a line.
  virtual bool marks() const { return false; }
  // Number of sentences without pieces in a line with markers. encode() leaves them out with their
  // marker.
  virtual int64_t empty_parts(std::string_view line) const { return 0; }
  // For each sentence between markers, whether it has pieces. A line without markers is one sentence.
  virtual std::vector<bool> parts_with_pieces(std::string_view line) const {
    return {!encode(line).empty()};
  }
  // Writes all data that encode and decode need besides the config to `folder`, in files whose
  // names begin with `stem`.
  virtual void save(const std::filesystem::path& folder, const std::string& stem) const {}

 protected:
  // Returns text_of() each piece. text: the line, or the text that the pieces were written as.
  virtual std::vector<std::string> texts_of(const std::vector<std::string>& pieces,
                                            std::string_view text) const;

 private:
  WordUnit word_unit_ = WordUnit::kByLine;
};

// Calls its argument with each line of training text (source or target side of all corpora,
// cleaned).
using LineSource = std::function<void(const std::function<void(std::string_view)>&)>;

// Pieces that get an id if pieces are counted.
struct VocabularyConfig final : Settings {
  std::optional<std::string> file;
  std::optional<int64_t> max_size;
  int64_t min_count = 1;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

// Settings of the source or target side of the text. A side that shares another's has no further
// settings.
struct TokenizerConfig : KindSettings {
  std::optional<std::string> share;
  bool lower = false;
  std::optional<std::string> marker;
  std::optional<std::string> features;  // if pieces are counted

  void fields(Fields& f) final;
  void validate(Problems& problems) const override;
  // Lists the settings of the kind, in addition to the fields above.
  virtual void own_fields(Fields& f) = 0;
  // Makes the tokenizer for a training run. Reads `lines` only if something has to be learned.
  virtual std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const = 0;
  // Loads the files that save() wrote. Throws Error(kModel).
  virtual std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder,
                                          const std::string& stem) const = 0;
  // True if words are between spaces in every text; then the text is not examined.
  virtual bool splits_at_spaces() const { return false; }
  // True if its tokenizer samples (subword_regularization.h).
  virtual bool samples() const { return false; }
  // Name of its pieces in messages: "words".
  virtual const char* unit() const = 0;
  // Sets the keys to files that save() and Vocabulary::save() write to the folder, instead of
  // learning. Overridden by kinds without a vocabulary_config().
  virtual void take_files(const std::filesystem::path& folder, const std::string& stem);
  // Language of its lines; by default they have none.
  virtual LineLanguage line_language() const;
  // Requested size of the vocabulary, if the tokenizer learns one itself.
  virtual std::optional<int64_t> wanted_size() const { return std::nullopt; }
  // Settings for counting pieces; nullptr if the tokenizer defines them.
  virtual VocabularyConfig* vocabulary_config() { return nullptr; }
};
const Registry<TokenizerConfig>& tokenizers();

}  // namespace heed
