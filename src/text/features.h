// Feature labels of a line, such as the tags of an inflected form: `lemma<TAB>V;PST`. The text before
// the first tab is that of another tokenizer, and each label behind it is one piece.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

// First character of the piece of a label: U+241F. A text that has it at the beginning of a piece
// is read as a label.
inline constexpr std::string_view kFeatureSign = "\xE2\x90\x9F";

class FeatureTokenizer final : public Tokenizer {
 public:
  // separators: characters between labels, beside tabs and spaces.
  FeatureTokenizer(std::shared_ptr<const Tokenizer> inner, std::string separators);
  std::vector<std::string> encode(std::string_view line) const override;
  // Writes the labels behind a tab, separated by the first of the separators.
  std::string decode(const std::vector<std::string>& pieces) const override;
  std::string joined(std::string_view line) const override;
  bool lowers() const override { return inner_->lowers(); }
  // A label is a word.
  std::vector<std::string> words(std::string_view line) const override;
  PieceWords piece_words(std::string_view line,
                         const std::vector<std::string>& pieces) const override;
  PieceWords written_words(const std::vector<std::string>& pieces) const override;
  std::string text_of(std::string_view piece) const override;
  void save(const std::filesystem::path& folder, const std::string& stem) const override {
    inner_->save(folder, stem);
  }

 private:
  std::vector<std::string> labels_of(std::string_view line) const;
  std::shared_ptr<const Tokenizer> inner_;
  std::string separators_;
};

// Returns the tokenizer unchanged without separators.
std::shared_ptr<const Tokenizer> with_features(std::shared_ptr<const Tokenizer> tokenizer,
                                               const std::optional<std::string>& separators);

}  // namespace heed
