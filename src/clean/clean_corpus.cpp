#include "clean/clean_corpus.h"

#include <algorithm>
#include <deque>

#include "base/compression/compressed_name.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/file.h"
#include "base/line_progress.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "clean/corpus_lines.h"
#include "clean/hash_set.h"
#include "data/cleaning.h"
#include "translate/workers.h"

namespace heed {

namespace {

// Filters of pairs without two texts; they are always on, and no other filter sees such pairs.
enum Unusable : size_t { kBadRow, kMalformed, kEmpty };
constexpr std::array<const char*, 3> kUnusableNames{"bad_row", "malformed", "empty"};

struct Fault {
  Unusable kind;
  std::string reason;
};

std::optional<Fault> find_fault(const RawPair& pair) {
  for (size_t side = 0; side < pair.sides.size(); ++side) {
    const size_t byte = find_malformed(pair.sides[side]);
    if (byte != std::string::npos)
      return Fault{kMalformed,
                   fmt::format("{}: malformed UTF-8 at byte {}", kSideNames[side], byte + 1)};
  }
  if (!pair.fault.empty()) return Fault{pair.malformed ? kMalformed : kBadRow, pair.fault};
  const bool source = is_blank(pair.sides[0]), target = is_blank(pair.sides[1]);
  if (source && target) return Fault{kEmpty, "source and target are empty"};
  if (source || target)
    return Fault{kEmpty, fmt::format("{} is empty", kSideNames[source ? 0 : 1])};
  return std::nullopt;
}

CorpusProfile read_profile(const CorpusLines& lines, const CleanOptions& options) {
  CorpusLines::Reader reader(lines);
  CorpusProfiler profiler(options.seed, options.inputs.scores.has_value());
  const ChosenCorpus& corpus = lines.corpus();
  std::vector<MalformedLines> malformed{{corpus.source.path, corpus.source.name()},
                                        {corpus.target.path, corpus.target.name()}};
  int64_t number = 0;
  for (RawPair pair; reader.next(pair); ++number) {
    for (size_t side = 0; side < malformed.size(); ++side)
      malformed[side].add(pair.malformed || !is_utf8(pair.sides[side]));
    profiler.add(number, pair.sides, !find_fault(pair));
  }
  if (number == 0) throw_error(ErrorKind::kData, "{}: has no pairs", corpus.source.name());
  refuse_malformed(malformed);
  return profiler.finish(number);
}

// A pair with the results of the filters.
struct CheckedPair {
  RawPair raw{};
  int64_t line = 0;
  std::optional<Fault> fault{};
  CorpusPair pair{};
  std::vector<std::string> reasons{};                // by filter
  std::vector<std::vector<uint64_t>> memory_keys{};  // by memory filter
};

void check(const FilterList& list, CheckedPair& checked) {
  checked.fault = find_fault(checked.raw);
  checked.reasons.clear();
  checked.memory_keys.clear();
  if (checked.fault) return;
  for (size_t side = 0; side < kSideNames.size(); ++side)
    checked.pair.sides[side] = SideLine(checked.raw.sides[side]);
  for (const auto& [name, filter] : list.filters)
    checked.reasons.push_back(filter->reason(checked.pair));
  for (const auto& [name, filter] : list.memories)
    checked.memory_keys.push_back(filter->keys(checked.pair));
}

std::vector<std::string> names_of(const FilterList& list) {
  std::vector<std::string> names(kUnusableNames.begin(), kUnusableNames.end());
  for (const auto& [name, filter] : list.filters) names.push_back(name);
  for (const auto& [name, filter] : list.memories) names.push_back(name);
  return names;
}

// Pairs that one memory filter has seen: all, and those that the filters before it keep.
struct Memory {
  HashSet all{}, kept{};
};

bool recall(HashSet& set, const std::vector<uint64_t>& keys) {
  const bool is_known = std::ranges::any_of(keys, [&](uint64_t key) { return set.contains(key); });
  if (!is_known) {
    for (const uint64_t key : keys) set.insert(key);
  }
  return is_known;
}

// Files that are written: the corpus in its form, and the dropped pairs.
class Outputs {
 public:
  Outputs(const CleanOptions& options, const std::string& header) {
    for (const std::string& path : options.outputs) {
      kept_.emplace_back(path);
      if (!header.empty()) kept_.back().write(header + "\n");
    }
    if (options.rejected)
      rejected_.emplace(*options.rejected).write("line\tfilters\treason\tsource\ttarget\n");
  }

  // The row of a table, which has both sides.
  void keep(const RawPair& pair) {
    const bool is_table = kept_.size() == 1;
    for (size_t i = 0; i < kept_.size(); ++i)
      kept_[i].write((is_table ? pair.row : pair.sides[i]) + "\n");
  }
  // filters: all that drop the pair; the reason is that of the first.
  void reject(const std::vector<std::string>& filters, const DroppedPair& pair) {
    if (!rejected_) return;
    rejected_->write(fmt::format("{}\t{}\t{}\t{}\t{}\n", pair.line, fmt::join(filters, ","),
                                 cell(pair.reason), cell(pair.source), cell(pair.target)));
  }
  void commit() {
    std::vector<AtomicFile*> files;
    for (AtomicFile& file : kept_) files.push_back(&file);
    if (rejected_) files.push_back(&*rejected_);
    commit_all(files);
  }

 private:
  static std::string cell(std::string text) {
    std::ranges::replace(text, '\t', ' ');
    return text;
  }

  std::deque<AtomicFile> kept_;
  std::optional<AtomicFile> rejected_;
};

// Takes the checked pairs in their order: counts them, remembers them, writes them.
class PairSieve {
 public:
  PairSieve(const FilterList& list, CleanReport& report, Outputs& outputs)
      : list_(list), report_(report), outputs_(outputs), memories_(list.memories.size()) {}

  void take(const CheckedPair& checked) {
    first_.reset();
    dropping_.clear();
    if (checked.fault) drop(checked, checked.fault->kind, checked.fault->reason);
    size_t filter = kUnusableNames.size();
    for (const std::string& reason : checked.reasons) {
      if (!reason.empty()) drop(checked, filter, reason);
      ++filter;
    }
    for (size_t i = 0; i < checked.memory_keys.size(); ++i) remember(checked, i, filter + i);
    report_.count_pair(!first_);
    if (first_) {
      outputs_.reject(dropping_, rejected_);
    } else {
      outputs_.keep(checked.raw);
    }
  }

 private:
  void drop(const CheckedPair& checked, size_t filter, const std::string& reason) {
    const DroppedPair pair{checked.line, reason, checked.raw.sides[0], checked.raw.sides[1]};
    report_.add(filter, pair);
    dropping_.push_back(report_.filters()[filter].name);
    if (!first_) set_first(filter, pair);
  }

  // A pair that came before, but was dropped, counts for the filter alone.
  void remember(const CheckedPair& checked, size_t memory, size_t filter) {
    const std::vector<uint64_t>& keys = checked.memory_keys[memory];
    const bool came_before = recall(memories_[memory].all, keys);
    const bool is_repeated = !first_ && recall(memories_[memory].kept, keys);
    if (!came_before) return;
    const DroppedPair pair{checked.line, list_.memories[memory].filter->reason(),
                           checked.raw.sides[0], checked.raw.sides[1]};
    report_.add(filter, pair);
    dropping_.push_back(report_.filters()[filter].name);
    if (is_repeated) set_first(filter, pair);
  }

  void set_first(size_t filter, const DroppedPair& pair) {
    report_.add_first(filter);
    first_ = filter;
    rejected_ = pair;
  }

  const FilterList& list_;
  CleanReport& report_;
  Outputs& outputs_;
  std::vector<Memory> memories_;
  std::optional<size_t> first_;  // filter that drops the pair
  DroppedPair rejected_;
  std::vector<std::string> dropping_;  // all filters that do
};

void sieve(const CorpusLines& lines, const FilterList& list, int64_t workers, int64_t pairs,
           PairSieve& sieve) {
  constexpr size_t kBatch = 4096, kChunk = 64;
  CorpusLines::Reader reader(lines);
  std::vector<CheckedPair> batch(kBatch);
  LineProgress progress("checked", pairs);
  int64_t number = 0;
  for (size_t size = kBatch; size == kBatch;) {
    for (size = 0; size < kBatch && reader.next(batch[size].raw); ++size) {
      batch[size].line = reader.line_number();
      batch[size].pair.number = number++;
    }
    run_in_workers(workers, (size + kChunk - 1) / kChunk, [&](size_t chunk) {
      for (size_t i = chunk * kChunk; i < std::min(size, (chunk + 1) * kChunk); ++i)
        check(list, batch[i]);
    });
    for (size_t i = 0; i < size; ++i) sieve.take(batch[i]);
    progress.add(static_cast<int64_t>(size));
  }
}

std::vector<fs::path> files_of(const ChosenCorpus& corpus) {
  if (corpus.is_table()) return {corpus.source.path};
  return {corpus.source.path, corpus.target.path};
}

void check_paths(const CleanOptions& options, const ChosenCorpus& corpus) {
  std::vector<NamedFile> inputs, outputs;
  for (const fs::path& file : files_of(corpus)) inputs.push_back({"input", file});
  for (const std::string& file : options.inputs.tests) inputs.push_back({"--test", file});
  for (const auto& [name, file] : {std::pair("--scores", &options.inputs.scores),
                                   {"--reverse-scores", &options.inputs.reverse_scores}}) {
    if (*file) inputs.push_back({name, **file});
  }
  if (options.settings) inputs.push_back({"--filters", *options.settings});
  for (const std::string& sample : options.inputs.language_samples)
    inputs.push_back({"--language-samples", sample.substr(sample.find('=') + 1)});
  for (const std::string& file : options.outputs) outputs.push_back({"-o", file});
  if (options.rejected) outputs.push_back({"--rejected", *options.rejected});
  for (const NamedFile& output : outputs) check_output_path(output.path);
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
  const size_t files = files_of(corpus).size();
  if (corpus.source.view.form == TextView::Form::kTmx)
    for (const std::string& file : options.outputs)
      if (file != "-" && without_compression(file).extension() != ".jsonl")
        throw_error(ErrorKind::kUsage,
                    "-o {}: the units of a translation memory are written as JSON lines; name the "
                    "output FILE.jsonl, which `heed convert` turns into TMX",
                    file);
  if (options.outputs.empty() || options.outputs.size() == files) return;
  throw_error(ErrorKind::kUsage, "-o: found {}, expected {}", options.outputs.size(),
              files == 1 ? "one file, since the corpus is one"
                         : "two files, of the source and the target side: -o SOURCE TARGET");
}

std::string name_of(const ChosenCorpus& corpus) {
  return corpus.is_table() ? corpus.source.path.string()
                           : fmt::format("{} + {}", corpus.source.name(), corpus.target.name());
}

}  // namespace

CleanReport clean_corpus(const CleanOptions& options, const CleanConfig& config) {
  check_inputs(config, options.inputs);
  const ChosenCorpus corpus = choose_corpus(options.corpus, "heed clean");
  check_paths(options, corpus);
  const CorpusLines lines(corpus);
  const CorpusProfile profile = read_profile(lines, options);
  const FilterList list = make_filters(config, options.inputs, profile);
  CleanReport report(name_of(corpus), names_of(list), options.samples, options.seed);
  Outputs outputs(options, CorpusLines::Reader(lines).header());
  PairSieve pair_sieve(list, report, outputs);
  sieve(lines, list, options.workers, profile.pairs, pair_sieve);
  outputs.commit();
  report.finish();
  return report;
}

}  // namespace heed
