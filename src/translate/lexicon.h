// Translation probabilities of single tokens, t(target | source), for shortlists (shortlist.h):
// learned by IBM model 1 (Brown et al. 1993, section 4.1) or read from a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "text/codec.h"

namespace heed {

class Lexicon {
 public:
  struct Entry {
    int32_t target;
    double probability;
  };
  // Calls its argument with source and target of each sentence pair.
  using Pairs = std::function<void(const std::function<void(const Ids&, const Ids&)>&)>;

  // An empty table. sources, targets: vocabulary sizes.
  Lexicon(int32_t sources, int32_t targets) : entries_(sources), targets_(targets) {}

  // Learns by expectation maximization from a uniform table, with a NULL source token, which is not
  // kept. Reads the pairs once for each iteration and once before. Leaves out entries below
  // `least`.
  static Lexicon learn(const Pairs& pairs, int32_t sources, int32_t targets, int64_t iterations = 5,
                       double least = 1e-3);

  // Reads a line `target source probability` for each entry, the format of Marian and extract_lex.
  // Leaves out tokens outside the vocabularies, among them the NULL token of other tools. Also reads
  // a binary shortlist of Marian (marian_shortlist.h), whose entries have the same probability. Throws
  // Error(kData) with file and line for a malformed line, and if no entry is left.
  static Lexicon read(const std::filesystem::path& file, const Vocabulary& source,
                      const Vocabulary& target);
  // The same of the text of such a file.
  static Lexicon of_text(const std::string& text, const std::filesystem::path& file,
                         const Vocabulary& source, const Vocabulary& target);
  void write(const std::filesystem::path& file, const Vocabulary& source,
             const Vocabulary& target) const;

  // Entries of a source token, the most probable first.
  const std::vector<Entry>& of(int32_t source) const { return entries_.at(source); }
  int32_t sources() const { return static_cast<int32_t>(entries_.size()); }
  int32_t targets() const { return targets_; }
  int64_t size() const;  // entries

 private:
  void add(int32_t source, Entry entry) { entries_.at(source).push_back(entry); }
  // Adds the entries of a shortlist of Marian.
  void take_marian(const std::filesystem::path& file);
  // Adds the entry of a line of a file.
  void take(const std::string& line, const std::filesystem::path& file, int64_t number,
            const Vocabulary& source, const Vocabulary& target);
  // Sorts the entries, of which there has to be one.
  void finish(const std::filesystem::path& file);
  void sort();

  std::vector<std::vector<Entry>> entries_;  // by source token
  int32_t targets_;
};

}  // namespace heed
