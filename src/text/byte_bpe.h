// Byte-level BPE of GPT-2 (Radford et al. 2019), the tokenizer of BART.
//
// A line is split into words, numbers, other signs and white space (byte_bpe_words.h). The bytes of each are
// written as 256 printable characters, "Ġ" for a space, and merged in the order of a list
// (merges.txt). So every text has pieces, and decode(encode(x)) is x. Merges are learned elsewhere: no
// library of Debian has this tokenizer, and SentencePiece neither splits nor merges like it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

// The characters of the 256 bytes.
std::vector<std::string> byte_pieces();
// The two pieces of each valid merge, by the piece that it makes.
std::unordered_map<std::string, std::vector<std::string>> merged_parts(std::string_view merges);
// The merges that make a piece that stays of two others.
std::string trimmed_merges(std::string_view merges,
                           const std::function<bool(const std::string& piece)>& stays);

class ByteBpeTokenizer final : public Tokenizer {
 public:
  // merges: lines of two pieces each, the first merge first, perhaps behind a line "#version: …". name: of
  // their file in errors. prefix_space: a line that begins with no white space is read as if it
  // began with a space, which decode() leaves out. Throws Error(kModel).
  ByteBpeTokenizer(std::string merges, const std::string& name, bool prefix_space, bool lower);
  std::vector<std::string> encode(std::string_view line) const override;
  // Bytes that are no UTF-8 are written as U+FFFD.
  std::string decode(const std::vector<std::string>& pieces) const override;
  bool lowers() const override { return lower_; }
  // May be part of a character.
  std::string text_of(std::string_view piece) const override;
  // The 256 bytes, then what the merges make, in the order of GPT-2.
  std::vector<std::string> own_pieces() const override { return pieces_; }
  // File: STEM.merges
  void save(const std::filesystem::path& folder, const std::string& stem) const override;

 private:
  struct Merge {
    int32_t rank, result;  // a number of pieces_
  };
  static uint64_t key_of(int32_t left, int32_t right) {
    return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  }
  int32_t number_of(const std::string& piece);
  void read_merges(const std::string& name);
  void append_pieces(std::string_view word, std::vector<std::string>& pieces) const;

  std::string merges_;
  bool prefix_space_, lower_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, int32_t> numbers_;  // of pieces_
  std::unordered_map<uint64_t, Merge> merge_of_;
};

struct ByteBpeConfig final : TokenizerConfig {
  std::optional<std::string> merges;
  bool prefix_space = false, begin = false;
  std::optional<VocabularyConfig> vocabulary;  // none: the pieces of the merges

  void own_fields(Fields& f) override;
  void validate(Problems& problems) const override;
  LineLanguage line_language() const override;
  const char* unit() const override { return "subwords"; }
  std::shared_ptr<Tokenizer> make(const LineSource& lines, uint64_t seed) const override;
  std::shared_ptr<Tokenizer> load(const std::filesystem::path& folder,
                                  const std::string& stem) const override;
  void take_files(const std::filesystem::path& folder, const std::string& stem) override;
  VocabularyConfig* vocabulary_config() override { return vocabulary ? &*vocabulary : nullptr; }
};

}  // namespace heed
