#include "data/data_config.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.h"
#include "config/absent.h"
#include "config/sizes.h"
#include "data/corpus_files.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

const Words<TooLong> kTooLong = {
    {"drop", TooLong::kDrop}, {"truncate", TooLong::kTruncate}, {"error", TooLong::kError}};
const Words<EmptyLine> kEmptyLine = {{"drop", EmptyLine::kDrop}, {"error", EmptyLine::kError}};
const Words<Malformed> kMalformed = {
    {"drop", Malformed::kDrop}, {"replace", Malformed::kReplace}, {"error", Malformed::kError}};

void check_pattern(const fs::path& root, const std::string& pattern, const std::string& key,
                   Problems& problems) {
  const std::string path = (root / pattern).lexically_normal().string();
  std::error_code ignored;
  if (pattern.empty()) {
    problems.add(key, "is empty, expected a file");
  } else if (fs::is_directory(path, ignored)) {
    problems.add(key, path + " is a folder, expected a file");
  } else if (expand_pattern(root, pattern).empty()) {
    problems.add(key, (is_pattern(pattern) ? "no file matches " : "there is no file ") + path);
  }
}

// Key under which the file of a source is written.
std::string source_path(const std::string& at, const SourceFiles& files, const std::string& name) {
  const bool plain = files.size() == 1 && name == kSourceSide;
  return plain ? at + ".source" : fmt::format("{}.source.{}", at, name);
}

std::vector<std::string> names_of(const SourceFiles& files) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : files) names.push_back(name);
  return names;
}

std::string list_names(const std::vector<std::string>& names) {
  return names.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(names, ", "));
}

// what: "source" or "factor". fault(name): reason why the name is not allowed.
template <class Fault>
void check_names(const std::string& at, const char* what, const std::vector<std::string>& names,
                 const std::vector<std::string>& expected, const Fault& fault, Problems& problems) {
  for (const std::string& name : names) {
    if (const auto found = fault(name)) problems.add(fmt::format("{}.{}", at, name), *found);
  }
  if (names == expected) return;
  problems.add(at, fmt::format("has {}, but train[0] has {}: all corpora need the same {}s",
                               list_names(names), list_names(expected), what));
}

// True if the name is allowed for a source or a factor.
bool is_input_name(const std::string& name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && std::ranges::all_of(name, fits) && name != kTargetSide &&
         name != "edges" && name != kTagInput;
}

std::optional<std::string> fault_of_source_name(const std::string& name) {
  if (is_input_name(name)) return std::nullopt;
  return "is not allowed as the name of a source: letters, digits and _, but not target, edges or "
         "tag";
}

constexpr const char* kEdgesHelp =
    "edge list for `terms: [edges]`: a line `i-j …` for each sentence, where word i attends to "
    "word j, counted from 0 (docs/tasks.md#words)";

constexpr const char* kSupportingFactsHelp =
    "supporting facts for `train.supporting_facts`: a line for each pair with the numbers of "
    "sentences of the story, counted from 1, in the order in which the answer needs them "
    "(docs/tasks.md#supporting-facts)";

// what: "alignment".  one: with its article.
void check_same(const std::string& at, const char* what, const char* one, bool has,
                bool others_have, Problems& problems) {
  if (has == others_have) return;
  problems.add(at, fmt::format("has {}, but train[0] {}: give all corpora of train one, or none",
                               has ? one : fmt::format("no {}", what), has ? "does not" : "does"));
}

constexpr const char* kFactorsHelp =
    "files of source factors by name, such as `{pos: train.pos}`: a label for each word of the "
    "source, separated by spaces (model.embedding.source_factors)";

constexpr const char* kTagHelp =
    "tag of all pairs of this corpus, such as the target language: letters, digits, _ and -";

// Key of the settings of a validation set: a single set may be written without a list.
std::string valid_path(size_t i, const Problems& problems) {
  const std::string item = fmt::format("valid[{}]", i);
  return i > 0 || problems.is_set(item) ? item : "valid";
}

// Calls see(path, config) for each training corpus and for each validation and test set.
template <class Data, class See>
void for_each_corpus(Data& data, const Problems& problems, See see) {
  for (size_t i = 0; i < data.train.size(); ++i) see(fmt::format("train[{}]", i), data.train[i]);
  for (size_t i = 0; i < data.valid.size(); ++i) see(valid_path(i, problems), data.valid[i]);
  for (auto& [name, set] : data.test) see("test." + name, set);
}

void check_edges(const std::string& at, bool has, bool others_have, Problems& problems) {
  if (has == others_have) return;
  problems.add(at,
               others_have
                   ? "has no edges, but train[0] has: give all corpora an edge list, or none"
                   : "has edges, but train[0] lacks them: give all corpora an edge list, or none");
}

void check_tag(const std::string& at, const std::optional<std::string>& tag, const Tags& known,
               Problems& problems) {
  if (tag.has_value() == known.empty())
    problems.add(at,
                 known.empty()
                     ? "has a tag, but no corpus of train has one: give all of them a tag, or none"
                     : "has no tag, but others have: give all corpora a tag, or none");
  if (!tag || known.empty()) return;
  if (!is_tag(*tag)) {
    problems.add(at + ".tag",
                 fmt::format("'{}' is not allowed as a tag: letters, digits, _ and -", *tag));
  } else if (!std::ranges::binary_search(known, *tag)) {
    problems.add(at + ".tag", fmt::format("no corpus of train has this tag: '{}' {}", *tag,
                                          no_such_tag(known, *tag)));
  }
}

// Checks that shares leave some of an epoch to the corpora without one.
void check_shares(const std::vector<CorpusConfig>& train, Problems& problems) {
  double shares = 0;
  for (size_t i = 0; i < train.size(); ++i) {
    if (!train[i].share) continue;
    shares += *train[i].share;
    if (train[i].weight != 1)
      problems.add(fmt::format("train[{}].weight", i),
                   "is replaced by share: leave one of them out");
  }
  if (shares == 0) return;
  if (std::ranges::all_of(train, [](const auto& corpus) { return corpus.share.has_value(); }))
    problems.add("train", "all corpora have a share: leave it out of one, which fills the epoch");
  else if (shares >= 1)
    problems.add(
        "train",
        fmt::format("the shares add up to {:.4g}, expected less than 1, so that the corpora "
                    "without one are the rest",
                    shares));
}

template <class Config>
void check_table(const std::string& at, const Config& corpus, Problems& problems) {
  if (corpus.tsv.has_value() + corpus.jsonl.has_value() + corpus.tmx.has_value() > 1)
    problems.add(at + (corpus.tmx ? ".tmx" : ".jsonl"),
                 "a corpus has one of tsv, jsonl and tmx; make it two corpora");
  if (corpus.tmx && (corpus.edges || !corpus.factors.empty()))
    problems.add(at + ".tmx",
                 "a translation memory has neither edges nor factors; convert it to "
                 "files or a table: heed convert");
  if (!corpus.table() || !corpus.target.empty()) return;
  problems.add(at,
               fmt::format("lacks {}: name the {}",
                           corpus.source.empty() ? "`source` and `target`" : "`target`",
                           corpus.tsv ? "columns, by number from 1 or by the first line, such as "
                                        "`source: 1, target: 2`"
                           : corpus.jsonl ? "keys, such as `source: translation.en, target: "
                                            "translation.de`"
                                          : "languages, such as `source: en, target: de`"));
}

template <class Config>
void check_files(const fs::path& root, const Config& config, const std::string& at,
                 Problems& problems) {
  if (const auto& table = config.table())
    return check_pattern(root, *table, fmt::format("{}.{}", at, config.view("").form_name()),
                         problems);
  for (const auto& [name, pattern] : config.source) {
    check_pattern(root, pattern, source_path(at, config.source, name), problems);
  }
  check_pattern(root, config.target, at + ".target", problems);
  if (config.edges) check_pattern(root, *config.edges, at + ".edges", problems);
  for (const auto& [name, pattern] : config.factors)
    check_pattern(root, pattern, fmt::format("{}.factors.{}", at, name), problems);
}

// Checks the files that training corpora alone have.
void check_training_files(const fs::path& root, const DataConfig& data, Problems& problems) {
  for (size_t i = 0; i < data.train.size(); ++i) {
    const CorpusConfig& corpus = data.train[i];
    if (corpus.table()) continue;
    for (const auto& [key, pattern] : {std::pair("alignment", &corpus.alignment),
                                       {"supporting_facts", &corpus.supporting_facts}}) {
      if (*pattern) check_pattern(root, **pattern, fmt::format("train[{}].{}", i, key), problems);
    }
  }
}

}  // namespace

std::optional<std::string> fault_of_factor_name(const std::string& name,
                                                const std::vector<std::string>& sources) {
  if (is_input_name(name) && std::ranges::count(sources, name) == 0) return std::nullopt;
  return "is not allowed as the name of a factor: letters, digits and _, but not target, edges, "
         "tag "
         "or the name of a source";
}

TextView TableConfig::view(const std::string& name) const {
  if (tsv) return {TextView::Form::kTsv, name};
  if (jsonl) return {TextView::Form::kJsonLines, name};
  return tmx ? TextView{TextView::Form::kTmx, name} : TextView{};
}

void CorpusConfig::fields(Fields& f) {
  f.paths(
      "source", source, kSourceSide, PathRoot::kDataFolder,
      "source sentences, one a line, plain or compressed (.gz, .xz, .zst, .zip): a file, a pattern "
      "such as train.*.en or a member of an archive, corpus.zip/train.en; for several sources a "
      "map from names to files; for a language model none");
  f.path("target", target, PathRoot::kDataFolder,
         "target sentences; line N belongs to line N of the source");
  f.path("tsv", tsv, PathRoot::kDataFolder,
         "table of tab-separated values that has both sides, plain or compressed, or a pattern: "
         "`source`, "
         "`target` and the other files are its columns, by number from 1 or by name in the first "
         "line; `1+2` has a tab between two (docs/tasks.md#tables)");
  f.path(
      "jsonl", jsonl, PathRoot::kDataFolder,
      "JSON objects that have both sides, one a line, plain or compressed, or a pattern: `source`, "
      "`target` and the others are keys, such as `translation.en` (docs/tasks.md#tables)");
  f.path("tmx", tmx, PathRoot::kDataFolder,
         "translation memory that has both sides, plain or compressed, or a pattern: `source` and "
         "`target` are languages, such as `en`, which is also `en-US` (docs/tasks.md#tables)");
  f.path("edges", edges, PathRoot::kDataFolder, kEdgesHelp);
  f.path(
      "alignment", alignment, PathRoot::kDataFolder,
      "word alignment for `train.guided_alignment`: a line `i-j …` for each pair, where word i of "
      "the source is linked with word j of the target, counted from 0, as fast_align writes it "
      "(docs/tasks.md#words)");
  f.path("supporting_facts", supporting_facts, PathRoot::kDataFolder, kSupportingFactsHelp);
  f.paths("factors", factors, "", PathRoot::kDataFolder, kFactorsHelp);
  f.field("tag", tag, kTagHelp);
  f.field("weight", weight, Range{0, 1000, true},
          "how often each pair occurs in an epoch; 0.5: half of the pairs, the other half in the "
          "next epoch");
  f.field("share", share, Range{0, 1, true, true},
          "in place of a weight: fraction of the pairs of an epoch that are of this corpus; 0.1 of "
          "general text beside text of a domain: one pair of ten is general");
  f.field("augment", augment, "false: `data.augment` leaves the pairs of this corpus as they are");
  f.peers("source", {.joeynmt = "data.train (with the ending `data.src.lang`)",
                     .opennmt = "data.NAME.path_src",
                     .marian = "train-sets",
                     .also = "src"});
  f.peers("target", {.joeynmt = "data.train (with the ending `data.trg.lang`)",
                     .opennmt = "data.NAME.path_tgt",
                     .marian = "train-sets",
                     .also = "tgt, trg"});
  f.peers("tsv", {.joeynmt = "data.dataset_type: tsv",
                  .marian = "tsv, tsv-fields",
                  .note = "`source` and `target` are then numbers of columns"});
  f.peers("alignment", {.marian = "guided-alignment"});
  f.peers("factors", {.opennmt = "n_src_feats (the features are in the text)",
                      .marian = "(factored vocabulary, `.fsv`)",
                      .sockeye = "source-factors"});
  f.peers("weight", {.opennmt = "data.NAME.weight"});
  if (!table()) f.required("target");
}

void EvaluationConfig::fields(Fields& f) {
  f.paths("source", source, kSourceSide, PathRoot::kDataFolder, "source sentences, as in train");
  f.path("target", target, PathRoot::kDataFolder,
         "references; line N belongs to line N of the source");
  f.path("tsv", tsv, PathRoot::kDataFolder, "table of tab-separated values, as in train");
  f.path("jsonl", jsonl, PathRoot::kDataFolder, "JSON objects, one a line, as in train");
  f.path("tmx", tmx, PathRoot::kDataFolder, "translation memory, as in train");
  f.path("edges", edges, PathRoot::kDataFolder, kEdgesHelp);
  f.paths("factors", factors, "", PathRoot::kDataFolder,
          "files of source factors by name, as in train");
  f.field("tag", tag, "tag of its pairs, as in train");
  for (const auto& [key, use] : {std::pair("alignment", "losses that training alone has"),
                                 {"supporting_facts", "losses that training alone has"},
                                 {"weight", "the pairs of an epoch"},
                                 {"share", "the pairs of an epoch"},
                                 {"augment", "the pairs of an epoch"}})
    absent(f, key,
           fmt::format("is a key of data.train, for {}; leave it out of validation and test sets",
                       use));
  if (!table()) f.required("target");
}

void Cleaning::fields(Fields& f) {
  f.field("max_length", max_length, kLengths,
          "maximum number of tokens of a sentence, on the source side and on the target side");
  f.field("max_source_length", max_source_length, kLengths,
          "maximum on the source side, where it differs");
  f.field("max_target_length", max_target_length, kLengths,
          "maximum on the target side, where it differs");
  f.choice("too_long", too_long, kTooLong, "how a longer pair is handled");
  f.field("max_ratio", max_ratio, Range{1, 1000},
          "pairs are left out whose longer side has more than this number of tokens for each token "
          "of the other; of several sources the longest counts; ~: none");
  f.choice("empty", empty, kEmptyLine, "how a pair with an empty source or target is handled");
  f.choice("malformed", malformed, kMalformed,
           "how a pair with malformed UTF-8 is handled, and a row without its columns or keys; "
           "replace: read malformed bytes as U+FFFD, leave out such rows");
  f.may_change(ChangeAt::kPhase, {"max_length", "max_source_length", "max_target_length",
                                  "too_long", "max_ratio", "empty", "malformed"});
  f.peers("max_length", {.joeynmt = "data.src.max_length",
                         .opennmt = "src_seq_length, tgt_seq_length",
                         .marian = "max-length",
                         .also = "max_len, max_sent_length"});
}

void DataConfig::fields(Fields& f) {
  f.path("dir", dir, PathRoot::kConfigFolder,
         "folder that the relative paths below start from, itself relative to the config's folder; "
         "to the current folder if --set gives it");
  f.list("train", train, "training corpora");
  f.field(
      "temperature", temperature, Range{1, 1000},
      "sampling temperature T: a corpus of n pairs is sampled in proportion to n^(1/T), corpora of "
      "one tag together; the number of pairs in an epoch stays the same (Arivazhagan 2019)");
  f.section(
      "augment", augment,
      "augmentation: changes of training pairs that are drawn anew in each epoch, each with its "
      "probability of a pair; a pair that would exceed max_length stays as it is; vocabularies "
      "are learned from the text as it is (docs/tasks.md#augmentation)");
  f.one_or_many("valid", valid, "validation set; several are concatenated");
  f.map("test", test, "test sets, scored once, after training, with the best checkpoint");
  cleaning.fields(f);
  f.field("min_kept", min_kept, Range{0, 1},
          "share of the training pairs that must be left after cleaning, else training does not "
          "start");
  f.path("cache", cache, PathRoot::kDataFolder,
         "folder that keeps the index of the training text, so that later starts do not read the "
         "text again and the processes of a host share its memory; ~: none");
  f.required("train");
  // Another folder: the record of the data compares the files themselves.
  f.may_change(ChangeAt::kResume, {"dir", "test", "min_kept", "cache"});
  f.may_change(ChangeAt::kPhase, {"train", "temperature", "augment"});
  f.peers("valid", {.joeynmt = "data.dev", .opennmt = "data.valid", .marian = "valid-sets"});
  f.peers("test", {.joeynmt = "data.test"});
}

void DataConfig::validate(Problems& problems) const {
  const std::vector<std::string> names = sources();
  const Tags known = tags();
  if (cache && cache->empty()) problems.add("cache", "is empty, expected a folder");
  // False if the key has a mistake here or in the first corpus. Such a value is there, too.
  const auto is_read = [&](const std::string& at, const char* key) {
    return problems.is_whole(fmt::format("train[0].{}", key)) &&
           problems.is_whole(fmt::format("{}.{}", at, key));
  };
  for_each_corpus(*this, problems, [&](const std::string& at, const auto& corpus) {
    check_table(at, corpus, problems);
    // Nothing is known of the first corpus, which all are compared with.
    if (train.empty() || (names.empty() && !problems.is_whole("train[0]"))) return;
    if (is_read(at, "edges")) check_edges(at, corpus.edges.has_value(), has_edges(), problems);
    if (is_read(at, "tag")) check_tag(at, corpus.tag, known, problems);
    check_names(at + ".source", "source", names_of(corpus.source), names, fault_of_source_name,
                problems);
    check_names(
        at + ".factors", "factor", names_of(corpus.factors), factors(),
        [&](const std::string& name) { return fault_of_factor_name(name, names); }, problems);
  });
  check_shares(train, problems);
  for (size_t i = 0; i < train.size(); ++i) {
    const std::string at = fmt::format("train[{}]", i);
    if (is_read(at, "alignment"))
      check_same(at, "alignment", "an alignment", train[i].alignment.has_value(), has_alignments(),
                 problems);
    if (is_read(at, "supporting_facts"))
      check_same(at, "supporting facts", "supporting facts", train[i].supporting_facts.has_value(),
                 has_supporting_facts(), problems);
    for (const auto& [what, is_there] :
         {std::pair("word alignment", train[i].alignment.has_value()),
          {"supporting facts", train[i].supporting_facts.has_value()}}) {
      if (train[i].tmx && is_there)
        problems.add(at + ".tmx",
                     fmt::format("a translation memory has no {}; convert it to files: "
                                 "heed convert",
                                 what));
    }
  }
}

std::vector<std::string> DataConfig::sources() const {
  return train.empty() ? std::vector<std::string>{kSourceSide} : names_of(train.front().source);
}

std::vector<std::string> DataConfig::sides() const {
  std::vector<std::string> sides = sources();
  sides.push_back(kTargetSide);
  return sides;
}

std::vector<std::string> DataConfig::factors() const {
  return train.empty() ? std::vector<std::string>() : names_of(train.front().factors);
}

void DataConfig::forget_edges() {
  for (CorpusConfig& corpus : train) corpus.edges.reset();
  for (EvaluationConfig& set : valid) set.edges.reset();
  for (auto& [name, set] : test) set.edges.reset();
}

void DataConfig::forget_alignments() {
  for (CorpusConfig& corpus : train) corpus.alignment.reset();
}

void DataConfig::forget_supporting_facts() {
  for (CorpusConfig& corpus : train) corpus.supporting_facts.reset();
}

Tags DataConfig::tags() const {
  std::set<std::string> known;
  for (const CorpusConfig& corpus : train) {
    if (corpus.tag) known.insert(*corpus.tag);
  }
  return {known.begin(), known.end()};
}

fs::path DataConfig::root(const fs::path& config_folder) const {
  return fs::absolute(config_folder / dir).lexically_normal();
}

std::optional<fs::path> DataConfig::cache_folder(const fs::path& config_folder) const {
  if (!cache) return std::nullopt;
  return (root(config_folder) / *cache).lexically_normal();
}

void find_missing_data_files(const DataConfig& data, const fs::path& config_folder,
                             Problems& problems) {
  const fs::path root = data.root(config_folder);
  std::error_code ignored;
  if (!fs::is_directory(root, ignored)) {
    problems.add("dir", "there is no folder " + root.string());
    return;
  }
  if (data.train.empty()) problems.add("train", "is empty, expected training files");
  for_each_corpus(data, problems, [&](const std::string& at, const auto& corpus) {
    check_files(root, corpus, at, problems);
  });
  check_training_files(root, data, problems);
}

}  // namespace heed
