#include "data/corpus_conversion.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/compression/compressed_name.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/language_code.h"
#include "base/line_progress.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "data/column_reader.h"
#include "data/text_reader.h"

namespace heed {

namespace {

constexpr const char* kCommand = "heed convert";

ChosenCorpus input_of(const ConversionOptions& options) {
  const auto& inputs = options.inputs;
  if (inputs.size() == 1) {
    const CorpusOptions corpus{inputs.front(), options.source, options.target};
    return choose_corpus(corpus, kCommand);
  }
  if (inputs.size() != 2)
    throw_error(ErrorKind::kUsage,
                "found {} inputs, expected a source and a target file, or one file with both",
                inputs.size());
  if (options.source || options.target)
    throw Error(ErrorKind::kUsage,
                "--source and --target name columns, keys or languages of one input, found two; "
                "leave them out");
  return {text_of_argument(inputs[0], inputs), text_of_argument(inputs[1], inputs)};
}

PairForm form_of(const ConversionOptions& options) {
  const std::string& output = options.outputs.front();
  const std::string ending = without_compression(output).extension().string();
  const size_t count = options.outputs.size();
  const PairForm form = options.form         ? *options.form
                        : count == 2         ? PairForm::kText
                        : ending == ".tsv"   ? PairForm::kTsv
                        : ending == ".jsonl" ? PairForm::kJsonLines
                        : ending == ".tmx"   ? PairForm::kTmx
                                             : PairForm::kText;
  const size_t expected = form == PairForm::kText ? 2 : 1;
  if (count == expected) return form;
  throw_error(
      ErrorKind::kUsage,
      "-o {}: text is two files, of the source and of the target; a table, JSON lines and a "
      "translation memory are one, whose name ends in .tsv, .jsonl or .tmx unless --to is "
      "given",
      fmt::join(options.outputs, " "));
}

// True for letters and digits with - between them: "pt-BR".
bool is_language_tag(std::string_view name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
         name.back() != '-' && std::ranges::all_of(name, fits);
}

// Language of a side in a translation memory, of which the input shows only those that are known.
std::string language_of(const std::optional<std::string>& given, const TextFile& side,
                        const char* option) {
  std::string name = given.value_or(side_name(side));
  std::ranges::replace(name, '_', '-');
  if (is_language_tag(name) && (given || !language_code(name).empty())) return name;
  throw_error(
      ErrorKind::kUsage,
      "a translation memory needs the languages of its texts, found {}; give {}, such as en "
      "or pt-BR",
      name.empty() ? "none" : "'" + name + "'", option);
}

// Names of the new sides: those that are given, or those of the input.
SideNames names_of(const ConversionOptions& options, const ChosenCorpus& corpus, PairForm form) {
  const bool are_languages = form == PairForm::kTmx;
  const SideNames names =
      are_languages ? SideNames{language_of(options.source_name, corpus.source, "--source-name"),
                                language_of(options.target_name, corpus.target, "--target-name")}
                    : SideNames{options.source_name.value_or(side_name(corpus.source)),
                                options.target_name.value_or(side_name(corpus.target))};
  if (names.source != names.target && !names.source.empty() && !names.target.empty()) return names;
  if (are_languages || options.source_name || options.target_name)
    throw_error(ErrorKind::kUsage,
                "source and target are called '{}' and '{}'; give two names by --source-name and "
                "--target-name",
                names.source, names.target);
  return {"source", "target"};
}

// Refuses -o a.de a.en of a corpus from English into German.
void refuse_swapped(const ConversionOptions& options, const ChosenCorpus& corpus) {
  if (options.outputs.size() != 2) return;
  const auto language = [](const std::string& file) {
    const std::string ending = without_compression(file).extension().string();
    return language_code(ending.empty() ? ending : ending.substr(1));
  };
  const std::string source = language_code(side_name(corpus.source)),
                    target = language_code(side_name(corpus.target));
  if (source.empty() || source == target || language(options.outputs[0]) != target ||
      language(options.outputs[1]) != source)
    return;
  throw_error(
      ErrorKind::kUsage,
      "-o {0} {1}: the corpus is from {2} into {3}, so the first file would get {2}; give -o "
      "{1} {0}",
      options.outputs[0], options.outputs[1], source, target);
}

// A kind of pairs, with the first of them.
struct CountedPairs {
  int64_t count = 0;
  std::string first{};
  void add(const std::string& place) {
    if (++count == 1) first = place;
  }
};

class Conversion {
 public:
  Conversion(const ChosenCorpus& corpus, PairWriter& writer)
      : readers_{TextReader(corpus.source), TextReader(corpus.target)},
        malformed_{{{corpus.source.path, corpus.source.name()},
                    {corpus.target.path, corpus.target.name()}}},
        writer_(writer) {}

  // False at the end.
  bool next() {
    const bool has_source = readers_[0].next(lines_[0]), has_target = readers_[1].next(lines_[1]);
    if (has_source != has_target) refuse_ends(has_source ? 0 : 1);
    if (!has_source) return false;
    if (is_usable()) write();
    return true;
  }

  // Logs the counts. Throws Error(kData) for another encoding than UTF-8.
  void finish() const {
    refuse_malformed({malformed_.begin(), malformed_.end()});
    warn(faulty_, "are left out");
    warn(joined_, "have line breaks inside of a text, which become spaces");
    warn(replaced_,
         "have characters that the new format cannot hold (tabs, control characters), which become "
         "spaces");
    if (written_ == 0)
      throw_error(ErrorKind::kData, "{} and {}: no pair to write", malformed_[0].name,
                  malformed_[1].name);
  }
  int64_t written() const { return written_; }

 private:
  [[noreturn]] void refuse_ends(size_t longer) const {
    throw_error(ErrorKind::kData,
                "{}: has more lines than {}, which has {}; line N of one must belong to line N of "
                "the other",
                malformed_[longer].name, malformed_[1 - longer].name,
                format_count(readers_[1 - longer].line_number()));
  }

  bool is_usable() {
    std::string fault;
    for (size_t side = 0; side < readers_.size(); ++side) {
      const LineNotes& notes = readers_[side].notes();
      const bool is_malformed = notes.malformed || !is_utf8(lines_[side]);
      malformed_[side].add(is_malformed);
      if (!fault.empty() || (notes.fault.empty() && !is_malformed)) continue;
      fault = fmt::format("{}: {}", readers_[side].place(),
                          is_malformed ? "malformed UTF-8" : notes.fault);
    }
    if (!fault.empty()) faulty_.add(fault);
    return fault.empty();
  }

  void write() {
    const std::string place = readers_[0].place();
    if (readers_[0].notes().joined || readers_[1].notes().joined) joined_.add(place);
    if (writer_.write(lines_[0], lines_[1])) replaced_.add(place);
    ++written_;
  }

  static void warn(const CountedPairs& pairs, const char* what) {
    if (pairs.count > 0)
      spdlog::warn("{} pairs {}; the first is {}", format_count(pairs.count), what, pairs.first);
  }

  std::array<TextReader, 2> readers_;
  std::array<std::string, 2> lines_;
  std::array<MalformedLines, 2> malformed_;
  PairWriter& writer_;
  CountedPairs faulty_, joined_, replaced_;
  int64_t written_ = 0;
};

void check_paths(const ConversionOptions& options, const ChosenCorpus& corpus) {
  std::vector<NamedFile> inputs{{"input", corpus.source.path}}, outputs;
  if (!corpus.is_table()) inputs.push_back({"input", corpus.target.path});
  for (const std::string& path : options.outputs) outputs.push_back({"-o", path});
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
  refuse_swapped(options, corpus);
}

}  // namespace

void convert_corpus(const ConversionOptions& options) {
  const PairForm form = form_of(options);
  const ChosenCorpus corpus = input_of(options);
  check_paths(options, corpus);
  const auto writer = make_pair_writer(form, options.outputs, names_of(options, corpus, form));
  Conversion conversion(corpus, *writer);
  std::optional<LineProgress> progress;
  if (stderr_is_terminal() && std::ranges::count(options.outputs, "-") == 0)
    progress.emplace("converted", std::nullopt);
  while (conversion.next())
    if (progress) progress->add(1);
  progress.reset();
  conversion.finish();
  writer->commit();
  spdlog::info("wrote {} pairs", format_count(conversion.written()));
}

}  // namespace heed
