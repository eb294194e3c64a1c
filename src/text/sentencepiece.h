// Subwords by SentencePiece (Kudo and Richardson 2018): byte-pair encoding (Sennrich et al. 2016)
// or a unigram language model (Kudo 2018).
//
// The model is learned from the training text (the same text always gives the same model) or given
// as a file. The vocabulary is our four special pieces, followed by the pieces of the model in its
// order, without its <unk>, <s> and </s>, unless the config has a separate vocabulary.
// decode(encode(x)) is x as normalized by SentencePiece (NFKC, runs of spaces as one).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "text/bpe_dropout.h"
#include "text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed {

// Limits the bytes of a model to the pieces of a vocabulary and single characters (SetVocabulary()
// of SentencePiece); one with byte fallback is left as it is, with a warning. Throws Error(kModel).
std::string restricted_sentencepiece(const std::string& model, const std::string& name,
                                     const std::vector<std::string>& vocabulary);

class SentencePieceTokenizer final : public Tokenizer {
 public:
  // model: bytes of a model file. name: name of the file in errors. Throws Error(kModel) if the
  // bytes are not a complete SentencePiece model (sentencepiece_file.h).
  SentencePieceTokenizer(std::string model, const std::string& name, bool lower);
  ~SentencePieceTokenizer() override;
  // Returns the pieces that SentencePiece gives, for lines of any length (unknown_runs.h).
  std::vector<std::string> encode(std::string_view line) const override;
  // BPE-dropout processes text without spaces in parts of at most 100 characters. A line of more
  // than 16 KiB keeps its best segmentation with a unigram model: sampling takes quadratic time
  // there.
  std::vector<std::string> sample(std::string_view line, const SubwordRegularizationConfig& how,
                                  RandomStream& draws) const override;
  std::string decode(const std::vector<std::string>& pieces) const override;
  bool lowers() const override { return lower_; }
  std::string text_of(std::string_view piece) const override;
  // Pieces without a line feed, which a line of text never contains.
  std::vector<std::string> own_pieces() const override;
  int64_t pieces_with_line_feeds() const;
  // All pieces in the order of the model's ids, including special ones.
  std::vector<std::string> all_pieces() const;
  const std::string& model() const { return model_; }  // the bytes of its file
  // File: STEM.model
  void save(const std::filesystem::path& folder, const std::string& stem) const override;

 private:
  std::vector<std::string> encode_text(std::string_view text) const;
  std::vector<std::string> sample_unigram(std::string_view text,
                                          const SubwordRegularizationConfig& how,
                                          RandomStream& draws) const;
  std::vector<std::string> drop_merges(const std::vector<std::string>& pieces, double p,
                                       RandomStream& draws) const;
  std::vector<std::string> characters_of(const std::string& piece) const;
  bool is_made_by_merges(const std::string& piece) const;
  MergePriority priorities() const;
  std::optional<float> score(const std::string& piece) const;
  bool is_unknown(const std::string& piece) const;
  // True if a word ends between these pieces.
  bool is_word_end(const std::string& piece, const std::string& next) const;

  std::string model_;
  bool lower_;
  // space_is_suffix_: the space of a word is at its end (treat_whitespace_as_suffix).
  // adds_last_space_: the model adds a space at the end of a text.
  bool space_is_suffix_, adds_last_space_ = false;
  std::unique_ptr<const sentencepiece::SentencePieceProcessor> processor_;
  bool is_unigram_ = false;
  // Values of is_made_by_merges() by id of the piece. Computed when a line is sampled for the first
  // time.
  mutable std::once_flag merged_once_;
  mutable std::vector<bool> merged_;
};

// The tokenizer of these subwords, also with a language (line_language.h); nullptr for others.
const SentencePieceTokenizer* sentencepiece_of(const Tokenizer& tokenizer);

enum class SubwordModel { kBpe, kUnigram };
enum class Normalization { kNmtNfkc, kNfkc, kIdentity };

struct SentencePieceConfig final : TokenizerConfig {
  std::optional<std::string> model;
  int64_t size = 8000;
  SubwordModel model_type = SubwordModel::kBpe;
  double character_coverage = 1.0;
  bool byte_fallback = false;
  Normalization normalization = Normalization::kNmtNfkc;
  int64_t sample = 500000;
  bool language_code = false;
  std::optional<std::string> language;
  bool language_at_end = false, many_languages = false;
  std::optional<VocabularyConfig> vocabulary;  // none: the pieces of the model

  void own_fields(Fields& f) override;
  void validate(Problems& problems) const override;
  LineLanguage line_language() const override;
  bool samples() const override { return true; }
  const char* unit() const override { return "subwords"; }
  std::optional<int64_t> wanted_size() const override {
    return model || vocabulary ? std::nullopt : std::optional(size);
  }
  std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const override;
  std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder,
                                  const std::string& stem) const override;
  void take_files(const std::filesystem::path& folder, const std::string& stem) override;
  VocabularyConfig* vocabulary_config() override { return vocabulary ? &*vocabulary : nullptr; }
};

}  // namespace heed
