// Text that is not UTF-8: its encoding, guessed from its bytes, and the command that converts it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace heed {

// "iconv -f UTF-16LE -t UTF-8 a.txt > a.utf8.txt"
std::string utf8_command(const std::string& encoding, const std::filesystem::path& file);

struct TextEncoding {
  int64_t malformed = 0;    // lines with malformed UTF-8
  int64_t well_formed = 0;  // other lines, of those with characters beyond ASCII
  std::string name{};       // for iconv and Python; "": unknown
  // True if enough of these lines are UTF-8 to show that the file has lines of two encodings.
  bool is_mixed() const;
};

// Reads a file of text again, at most `lines` of it. All numbers are 0 for a pipe, which can be read
// only once.
TextEncoding find_encoding(const std::filesystem::path& file,
                           int64_t lines = std::numeric_limits<int64_t>::max());

// "the file looks like ISO 8859-1 (Windows-1252); convert it: iconv …"; of a mixed file the command that
// converts the malformed bytes alone.
std::string conversion_advice(const TextEncoding& encoding, const std::filesystem::path& file);

// Counts the lines of a file that are malformed UTF-8: a few are damaged, many are another encoding.
struct MalformedLines {
  std::filesystem::path file{};
  std::string name{};  // in messages: "a.tsv (2)"
  int64_t lines = 0, malformed = 0;

  void add(bool is_malformed) { ++lines, malformed += is_malformed; }
  // At least 10, and more than one of 1,000.
  bool are_many() const;
  // Many, and more than one of 100; or more than a half, however few lines there are.
  bool are_too_many() const;
  // "a.tsv (2): 1,189 of 3,000 lines are malformed UTF-8; the file looks like …". Reads the file again.
  std::string text() const;
};

// Throws Error(kData) for a file that has too many, warns of one that has many. A file that comes
// several times, as the sides of a table do, is named once.
void refuse_malformed(std::vector<MalformedLines> files);

}  // namespace heed
