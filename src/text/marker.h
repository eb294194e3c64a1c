// Marker between the sentences of a line (`marker: "\t"`): always a separate piece, independent of
// the tokenization of the text around it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

// Marker as a piece: U+241E.
inline constexpr std::string_view kMarkerPiece = "\xE2\x90\x9E";

// Encodes with markers. Parts without pieces are left out, so a line neither begins nor ends with a
// marker and has no two in a row.
class MarkedTokenizer final : public Tokenizer {
 public:
  MarkedTokenizer(std::shared_ptr<const Tokenizer> inner, std::string marker)
      : inner_(std::move(inner)), marker_(std::move(marker)) {
    set_word_unit(inner_->word_unit());
  }
  std::vector<std::string> encode(std::string_view line) const override;
  std::vector<std::string> sample(std::string_view line, const SubwordRegularizationConfig& how,
                                  RandomStream& draws) const override;
  std::string decode(const std::vector<std::string>& pieces) const override;
  std::string joined(std::string_view line) const override;
  // A marker is a separate word unless it is spaces. Markers that encode() leaves out count too,
  // such as one at the beginning of a line.
  std::vector<std::string> words(std::string_view line) const override;
  PieceWords piece_words(std::string_view line,
                         const std::vector<std::string>& pieces) const override;
  PieceWords written_words(const std::vector<std::string>& pieces) const override;
  std::string text_of(std::string_view piece) const override;
  std::vector<std::string> own_pieces() const override;
  bool marks() const override { return true; }
  int64_t empty_parts(std::string_view line) const override;
  std::vector<bool> parts_with_pieces(std::string_view line) const override;
  void save(const std::filesystem::path& folder, const std::string& stem) const override {
    inner_->save(folder, stem);
  }

 private:
  bool is_word() const;  // true if the marker is more than spaces
  WordRange mark_before(int64_t word) const;
  std::shared_ptr<const Tokenizer> inner_;
  std::string marker_;
};

// Returns the tokenizer unchanged without a marker.
std::shared_ptr<const Tokenizer> with_marker(std::shared_ptr<const Tokenizer> tokenizer,
                                             const std::optional<std::string>& marker);
// Parts of the lines between markers.
LineSource parts_of(const LineSource& lines, const std::optional<std::string>& marker);

}  // namespace heed
