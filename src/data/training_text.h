// Text of all training corpora, opened and counted once. Tokenizers are learned and the corpus is
// indexed from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/annotations.h"
#include "data/cleaning.h"
#include "data/corpus_files.h"
#include "data/side_text.h"
#include "text/tokenizer.h"

namespace heed {

struct TextPart {
  std::string name;
  double weight = 1;
  std::vector<SideText> sides;  // sources in their order, then the target
  std::optional<SideText> edges{}, alignment{}, supporting_facts{};
  std::vector<SideText> factors{};  // of each factor by name
  std::optional<std::string> tag{};
  std::optional<double> share{};
  bool augment = true;
  int64_t lines() const { return sides.front().lines(); }
  // Edges, alignment, supporting facts and factors, if there are any.
  std::vector<const SideText*> annotations() const;
  // Makes annotations of `lines`, one of each text in this order. line: line of the corpus.
  Annotations annotate(std::vector<std::string> lines, int64_t line) const;
};

class PairReader;

class TrainingText {
 public:
  // cache: may hold the numbers of lines. Throws Error(kIo), and Error(kData) that names the files
  // and counts if sides have different numbers of lines or if all are empty.
  TrainingText(const std::vector<CorpusFiles>& corpora, DataCache& cache);
  explicit TrainingText(const std::vector<CorpusFiles>& corpora);

  const std::vector<TextPart>& parts() const { return parts_; }
  size_t sides() const { return parts_.front().sides.size(); }
  size_t annotations() const { return parts_.front().annotations().size(); }
  int64_t lines() const;

  // Lines of one side of every corpus, without pairs that are empty or malformed on any side
  // (malformed ones are repaired if the policy says to). Each pair comes once, independent of its
  // weight. The result reads this object, which must outlive it.
  LineSource side_lines(size_t side, const Cleaning& cleaning) const;
  // Lines of a factor, in the same way.
  LineSource factor_lines(size_t factor, const Cleaning& cleaning) const;

 private:
  LineSource clean_lines_of(const Cleaning& cleaning,
                            std::function<const std::string&(const PairReader&)> line) const;
  std::vector<TextPart> parts_;
};

// Reads the source and target sides of a part and its annotations in parallel.
class PairReader {
 public:
  explicit PairReader(const TextPart& part);
  bool next();
  std::vector<std::string> lines;
  std::vector<std::string> annotations;  // a line of each
  std::vector<uint64_t> offsets;         // of the lines, then of the annotations
  Verdict bad_row;                       // fault of a table row that lacks a side, else kNone
  bool joined = false;                   // line breaks inside of a text became spaces
  // Cleans this pair; its lines are repaired if the policy says to.
  Verdict clean(const Cleaning& cleaning);
  std::string place(size_t side) const { return readers_[side].place(); }
  size_t file(size_t side) const { return readers_[side].file(); }  // of its line, from 0

 private:
  void note(size_t side);
  std::vector<SideText::Reader> readers_;
};

}  // namespace heed
