// Translation probabilities of single tokens, t(target | source), for shortlists (shortlist.h):
// learned by IBM model 1 (Brown et al. 1993, section 4.1) or read from a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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
  // Calls its argument with each pair of sentences, source and target.
  using Pairs = std::function<void(const std::function<void(const Ids&, const Ids&)>&)>;

  // Vocabulary sizes; a table without entries.
  Lexicon(int32_t sources, int32_t targets) : entries_(sources), targets_(targets) {}

  // Expectation maximization from a uniform table, with a source token that stands for none, which
  // is not kept. Pairs are read once for each iteration and once before. Entries below `least` are
  // left out.
  static Lexicon learn(const Pairs& pairs, int32_t sources, int32_t targets, int64_t iterations = 5,
                       double least = 1e-3);

  // A line `target source probability` for each entry, as Marian and extract_lex have it. Tokens
  // that a vocabulary lacks are left out, among them the NULL of other tools, which stands for no
  // token. Throws Error(kData) with file and line for others, and if nothing is left.
  static Lexicon read(const std::filesystem::path& file, const Vocabulary& source,
                      const Vocabulary& target);
  void write(const std::filesystem::path& file, const Vocabulary& source,
             const Vocabulary& target) const;

  // Of a source token, the most probable first.
  const std::vector<Entry>& of(int32_t source) const { return entries_.at(source); }
  int32_t sources() const { return static_cast<int32_t>(entries_.size()); }
  int32_t targets() const { return targets_; }
  int64_t size() const;  // entries

 private:
  void add(int32_t source, Entry entry) { entries_.at(source).push_back(entry); }
  void sort();

  std::vector<std::vector<Entry>> entries_;  // by source token
  int32_t targets_;
};

}  // namespace heed
