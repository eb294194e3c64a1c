// Ids and the pieces they stand for.
//
// Every vocabulary begins with the four special pieces; what follows is ordered by count, then by
// bytes, so the same text gives the same ids everywhere. The file form is one piece a line, in the
// order of the ids, without the specials.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed {

inline constexpr int32_t kPad = 0;
inline constexpr int32_t kUnknown = 1;
inline constexpr int32_t kBegin = 2;  // begins a target
inline constexpr int32_t kEnd = 3;    // ends a target, and a source if the model wants one
inline constexpr int32_t kSpecials = 4;

// How an unknown piece is written.
inline constexpr std::string_view kUnknownPiece = "<unk>";

using Ids = std::vector<int32_t>;

// Is this one of the four special pieces as they are written: <pad>, <unk>, <s>, </s>?
bool is_special_piece(std::string_view piece);

class Vocabulary {
 public:
  Vocabulary();  // the specials alone
  // Throws Error(kData) on a duplicate, an empty piece, a line break in one or one that equals a
  // special.
  explicit Vocabulary(const std::vector<std::string>& pieces);
  // Pieces with their counts; at most max_size of them (0: all) with at least min_count. What
  // equals a special or is empty is left out: it is encoded as kUnknown.
  static Vocabulary from_counts(const std::map<std::string, int64_t>& counts, int64_t max_size,
                                int64_t min_count);
  // A file that a user gives, in any line ends. Error(kIo), Error(kData) with line; Error(kData) for
  // lines that have numbers behind the tokens.
  static Vocabulary load(const std::filesystem::path& path);
  // The file of save(), byte for byte. Error(kIo), Error(kData).
  static Vocabulary load_saved(const std::filesystem::path& path);
  void save(const std::filesystem::path& path) const;

  int64_t size() const { return static_cast<int64_t>(pieces_.size()); }  // with the specials
  int32_t id(std::string_view piece) const;  // kUnknown if it is not there
  const std::string& piece(int32_t id) const;
  std::string hash() const;
  bool operator==(const Vocabulary& other) const { return pieces_ == other.pieces_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::string file_form() const;
  static Vocabulary of_file(const std::vector<std::string>& pieces,
                            const std::filesystem::path& path);

  std::vector<std::string> pieces_;
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> ids_;
};

}  // namespace heed
