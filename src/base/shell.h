// Words of a command that a message asks its reader to type.
#pragma once

#include <filesystem>
#include <string>

namespace heed {

// In quotes where a shell would read it as anything but this word: it's → 'it'\''s'. What
// printable() escapes stands as bash and zsh read it: $'a\x0ab'.
std::string shell_word(const std::string& word);

// A name for a new file beside this one, which no file has: `train.en.bz2`, "" → `train.en`; `a.csv`,
// ".tsv" → `a.tsv`; .gz and the like count as no ending. "NEW" for standard input ("-").
std::string new_name(const std::filesystem::path& file, const std::string& ending);

// The command that writes what a program makes of a file: `cut -f1 FILE > NEW`, of one that ends in .gz
// `gzip -dc FILE | cut -f1 /dev/stdin > NEW`, of a member of an archive by `unzip -p`. "-" becomes FILE. then: what follows, " | cut -f1".
std::string filter_command(const std::string& program, const std::filesystem::path& file,
                           const std::string& output, const std::string& then = "");

}  // namespace heed
