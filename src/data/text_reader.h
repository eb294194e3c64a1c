// Reads the text of a file line by line through a view.
#pragma once

#include "base/file.h"
#include "data/text_view.h"

namespace heed {

class TextReader {
 public:
  // unpacked: path of the unpacked bytes, if it differs from the file. Throws as LineReader and
  // LineView do; next() throws Error(kData) for a text that does not consist of lines of sentences
  // (markup.h).
  explicit TextReader(const TextFile& file, const fs::path& unpacked = {});

  // Returns false at the end. A line without text is empty, and notes() has the reason.
  bool next(std::string& line);
  // Notes on the last line read.
  const LineNotes& notes() const { return notes_; }
  std::string place() const;                                     // "train.tsv:17", "a.tmx, unit 17"
  int64_t line_number() const { return reader_.line_number(); }  // in the file, from 1
  int64_t offset() const { return reader_.offset(); }            // of the next line
  const LineView& view() const { return view_; }

 private:
  TextFile file_;
  LineReader reader_;
  LineView view_;
  LineNotes notes_;
};

}  // namespace heed
