#include "data/data_config.h"

#include "base/error.h"
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
  if (pattern.empty()) {
    problems.add(key, "names no file");
  } else if (expand_pattern(root, pattern).empty()) {
    problems.add(key, (is_pattern(pattern) ? "no file matches " : "there is no file ") +
                          (root / pattern).lexically_normal().string());
  }
}

constexpr const char* kEdgesHelp =
    "for `terms: [edges]`: a line `i-j …` a sentence, where word i sees word j, from 0";

template <class Config>
void check_files(const fs::path& root, const Config& config, const std::string& at,
                 Problems& problems) {
  for (const std::string& pattern : config.source.patterns()) {
    check_pattern(root, pattern, at + ".source", problems);
  }
  check_pattern(root, config.target, at + ".target", problems);
  if (config.edges) check_pattern(root, *config.edges, at + ".edges", problems);
}

}  // namespace

void SourceFiles::fields(Fields& f) {
  f.path("file", file, "one sentence a line, plain or .gz");
  f.required("file");
}

void CorpusConfig::fields(Fields& f) {
  f.section("source", source, "what is read: a file or a pattern such as train.*.en");
  f.path("target", target, "what is to be written, line by line beside the source");
  f.path("edges", edges, kEdgesHelp);
  f.field("weight", weight, kAboveZero,
          "how often each pair comes in an epoch; 0.5: half of them, another half the next time");
  f.required("source");
  f.required("target");
}

void EvaluationConfig::fields(Fields& f) {
  f.section("source", source, "what is read");
  f.path("target", target, "the references, line by line beside the source");
  f.path("edges", edges, kEdgesHelp);
  f.required("source");
  f.required("target");
}

void Cleaning::fields(Fields& f) {
  f.field("max_length", max_length, IntRange{1, 65000}, "pieces a side at most");
  f.choice("too_long", too_long, kTooLong, "what becomes of a longer pair");
  f.choice("empty", empty, kEmptyLine, "what becomes of a pair with nothing on one side");
  f.choice("malformed", malformed, kMalformed,
           "what becomes of a pair that is no UTF-8; replace: by U+FFFD");
}

void DataConfig::fields(Fields& f) {
  f.path("dir", dir, "root of the relative paths below, itself relative to the config's folder");
  f.list("train", train, "what is learned from");
  f.section("valid", valid, "what is scored during training");
  f.map("test", test, "what is scored once, at the end");
  cleaning.fields(f);
  f.required("train");
}

void DataConfig::validate(Problems& problems) const {
  const auto check = [&](const std::string& at, const std::optional<std::string>& edges) {
    if (edges.has_value() == has_edges()) return;
    problems.add(at, has_edges() ? "has no edges, and train[0] has some: give them everywhere"
                                 : "has edges, and train[0] has none: give them everywhere");
  };
  for (size_t i = 1; i < train.size(); ++i) check(fmt::format("train[{}]", i), train[i].edges);
  if (valid) check("valid", valid->edges);
  for (const auto& [name, set] : test) check("test." + name, set.edges);
}

void DataConfig::forget_edges() {
  for (CorpusConfig& corpus : train) corpus.edges.reset();
  if (valid) valid->edges.reset();
  for (auto& [name, set] : test) set.edges.reset();
}

fs::path DataConfig::root(const fs::path& config_folder) const {
  return fs::absolute(config_folder / dir).lexically_normal();
}

void resolve_data_paths(DataConfig& data, const fs::path& config_folder) {
  data.dir = data.root(config_folder).string();
}

void find_missing_data_files(const DataConfig& data, const fs::path& config_folder,
                             Problems& problems) {
  const fs::path root = data.root(config_folder);
  if (!fs::is_directory(root)) {
    problems.add("dir", "there is no folder " + root.string());
    return;
  }
  if (data.train.empty()) problems.add("train", "names no files to learn from");
  for (size_t i = 0; i < data.train.size(); ++i) {
    check_files(root, data.train[i], fmt::format("train[{}]", i), problems);
  }
  if (data.valid) check_files(root, *data.valid, "valid", problems);
  for (const auto& [name, config] : data.test) {
    check_files(root, config, "test." + name, problems);
  }
}

}  // namespace heed
