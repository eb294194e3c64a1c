// Texts that are not lines of sentences: XML, TMX, HTML, tables with commas and JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/file.h"
#include "data/text_view.h"

namespace heed {

// Such a text, and the program that makes lines of it.
struct OtherText {
  const char *found, *expected;  // "XML", "a sentence a line"
  std::string program;           // a command, without the file
  const char* ending;            // of what it writes; ".tsv" is a table of both sides
};

// Throws Error(kData) with the command that converts the file.
[[noreturn]] void refuse(const OtherText& text, const fs::path& file);
// The command that writes the lines of the source alone, which a table has in its first column.
std::string source_command(const OtherText& text, const fs::path& file);

// Throws Error(kData), with the command that makes lines of the file, if its first line shows such a
// text. reader: of the lines behind it.
void refuse_markup(const TextFile& file, const std::string& first_line, LineReader& reader);

// A table with commas or semicolons.
std::optional<OtherText> find_comma_separated(const fs::path& file, int64_t rows);

// Such a text where lines of sentences are expected, by the beginning of the file. source: the name of
// the texts that are wanted, the likeliest key of JSON objects.
std::optional<OtherText> find_other_text(const fs::path& file, const std::string& source);
// The same by the first line alone.
std::optional<OtherText> find_other_text_in(const std::string& first_line,
                                            const std::string& source);

// The delimiter of such a table, by the first lines: all rows have as many columns, and most delimiters have no space
// behind them, as punctuation does. rows: fewer of them show nothing. A file called .csv is such a
// table whatever its rows, but for a tab in its first line. nullopt: it is none. Of a pipe nothing is
// read.
std::optional<char> find_delimiter(const fs::path& file, int64_t rows);

}  // namespace heed
