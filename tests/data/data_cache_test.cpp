// Results from the folder `data.cache` equal results from reading the text.
#include "data/data_cache.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/hash.h"
#include "base/log.h"
#include "captured_log.h"
#include "data/cached_index.h"
#include "data/corpus_checks.h"
#include "data/index_file.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// Replaces the content by one of the same size, and restores the time of the file.
void write_secretly(const fs::path& path, const std::string& bytes) {
  const auto time = fs::last_write_time(path);
  ASSERT_EQ(fs::file_size(path), bytes.size());
  write_plainly(path, bytes);
  fs::last_write_time(path, time);
}

void make_newer(const fs::path& path) {
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
}

// Counts the lines that are tokenized.
class CountingTokenizer final : public Tokenizer {
 public:
  std::vector<std::string> encode(std::string_view line) const override {
    ++lines;
    return words_.encode(line);
  }
  std::string decode(const std::vector<std::string>& pieces) const override {
    return words_.decode(pieces);
  }
  mutable std::atomic<int64_t> lines = 0;

 private:
  WordTokenizer words_{"", false};
};

class CachedIndex : public testing::Test {
 protected:
  // Two corpora with different weights; some pairs of both are left out.
  CachedIndex() {
    write_pairs(data_ / "a.s", data_ / "a.t", 400);
    write_pairs(data_ / "b.s", data_ / "b.t", 100, 400);
    files_ = {corpus_files({data_ / "a.s"}, {data_ / "a.t"}, 0.5),
              corpus_files({data_ / "b.s"}, {data_ / "b.t"}, 3)};
    encoder_.codecs = {
        2, std::make_shared<const Codec>(tokenizer_, hundred_words()->shared_vocabulary())};
    cleaning_.max_length = 15;
    cleaning_.max_ratio = 3;
  }

  CorpusIndex index(DataCache& cache, const std::string& codecs = "codecs") const {
    const TrainingText text(files_, cache);
    return cached_index({.text = text,
                         .encoder = encoder_,
                         .cleaning = cleaning_,
                         .threads = 2,
                         .most_ids = most_ids_},
                        {cache, codecs});
  }
  // Returns the index by way of a new DataCache, as a new process would.
  CorpusIndex index_anew(const std::string& codecs = "codecs") const {
    DataCache cache(cache_.path());
    return index(cache, codecs);
  }
  CorpusIndex index_without() const {
    DataCache cache;
    return index(cache);
  }
  // Number of lines that are tokenized during the work.
  int64_t lines_of(const std::function<void()>& work) const {
    const int64_t before = tokenizer_->lines;
    work();
    return tokenizer_->lines - before;
  }
  std::vector<fs::path> indexes() const {
    std::vector<fs::path> found;
    for (const std::string& name : cache_.names()) {
      if (name.ends_with(".index")) found.push_back(cache_ / name);
    }
    return found;
  }

  static std::vector<std::vector<uint64_t>> numbers_of(const CorpusIndex& index) {
    std::vector<std::vector<uint64_t>> columns;
    const auto add = [&](const auto& column) {
      columns.emplace_back(column.begin(), column.end());
    };
    for_each_column(index.pairs.columns(), add);
    add(index.ids.all_ids());
    add(index.ids.ends());
    return columns;
  }
  static void expect_equal(const CorpusIndex& a, const CorpusIndex& b) {
    EXPECT_EQ(numbers_of(a), numbers_of(b));
    EXPECT_EQ(a.report.lines(), b.report.lines());
    ASSERT_EQ(a.pairs.parts().size(), b.pairs.parts().size());
    for (size_t i = 0; i < a.pairs.parts().size(); ++i) {
      const IndexPart &own = a.pairs.parts()[i], &other = b.pairs.parts()[i];
      EXPECT_EQ(own.first, other.first);
      EXPECT_EQ(own.count, other.count);
      EXPECT_EQ(own.weight, other.weight);
    }
  }

  TemporaryFolder data_, cache_;
  std::vector<CorpusFiles> files_;
  std::shared_ptr<CountingTokenizer> tokenizer_ = std::make_shared<CountingTokenizer>();
  PairEncoder encoder_;
  Cleaning cleaning_;
  size_t most_ids_ = kMostIds;
};

TEST_F(CachedIndex, EqualsOneThatIsMadeWithoutReadingTheText) {
  holds({"data.cache"});
  for (const size_t most : {kMostIds, size_t{0}}) {
    most_ids_ = most;
    const CorpusIndex without = index_without();
    const std::string codecs = std::to_string(most);
    std::optional<CorpusIndex> made, found;
    EXPECT_GE(lines_of([&] { made = index_anew(codecs); }), 500);
    EXPECT_EQ(lines_of([&] { found = index_anew(codecs); }), 0);
    expect_equal(*made, without);
    expect_equal(*found, without);
    EXPECT_EQ(found->ids.complete(), most > 0);
    EXPECT_LT(without.report.kept(), without.report.pairs());
  }
}

TEST_F(CachedIndex, GivesTheSameBatches) {
  DataCache cache(cache_.path());
  index(cache);
  const auto batches_of = [&](CorpusIndex index) {
    const auto text = std::make_shared<const TrainingText>(files_);
    auto corpus = std::make_shared<ParallelCorpus>(text, encoder_, cleaning_, std::move(index));
    corpus->sample_by_temperature(2);
    EpochBatchStream stream(corpus, {.limit = {.tokens = 100}, .seed = 3});
    std::vector<Ids> targets;
    while (stream.position().epoch < 2) {
      const Batch batch = stream.next();
      for (const Example& example : batch.shards[0].examples) targets.push_back(example.target);
    }
    return targets;
  };
  EXPECT_EQ(batches_of(index_anew()), batches_of(index_without()));
}

TEST_F(CachedIndex, HoldsAnnotations) {
  std::string edges, links, facts;
  for (int line = 0; line < 400; ++line) {
    edges += fmt::format("0-1 1-{}\n", line % 2);
    links += "0-0 1-1\n";
    facts += line % 2 == 0 ? "1\n" : "\n";
  }
  write_plainly(data_ / "facts", facts);
  write_plainly(data_ / "edges", edges);
  write_plainly(data_ / "links", links);
  files_.pop_back();
  files_[0].edges = {{data_ / "edges"}};
  files_[0].alignment = {{data_ / "links"}};
  files_[0].supporting_facts = {{data_ / "facts"}};
  index_anew();
  CorpusIndex found = index_anew();
  expect_equal(found, index_without());
  const auto text = std::make_shared<const TrainingText>(files_);
  const ParallelCorpus corpus(text, encoder_, cleaning_, std::move(found));
  const Example example = corpus.example(7);
  EXPECT_EQ(example.edges, (Edges{{0, 1}, {1, example.index % 2}}));
  EXPECT_EQ(example.alignment, (PiecePairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(example.supporting_facts->facts.size(), example.index % 2 == 0 ? 1U : 0U);
}

TEST_F(CachedIndex, IsMadeAnewForOtherText) {
  index_anew();
  std::string text = read_plainly(data_ / "a.s");
  text.replace(text.find("w1 "), 2, "w ");
  write_plainly(data_ / "a.s", text);
  make_newer(data_ / "a.s");
  EXPECT_GE(lines_of([&] { expect_equal(index_anew(), index_without()); }), 500);
  EXPECT_EQ(indexes().size(), 2u);
}

TEST_F(CachedIndex, IsThatOfMovedFilesAndOfAnotherWeight) {
  index_anew();
  fs::rename(data_ / "a.s", data_ / "moved");
  files_[0].sides[0] = {{data_ / "moved"}};
  files_[0].weight = 1;
  make_newer(data_ / "b.t");
  std::optional<CorpusIndex> found;
  EXPECT_EQ(lines_of([&] { found = index_anew(); }), 0);
  expect_equal(*found, index_without());
}

TEST_F(CachedIndex, DependsOnWhatIsMadeOfTheText) {
  const auto expect_another = [this](const char* what) {
    SCOPED_TRACE(what);
    const size_t before = indexes().size();
    expect_equal(index_anew(), index_without());
    EXPECT_EQ(indexes().size(), before + 1);
  };
  expect_another("first");
  index_anew("other codecs");
  EXPECT_EQ(indexes().size(), 2u);
  cleaning_.max_target_length = 9;
  expect_another("length of the target");
  cleaning_.too_long = TooLong::kTruncate;
  expect_another("truncation");
  cleaning_.max_ratio.reset();
  expect_another("ratio");
  encoder_.copied = 0;
  expect_another("copied source");
  encoder_.writes = WritableTargets::kCopies;
  expect_another("copies alone");
  std::swap(files_[0], files_[1]);
  expect_another("order of the corpora");
  std::swap(files_[0].sides[0], files_[0].sides[1]);
  expect_another("direction");
  files_ = {corpus_files({data_ / "a.s", data_ / "b.s"}, {data_ / "a.t", data_ / "b.t"})};
  expect_another("one corpus of two files");
}

TEST_F(CachedIndex, OfADamagedFileIsMadeAnew) {
  files_.erase(files_.begin());
  index_anew();
  const CorpusIndex without = index_without();
  const fs::path file = indexes().at(0);
  const std::string whole = read_plainly(file);
  std::vector<std::string> damaged = {"", "something else", whole.substr(0, 40)};
  for (size_t at = 0; at < whole.size(); at += 97) damaged.push_back(whole.substr(0, at));
  for (size_t at = 0; at < whole.size(); at += 31) {
    damaged.push_back(whole);
    damaged.back()[at] ^= 0x10;
  }
  int64_t repaired = 0;
  CapturedLog captured("warn");
  for (const std::string& bytes : damaged) {
    write_plainly(file, bytes);
    expect_equal(index_anew(), without);
    repaired += read_plainly(file) == whole;
  }
  const std::string log = captured.end();
  EXPECT_THAT(log,
              HasSubstr(file.string() + ": cannot be used: it is not an index of training pairs; "
                                        "the training text is indexed again"));
  EXPECT_THAT(log, HasSubstr("its header is damaged"));
  EXPECT_THAT(log, HasSubstr("it ends before its data"));
  EXPECT_THAT(log, HasSubstr("its data are damaged"));
  EXPECT_GT(repaired, std::ssize(damaged) * 9 / 10)
      << "the others changed the space between columns";
}

// Changes one number of a column of an index and mends its hashes, as anyone who can write to the
// folder could. Columns: those of the two sides, then the ids and their ends.
template <class Number>
std::string with_number(std::string bytes, size_t column, size_t place, Number number) {
  constexpr size_t kLengthAt = 16, kHashAt = 24, kHeaderAt = 56, kAlignment = 64;
  uint64_t length = 0;
  std::memcpy(&length, bytes.data() + kLengthAt, sizeof(length));
  auto header = nlohmann::json::parse(bytes.substr(kHeaderAt, length));
  size_t at = kHeaderAt + length;
  for (size_t i = 0;; ++i) {
    auto& about = header["columns"][i];
    at = (at + kAlignment - 1) / kAlignment * kAlignment;
    const size_t size = about["bytes"];
    if (i < column) {
      at += size;
      continue;
    }
    std::memcpy(bytes.data() + at + place * sizeof(Number), &number, sizeof(Number));
    about["hash"] = hash_bytes(std::string_view(bytes).substr(at, size));
    break;
  }
  const std::string text = header.dump();
  EXPECT_EQ(text.size(), length);
  bytes.replace(kHeaderAt, length, text);
  return bytes.replace(kHashAt, 32, hash_bytes(text));
}

TEST_F(CachedIndex, WithNumbersThatNoIndexHasIsMadeAnew) {
  index_anew();
  const CorpusIndex without = index_without();
  const fs::path file = indexes().at(0);
  const std::string whole = read_plainly(file);
  constexpr size_t kLengths = 3, kIds = 7, kEnds = 8;
  CapturedLog captured("warn");
  for (const std::string& bytes :
       {with_number<int32_t>(whole, kIds, 5, 1'000'000), with_number<int32_t>(whole, kIds, 0, -1),
        with_number<uint32_t>(whole, kEnds, 0, 4'000'000'000),
        with_number<uint32_t>(whole, kEnds, 1, 0),
        with_number<uint16_t>(whole, kLengths, 0, 65'535)}) {
    write_plainly(file, bytes);
    expect_equal(index_anew(), without);
    EXPECT_EQ(read_plainly(file), whole);
  }
  const std::string log = captured.end();
  EXPECT_THAT(log, HasSubstr("it has ids that are not in the vocabulary"));
  EXPECT_THAT(log, HasSubstr("its ids have other lengths than its pairs"));
  EXPECT_EQ(
      with_number<uint16_t>(whole, kLengths, 0, static_cast<uint16_t>(without.pairs.length(0, 0))),
      whole);
}

TEST_F(CachedIndex, WithAnImpossibleNumberOfPairsIsMadeAnew) {
  index_anew();
  const fs::path file = indexes().at(0);
  std::string bytes = read_plainly(file);
  constexpr size_t kHashAt = 24, kHeaderAt = 56;
  uint64_t length = 0;
  std::memcpy(&length, bytes.data() + 16, sizeof(length));
  std::string header = bytes.substr(kHeaderAt, length);
  const size_t at = header.find("\"kept\":") + 7;
  header.replace(at, 3, "-99");
  bytes.replace(kHeaderAt, length, header).replace(kHashAt, 32, hash_bytes(header));
  write_plainly(file, bytes);
  expect_equal(index_anew(), index_without());
}

// A note with a correct hash and other text after its key.
TEST_F(CachedIndex, OfANoteWithOtherTextIsMadeAnew) {
  index_anew();
  const CorpusIndex without = index_without();
  for (const std::string& name : cache_.names()) {
    if (!name.ends_with(".txt")) continue;
    const std::string whole = read_plainly(cache_ / name);
    const std::string head = whole.substr(32, whole.find('\n', 33) - 31);
    for (const char* text :
         {"", "{", "[]", "null", "{\"size\":-1}", R"({"size":"x","lines":1,"hash":"y"})",
          R"({"size":1,"lines":-5,"hash":"y"})", R"({"size":1,"lines":1,"hash":7})"}) {
      write_plainly(cache_ / name, hash_bytes(head + text) + head + text);
      expect_equal(index_anew(), without);
    }
  }
}

// A pipe in place of a cached file is not waited for, and a device is not read forever.
TEST_F(CachedIndex, APipeOrADeviceInPlaceOfANoteIsAnError) {
  index_anew();
  for (const std::string& name : cache_.names()) {
    if (!name.ends_with(".txt") && !name.ends_with(".index")) continue;
    fs::rename(cache_ / name, data_ / "kept");
    ASSERT_EQ(mkfifo((cache_ / name).c_str(), 0600), 0);
    EXPECT_ERROR(index_anew(), ErrorKind::kIo, "is not a regular file");
    fs::remove(cache_ / name);
    fs::create_symlink("/dev/zero", cache_ / name);
    EXPECT_ERROR(index_anew(), ErrorKind::kIo, "is not a regular file");
    fs::remove(cache_ / name);
    fs::rename(data_ / "kept", cache_ / name);
  }
}

TEST_F(CachedIndex, OfOtherDataIsNotTaken) {
  index_anew();
  const fs::path own = indexes().at(0);
  index_anew("other codecs");
  const fs::path other = indexes().at(0) == own ? indexes().at(1) : indexes().at(0);
  cleaning_.max_length = 9;
  index_anew();
  const std::vector<fs::path> all = indexes();
  const auto third =
      std::ranges::find_if(all, [&](const fs::path& one) { return one != own && one != other; });
  fs::copy_file(own, *third, fs::copy_options::overwrite_existing);
  expect_equal(index_anew(), index_without());
}

TEST_F(CachedIndex, IsMadeByTwoAtOnce) {
  const CorpusIndex without = index_without();
  std::vector<std::optional<CorpusIndex>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& one : made) threads.emplace_back([&] { one = index_anew(); });
  }
  for (const auto& one : made) expect_equal(*one, without);
  EXPECT_EQ(indexes().size(), 1u);
  for (const std::string& name : cache_.names()) EXPECT_EQ(name.find(".tmp"), std::string::npos);
}

TEST_F(CachedIndex, LeavesNothingOnAFullDisk) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{.rlim_cur = 4096, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_ERROR(index_anew(), ErrorKind::kIo, ".index: cannot write: ");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  for (const std::string& name : cache_.names()) EXPECT_THAT(name, EndsWith(".txt"));
  expect_equal(index_anew(), index_without());
}

TEST_F(CachedIndex, StaysMappedWhenItsFileIsRemoved) {
  const CorpusIndex mapped = index_anew();
  for (const fs::path& file : indexes()) fs::remove(file);
  expect_equal(mapped, index_without());
}

TEST_F(CachedIndex, NoticesThatTheTextChangesMeanwhile) {
  struct Changing final : Tokenizer {
    std::vector<std::string> encode(std::string_view line) const override {
      if (lines++ == 100) write_plainly(path, "w1\n");
      return {"w1"};
    }
    std::string decode(const std::vector<std::string>&) const override { return ""; }
    fs::path path;
    mutable std::atomic<int> lines = 0;
  };
  const auto tokenizer = std::make_shared<Changing>();
  tokenizer->path = data_ / "a.t";
  encoder_.codecs = {
      2, std::make_shared<const Codec>(tokenizer, hundred_words()->shared_vocabulary())};
  EXPECT_ERROR(index_anew(), ErrorKind::kData, "changed while it was indexed");
  EXPECT_EQ(indexes(), std::vector<fs::path>{});
}

TEST_F(CachedIndex, OfAPipeIsNotKept) {
  fs::remove(data_ / "a.s");
  write_pairs(data_ / "lines", data_ / "a.t", 400);
  const std::string lines = read_plainly(data_ / "lines");
  ASSERT_EQ(mkfifo((data_ / "a.s").c_str(), 0600), 0);
  std::jthread writer([&] { write_plainly(data_ / "a.s", lines); });
  EXPECT_EQ(index_anew().report.pairs(), 500);
  EXPECT_EQ(indexes(), std::vector<fs::path>{});
}

TEST_F(CachedIndex, IsOfCompressedTextToo) {
  write_gzip(data_ / "a.s.gz", read_plainly(data_ / "a.s"));
  const CorpusIndex plain = index_without();
  files_[0].sides[0] = {{data_ / "a.s.gz"}};
  index_anew();
  std::optional<CorpusIndex> found;
  EXPECT_EQ(lines_of([&] { found = index_anew(); }), 0);
  EXPECT_EQ(numbers_of(*found), numbers_of(plain));
}

TEST(FileFacts, AreThoseOfTheContent) {
  const TemporaryFolder folder;
  for (const auto& [bytes, lines] :
       std::vector<std::pair<std::string, int64_t>>{{"", 0},
                                                    {"a", 1},
                                                    {"a\n", 1},
                                                    {"a\n\nb", 3},
                                                    {std::string(1'000'000, '\n'), 1'000'000}}) {
    write_plainly(folder / "f", bytes);
    DataCache cache;
    const FileFacts facts = cache.facts(folder / "f");
    EXPECT_EQ(facts.size, bytes.size());
    EXPECT_EQ(facts.lines, lines);
    EXPECT_EQ(facts.hash, hash_bytes(bytes));
  }
  DataCache cache;
  EXPECT_ERROR(cache.facts(folder / "missing"), ErrorKind::kIo, "missing");
}

// Facts are identified by size and time, so the file is not read.
TEST(FileFacts, AreKnownWhileSizeAndTimeStay) {
  const TemporaryFolder folder, kept;
  write_plainly(folder / "f", "a\nb\n");
  const auto lines = [&] { return DataCache(kept.path()).facts(folder / "f").lines; };
  EXPECT_EQ(lines(), 2);
  write_secretly(folder / "f", "abc\n");
  EXPECT_EQ(lines(), 2);
  make_newer(folder / "f");
  EXPECT_EQ(lines(), 1);
  write_secretly(folder / "f", "\n\n\n\n");
  write_plainly(folder / "f", "\n\n\n\n\n");
  EXPECT_EQ(lines(), 5) << "another size";
}

TEST(FileFacts, OfADamagedNoteAreReadAgain) {
  const TemporaryFolder folder, kept;
  write_plainly(folder / "f", "a\nb\n");
  DataCache(kept.path()).facts(folder / "f");
  const fs::path note = kept / kept.names().at(0);
  const std::string whole = read_plainly(note);
  write_secretly(folder / "f", "abc\n");
  CapturedLog captured("warn");
  for (size_t at = 0; at < whole.size(); at += 5) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    for (const std::string& bytes : {damaged, whole.substr(0, at)}) {
      write_plainly(note, bytes);
      EXPECT_EQ(DataCache(kept.path()).facts(folder / "f").lines, 1) << at;
    }
  }
  EXPECT_THAT(captured.end(),
              HasSubstr(note.string() + ": is damaged; what it held is found out again"));
}

TEST(DataCacheFolder, IsMadeOrRefused) {
  const TemporaryFolder folder;
  write_plainly(folder / "file", "");
  EXPECT_ERROR(DataCache(folder / "file/cache"), ErrorKind::kIo, "file");
  DataCache(folder / "a/b").keep("key", "text");
  EXPECT_EQ(DataCache(folder / "a/b").find("key"), "text");
  EXPECT_EQ(DataCache(folder / "a/b").find("other"), std::nullopt);
  EXPECT_EQ(DataCache().find("key"), std::nullopt);
}

TEST(CachedChecks, GiveTheSameFindings) {
  const TemporaryFolder folder, kept;
  write_pairs(folder / "s", folder / "t", 300);
  write_pairs(folder / "v.s", folder / "v.t", 30);
  const std::vector<CorpusFiles> train = {corpus_files({folder / "s"}, {folder / "t"})};
  const ComparedSet valid{"valid", corpus_files({folder / "v.s"}, {folder / "v.t"})};
  const CorpusChecks checks{{valid}, {false, false}, Cleaning{.max_length = 5}};
  const CorpusFindings expected = check_corpora(TrainingText(train), checks);
  ASSERT_FALSE(expected.warnings.empty());
  const auto found = [&](const CorpusChecks& asked) {
    DataCache cache(kept.path());
    return cached_checks(TrainingText(train, cache), asked, cache);
  };
  const auto expect_found = [&] {
    EXPECT_EQ(found(checks).warnings, expected.warnings);
    EXPECT_EQ(found(checks).certain.lines(), expected.certain.lines());
  };
  expect_found();
  // The changed text would give no warnings, but it is not read.
  write_secretly(folder / "s",
                 std::string(fs::file_size(folder / "s") - 300, 'x') + std::string(300, '\n'));
  expect_found();
  EXPECT_NE(found({{}, {false, false}, checks.cleaning}).warnings, expected.warnings);
  EXPECT_NE(found({{valid}, {false, false}, Cleaning{}}).warnings, expected.warnings);
}

}  // namespace
}  // namespace heed
