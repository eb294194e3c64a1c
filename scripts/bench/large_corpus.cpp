// Measures for large_corpus.py:
//
//   make FOLDER PAIRS      source, target and vocabulary: short words by Zipf's law, 4 to 35 a
//                          line, lengths of both sides similar
//   measure FOLDER CACHE   seconds and memory to map the index, of an epoch's plan and of batches
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "base/random.h"
#include "data/epoch_batch_stream.h"
#include "data/index_file.h"
#include "text/words.h"

namespace heed {
namespace {

constexpr size_t kWords = 10'000, kDraws = size_t{1} << 20;

// Frequent words are short, as in natural languages.
std::vector<std::string> make_words() {
  std::vector<std::string> words;
  for (size_t rank = 0; rank < kWords; ++rank) {
    std::string word;
    for (size_t rest = rank + 1; rest > 0; rest /= 5) {
      word += static_cast<char>('a' + (rest + 3 * word.size()) % 26);
    }
    words.push_back(fmt::format("{}{}", word, rank % 7 == 0 ? std::to_string(rank) : ""));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  RandomStream random(1);
  shuffle(words.begin(), words.end(), random);
  std::stable_sort(words.begin(), words.end(), [](const std::string& a, const std::string& b) {
    return a.size() / 2 < b.size() / 2;
  });
  return words;
}

// Table to draw words from: the word of rank r has a probability in proportion to 1/r.
std::vector<uint32_t> zipf(size_t words) {
  double sum = 0;
  for (size_t rank = 1; rank <= words; ++rank) sum += 1.0 / static_cast<double>(rank);
  std::vector<uint32_t> table(kDraws);
  double reached = 0;
  size_t next = 0;
  for (size_t rank = 1; rank <= words; ++rank) {
    reached += 1.0 / static_cast<double>(rank) / sum;
    const auto end = std::min(kDraws, static_cast<size_t>(reached * kDraws + 0.5));
    while (next < end) table[next++] = static_cast<uint32_t>(rank - 1);
  }
  return table;
}

class Writer {
 public:
  Writer(const fs::path& path, const std::vector<std::string>& words,
         const std::vector<uint32_t>& table)
      : file_(path, std::ios::binary), words_(words), table_(table) {}
  void write(int64_t length, RandomStream& random) {
    for (int64_t word = 0; word < length; ++word) {
      if (word > 0) text_ += ' ';
      text_ += words_[table_[random.next() % kDraws]];
    }
    text_ += '\n';
    if (text_.size() < (size_t{1} << 20)) return;
    file_ << text_;
    text_.clear();
  }
  ~Writer() { file_ << text_; }

 private:
  std::ofstream file_;
  const std::vector<std::string>& words_;
  const std::vector<uint32_t>& table_;
  std::string text_;
};

void make(const fs::path& folder, int64_t pairs) {
  const std::vector<std::string> words = make_words();
  const std::vector<uint32_t> table = zipf(words.size());
  {
    Writer source(folder / "source", words, table), target(folder / "target", words, table);
    RandomStream random(2);
    for (int64_t pair = 0; pair < pairs; ++pair) {
      const auto length = static_cast<int64_t>(4 + random.below(32));
      source.write(length, random);
      target.write(std::max<int64_t>(1, length + static_cast<int64_t>(random.below(7)) - 3),
                   random);
    }
  }
  write_file(folder / "vocabulary", fmt::format("{}\n", fmt::join(words, "\n")));
}

// Returns an entry of /proc/self/status, such as "RssAnon", in MB.
double memory(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) / 1000;
  }
  return 0;
}

// Prints the elapsed time and the processor time of all threads.
template <class Work>
auto timed(const char* what, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  auto result = work();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%-18s %7.2f s, processor %7.2f s, memory: own %6.0f MB, shared %6.0f MB\n", what,
              seconds.count(), static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC,
              memory("RssAnon"), memory("RssFile"));
  std::fflush(stdout);
  return result;
}

// Returns the index that `heed train` has left in the cache, whatever it depends on.
CorpusIndex map_index(const fs::path& kept, const TrainingText& text) {
  constexpr size_t kLengthAt = 16, kHeaderAt = 56;  // index_file.h
  for (const fs::path& file : list_folder(kept)) {
    if (file.extension() != ".index") continue;
    const MappedFile mapped(file);
    uint64_t length = 0;
    std::memcpy(&length, mapped.bytes().data() + kLengthAt, sizeof length);
    const auto header = nlohmann::json::parse(mapped.bytes().substr(kHeaderAt, length));
    return find_index(file, header.at("key"), text).value();
  }
  throw_error(ErrorKind::kUsage, "{}: holds no index", kept.string());
}

void measure(const fs::path& folder, const fs::path& kept) {
  DataCache cache(kept);
  const auto vocabulary =
      std::make_shared<const Vocabulary>(Vocabulary::load(folder / "vocabulary"));
  const auto codec =
      std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false), vocabulary);
  const auto text = timed("text", [&] {
    const CorpusFiles files{.name = "large", .sides = {{folder / "source"}, {folder / "target"}}};
    return std::make_shared<const TrainingText>(std::vector{files}, cache);
  });
  const auto corpus = timed("index", [&] {
    return std::make_shared<const ParallelCorpus>(text, PairEncoder{.codecs = {codec, codec}},
                                                  Cleaning(), map_index(kept, *text));
  });
  const PairIndex& index = corpus->index();
  std::printf("%ld pairs, %.2f bytes a pair\n", index.size(),
              static_cast<double>(index.bytes()) / static_cast<double>(index.size()));
  timed("plan of an epoch",
        [&] { return std::make_unique<EpochPlan>(index, BatchLimit{.tokens = 4096}, 1, 0); });
  EpochBatchStream stream(corpus, {.limit = {.tokens = 4096}});
  timed("first batch", [&] { return stream.next().sentences; });
  constexpr int64_t kBatches = 2000;
  const int64_t sentences = timed("2,000 batches", [&] {
    int64_t sum = 0;
    for (int64_t i = 0; i < kBatches; ++i) sum += stream.next().sentences;
    return sum;
  });
  std::printf("%ld sentences in them\n", sentences);
}

int run(const std::vector<std::string>& arguments) {
  set_up_log("info");
  if (arguments.size() != 3) return 2;
  const auto& [what, folder, last] = std::tie(arguments[0], arguments[1], arguments[2]);
  what == "make" ? make(folder, std::stoll(last)) : measure(folder, last);
  return 0;
}

}  // namespace
}  // namespace heed

int main(int count, char** arguments) { return heed::run({arguments + 1, arguments + count}); }
