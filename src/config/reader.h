// Reads settings from YAML, strictly. Unknown and duplicate keys, wrong types, values out of range,
// missing required fields and invalid combinations are problems with file, line, column and path;
// all of them are reported at once. Numbers are parsed here (YAML 1.1 would read `010` as 8 and
// `yes` as true). Anchors, aliases, tags, several documents, more than 64 levels and more than 1
// MiB are refused.
#pragma once

#include <string>
#include <vector>

#include "config/fields.h"
#include "config/tree.h"

namespace heed {

struct Problem {
  std::string file;
  int line = 0, column = 0;  // 1-based; 0: no place (a value given by --set)
  std::string path;          // model.decoder.attention.heads
  std::string message;       // found value, allowed values, did you mean …
  std::string text() const;  // file:line:column: path: message
};

// Option `--set a.b[0].c=value`; the value is YAML. It is applied to the tree before settings are
// read, and creates missing maps.
struct Override {
  std::string path, value;
};
// Throws Error(kUsage) if '=' is missing or the path is malformed.
Override parse_override(const std::string& text);

struct ReadOptions {
  std::vector<Override> overrides;
  // True if heed wrote the config: it has every key, also one without effect.
  bool saved = false;
};

// Read a file, or text under the name `file`, into `settings`. Throw Error(kUsage) that lists every
// problem, one a line, sorted by position, or that tells why the file cannot be opened.
void read_config_file(const std::string& file, Settings& settings, const ReadOptions& options = {});
void read_config_text(const std::string& text, const std::string& file, Settings& settings,
                      const ReadOptions& options = {});

// Text of such a file. Reads no more than the parser accepts, since the file may be endless.
std::string read_config_start(const std::string& file);

// Parses a config and applies its overrides; nullopt if it cannot be parsed. Adds the problems
// found so far.
std::optional<Node> read_tree(const std::string& text, const std::string& file,
                              const std::vector<Override>& overrides,
                              std::vector<Problem>& problems);
// Fills the settings from a tree. Returns its problems in their order in the file.
std::vector<Problem> find_problems(Node tree, const std::string& file, Settings& settings,
                                   bool saved = false);
// Sorts by position; problems of --set are last.
void sort_problems(std::vector<Problem>& problems);

// Does the same as read_config_text(), but returns the problems: for tests and `heed config check`.
std::vector<Problem> find_problems(const std::string& text, const std::string& file,
                                   Settings& settings, const ReadOptions& options = {});

}  // namespace heed
