// The pairs of a corpus as they are in its files, read as often as needed.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "data/corpus_choice.h"

namespace heed {

struct RawPair {
  std::array<std::string, 2> sides{};
  std::string row{};       // of a table
  std::string fault{};     // of a row without the text of a side
  bool malformed = false;  // the fault is malformed UTF-8
};

class CorpusLines {
 public:
  // Opens the files; gzip and pipes are unpacked into temporary files. Throws Error(kData) for files
  // with different numbers of lines.
  explicit CorpusLines(const ChosenCorpus& corpus);
  ~CorpusLines();

  class Reader {
   public:
    explicit Reader(const CorpusLines& lines);
    ~Reader();
    bool next(RawPair& pair);     // false at the end
    int64_t line_number() const;  // of the last pair in its file, from 1
    std::string header() const;   // the first line of a table with names of columns, or ""

   private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  const ChosenCorpus& corpus() const { return corpus_; }

 private:
  struct Texts;
  ChosenCorpus corpus_;
  std::unique_ptr<Texts> texts_;  // of two files
};

}  // namespace heed
