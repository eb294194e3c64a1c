// View of the lines of a file as texts: whole lines, a column of tab-separated values (TSV), a value
// of JSON objects, one a line (JSON lines), or a language of a translation memory (TMX), which
// tmx_source.h reads as JSON lines. Line N of the file, or unit N, is text N, and callers do not depend
// on the form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct TextView {
  enum class Form { kLines, kTsv, kJsonLines, kTmx };
  Form form = Form::kLines;
  // kTsv: number of the column, from 1, or its name in the first line. kJsonLines: key. A dot leads
  // into an object, `translation.en`, unless a key has this name. `1+2`, `lemma+tags`: several, with
  // a tab between their texts, unless a column or key has this name. kTmx: code of a language: `en` is
  // also EN and en-US.
  std::string key{};
  // kTsv: another view of the table names its column, so that the first line is names for all.
  bool shares_header = false;

  bool operator==(const TextView&) const = default;
  // True if the first line names the columns.
  bool has_header() const;
  // Key of a config that names a file of this form: "tsv", "jsonl", "tmx"; "" for whole lines.
  const char* form_name() const;
  // Place of a line in messages: "train.tsv:17", "a.tmx, unit 17".
  std::string place(const std::filesystem::path& file, int64_t line) const;
  // Stable text for keys of caches; "" for whole lines.
  std::string identity() const;
};

// Lets the views of one table agree on its first line: it is names for all if one view has a name.
void share_header(const std::vector<TextView*>& views);

// Notes on a line besides its text.
struct LineNotes {
  std::string fault{};     // why the line has no text: "1 column, expected column 2"; "": it has
  bool joined = false;     // line breaks inside of the text became spaces
  bool malformed = false;  // the fault is malformed UTF-8, which is no JSON
};

// View of the lines of one file.
class LineView {
 public:
  LineView() = default;  // whole lines
  // header: first line of this file, if the view has a header. Throws Error(kData) that lists the
  // columns if no column has this name.
  LineView(const TextView& view, std::string_view header, const std::filesystem::path& file);

  // Reduces the line to its text; to "" if it has a fault.
  LineNotes show(std::string& line) const;

 private:
  TextView view_;
  std::vector<size_t> columns_{};  // kTsv, from 0
};

// File with the view of its lines.
struct TextFile {
  std::filesystem::path path;
  TextView view{};
  // "train.tsv (2)", "train.en"
  std::string name() const;
};

// Files that follow each other, all with this view.
struct TextFiles {
  std::vector<std::filesystem::path> paths{};
  TextView view{};
  bool empty() const { return paths.empty(); }
  bool operator==(const TextFiles&) const = default;
};

// Index of the column, from 0, that a number or a name in the first line is; npos if none is.
size_t index_of_column(const std::string& key, const std::vector<std::string>& names);

// Splits a row into its cells. Only the tab is special: quotation marks belong to the text.
std::vector<std::string_view> split_row(std::string_view line);

}  // namespace heed
