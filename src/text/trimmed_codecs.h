// Smaller vocabularies: those of a model without the tokens that a corpus does not use (vocabulary
// trimming, Ushio et al. 2023).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/codecs.h"

namespace heed {

struct TrimSettings {
  int64_t min_count = 1;          // occurrences of a token that stays
  std::optional<int64_t> size{};  // of each vocabulary, with the special tokens
  bool all_characters =
      false;  // subwords: all single characters stay, not only those of the corpus
};

// Counts the tokens of a corpus, and makes the smaller vocabularies.
class CorpusTokens {
 public:
  // Sides with equal vocabularies keep equal ones.
  CorpusTokens(const TextConfigs& text, const Codecs& codecs);
  // Adds lines of a side: "target" or the name of a source.
  void add(const std::string& side, const LineSource& lines);
  // Adds lines of all sides. Where several tokenizers have one vocabulary, the largest count of a token
  // counts.
  void add_to_all(const LineSource& lines);

  // The codecs of all sides and factors. A vocabulary whose sides have no text stays as it is; the others
  // have the tokens of the lines, special tokens, languages, markers, feature labels and, for subwords, the
  // needed_pieces() and single characters of the corpus. Those of byte-level BPE have all bytes, and what
  // their tokens are merged from. Writes the files of the tokenizers to the folder.
  // Throws Error(kUsage) if a side has no text but shares its vocabulary with one that has, and if the
  // size is too small; Error(kData) if the lines of a side have no tokens.
  Codecs trimmed(const std::filesystem::path& folder, const TrimSettings& settings) const;

 private:
  using Pieces = std::set<std::string>;
  using Parts = std::unordered_map<std::string, std::vector<std::string>>;
  using Counts = std::unordered_map<std::string, int64_t>;
  // Sides with one vocabulary.
  struct Group {
    std::vector<std::string> sides{};
    std::shared_ptr<const Vocabulary> vocabulary{};
    bool has_subwords = false;
    Counts counts{};
    std::set<std::string> counted{};  // sides with text
  };
  template <class Config>
  bool is_of(const std::string& side) const;
  bool has_subwords(const std::string& side) const;
  // Parts of each piece of the byte-level BPE of the group.
  Parts parts_of(const Group& group, const std::filesystem::path& folder) const;
  void count(const std::string& side, const LineSource& lines, Counts& counts) const;
  Pieces fixed_pieces(const Group& group, const std::filesystem::path& folder,
                      const TrimSettings& settings) const;
  Pieces kept_pieces(const Group& group, const Pieces& fixed, const Parts& parts,
                     const TrimSettings& settings) const;
  void write(const Group& group, const Pieces& kept, const std::filesystem::path& folder) const;

  TextConfigs text_;
  Codecs codecs_;
  std::vector<Group> groups_;
  std::map<std::string, size_t> group_of_;  // by side
};

// Sides with different codecs: the first of those that share one.
std::vector<std::string> sides_apart(const TextConfigs& text, const Codecs& codecs);

// How two tokenizers of one text differ.
struct TokenizationChange {
  int64_t lines = 0, changed_lines = 0;
  int64_t tokens_before = 0, tokens = 0;
  int64_t unknown_before = 0, unknown = 0;
  void add(const Codec& before, const Codec& now, std::string_view line);
};

}  // namespace heed
