// Small corpora on disk, and functions that read them.
#pragma once

#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

#include "../base/temporary_folder.h"
#include "base/random.h"
#include "data/epoch_batch_stream.h"
#include "data/parallel_corpus.h"
#include "text/words.h"

namespace heed {

inline void write_gzip(const std::filesystem::path& path, const std::string& bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

// Codec whose words w0 … w99 have the ids 4 … 103.
inline std::shared_ptr<const Codec> hundred_words() {
  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back("w" + std::to_string(i));
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(words));
}

inline CorpusFiles corpus_files(std::vector<std::filesystem::path> source,
                                std::vector<std::filesystem::path> target, double weight = 1) {
  return {.name = source[0].filename().string() + " + " + target[0].filename().string(),
          .sides = {{std::move(source)}, {std::move(target)}},
          .weight = weight};
}

// Indexes corpora with hundred_words() on each side.
inline std::shared_ptr<const ParallelCorpus> index_corpus(const std::vector<CorpusFiles>& files,
                                                          const Cleaning& cleaning = {},
                                                          int threads = 1,
                                                          size_t most_ids = kMostIds) {
  const auto text = std::make_shared<const TrainingText>(files);
  const PairEncoder encoder{.codecs = {text->sides(), hundred_words()}};
  return std::make_shared<const ParallelCorpus>(text, encoder, cleaning,
                                                index_text({.text = *text,
                                                            .encoder = encoder,
                                                            .cleaning = cleaning,
                                                            .threads = threads,
                                                            .most_ids = most_ids}));
}

// Writes `count` pairs of pseudo-random lengths up to 20; line i begins with the digits of i as
// words.
inline void write_pairs(const std::filesystem::path& source, const std::filesystem::path& target,
                        int count, int first = 0) {
  std::string a, b;
  for (int i = first; i < first + count; ++i) {
    const uint64_t random = mix64(static_cast<uint64_t>(i));
    a += fmt::format("w{} w{}", i / 100 % 100, i % 100);
    for (uint64_t n = 0; n < random % 19; ++n) a += fmt::format(" w{}", n);
    b += fmt::format("w{} w{}", i / 100 % 100, i % 100);
    for (uint64_t n = 0; n < random / 19 % 19; ++n) b += fmt::format(" w{}", n);
    a += '\n', b += '\n';
  }
  write_plainly(source, a);
  write_plainly(target, b);
}

// Number of the pair of write_pairs() that has these ids.
inline int64_t number_of(const Ids& ids) { return (ids.at(0) - 4) * 100 + ids.at(1) - 4; }

}  // namespace heed
