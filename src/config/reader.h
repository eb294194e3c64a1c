// Reads settings from YAML, strictly: unknown and duplicate keys, wrong types, values out of range,
// missing required fields and combinations that make no sense are problems, each with file, line,
// column and path, and all of them are reported at once. Numbers are parsed here (YAML 1.1 would
// take `010` for 8 and `yes` for true). Anchors, aliases, tags, several documents, more than 64
// levels and more than 1 MiB are refused.
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
  std::string message;       // what was found, what is allowed, did you mean …
  std::string text() const;  // file:line:column: path: message
};

// One `--set a.b[0].c=value`: the value is YAML of its own. Applied to the tree before it is read;
// makes missing maps.
struct Override {
  std::string path, value;
};
// Throws Error(kUsage) if there is no '=' or the path is malformed.
Override parse_override(const std::string& text);

struct ReadOptions {
  std::vector<Override> overrides;
  // Whether heed wrote it, with every key that there was then (older.h).
  bool saved = false;
};

// Reads a file (or text that stands under the name `file`) into `settings`. Throws Error(kUsage)
// that lists every problem, a line each, sorted by place; Error(kUsage) as well if the file cannot
// be opened.
void read_config_file(const std::string& file, Settings& settings, const ReadOptions& options = {});
void read_config_text(const std::string& text, const std::string& file, Settings& settings,
                      const ReadOptions& options = {});

// The text of such a file, of which no more is read than the parser accepts: it may be endless.
std::string read_config_start(const std::string& file);

// The tree of a config with its overrides, and what is wrong so far; nullopt: it cannot be read.
std::optional<Node> read_tree(const std::string& text, const std::string& file,
                              const std::vector<Override>& overrides,
                              std::vector<Problem>& problems);
// Fills the settings from a tree; returns its problems in their order in the file.
std::vector<Problem> find_problems(Node tree, const std::string& file, Settings& settings,
                                   bool saved = false);
// By place; what --set gave comes last.
void sort_problems(std::vector<Problem>& problems);

// The same, but returns the problems: for tests and `heed config check`.
std::vector<Problem> find_problems(const std::string& text, const std::string& file,
                                   Settings& settings, const ReadOptions& options = {});

}  // namespace heed
