// Reads the text of a file line by line, as a view shows it.
#pragma once

#include "base/file.h"
#include "data/text_view.h"

namespace heed {

class TextReader {
 public:
  // unpacked: under which the bytes of the file are found, where that is another name. Throws what
  // LineReader and LineView throw; next() throws Error(kData) for a text that is no lines of
  // sentences (markup.h).
  explicit TextReader(const TextFile& file, const fs::path& unpacked = {});

  // False at the end. Where the line has no text, it is empty and notes() says why.
  bool next(std::string& line);
  // Of the line read last.
  const LineNotes& notes() const { return notes_; }
  std::string place() const;                                     // "train.tsv:17"
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
