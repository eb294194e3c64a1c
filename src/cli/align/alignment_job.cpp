#include "cli/align/alignment_job.h"

#include <algorithm>
#include <deque>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/line_progress.h"
#include "base/line_warnings.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/run_folder_names.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "base/word_pair.h"
#include "clean/corpus_lines.h"
#include "cli/align/side_words.h"
#include "cli/tokenizer_path.h"
#include "metric/alignment_error_rate.h"
#include "text/text_folder.h"
#include "translate/alignment.h"
#include "translate/workers.h"

namespace heed {

namespace {

using Splitters = std::array<SideSplitter, 2>;
using Sides = std::array<SideWords, 2>;

// Source and target codec of a tokenizer's path.
std::array<std::shared_ptr<const Codec>, 2> codecs_of(const std::string& path) {
  const Codecs codecs = load_tokenizers(path);
  std::shared_ptr<const Codec> source, target;
  for (const auto& [name, codec] : codecs) {
    if (name == kTargetSide) {
      target = codec;
    } else if (source) {
      throw_error(ErrorKind::kUsage,
                  "--tokenizer {}: has several sources; align the output of `heed tokenize --words "
                  "--side NAME` without --tokenizer",
                  path);
    } else {
      source = codec;
    }
  }
  if (!source) source = target;
  if (!target) target = source;
  return {source, target};
}

// Reads the pairs of a corpus as words.
class CorpusPairReader {
 public:
  CorpusPairReader(const CorpusLines& lines, const Splitters& splitters, LineWarnings* warnings)
      : reader_(lines), splitters_(splitters), warnings_(warnings) {}

  // The lines of the next pair; without text for a row that has a fault.
  bool next(RawPair& pair) {
    if (!reader_.next(pair)) return false;
    if (!pair.fault.empty()) {
      if (warnings_)
        warnings_->add("rows without both texts, not aligned", reader_.line_number(), pair.fault);
      pair.sides = {};
    }
    for (std::string& side : pair.sides) side = well_formed(side, reader_.line_number(), warnings_);
    return true;
  }
  Sides split(const RawPair& pair) const {
    return {splitters_[0].split(pair.sides[0]), splitters_[1].split(pair.sides[1])};
  }
  std::array<int64_t, 2> count_words(const RawPair& pair) const {
    return {splitters_[0].count_words(pair.sides[0]), splitters_[1].count_words(pair.sides[1])};
  }
  int64_t line_number() const { return reader_.line_number(); }

 private:
  CorpusLines::Reader reader_;
  const Splitters& splitters_;
  LineWarnings* warnings_;
};

AlignedUnits survey_units(const CorpusLines& lines, const AlignmentOptions& options) {
  AlignedUnits text{options.tokenizer.has_value(), options.cased};
  if (text.pieces) return text;
  std::array<WordUnitSurvey, 2> surveys;
  CorpusLines::Reader reader(lines);
  for (RawPair pair; reader.next(pair);)
    for (size_t side = 0; side < surveys.size(); ++side) surveys[side].add(pair.sides[side]);
  for (size_t side = 0; side < surveys.size(); ++side) text.units[side] = surveys[side].unit();
  return text;
}

Splitters splitters_for(const AlignedUnits& text, const AlignmentOptions& options) {
  std::array<std::shared_ptr<const Codec>, 2> codecs;
  if (options.tokenizer) codecs = codecs_of(*options.tokenizer);
  const auto splitter = [&](size_t side) {
    return SideSplitter(codecs[side], text.units[side], text.cased);
  };
  return {splitter(0), splitter(1)};
}

AlignmentModel load(const AlignmentOptions& options) {
  AlignmentModel model = load_alignment_model(*options.load);
  if (model.text.pieces && !options.tokenizer)
    throw_error(ErrorKind::kUsage,
                "--load-model {}: aligns the pieces of a tokenizer; name it by --tokenizer",
                *options.load);
  if (!model.text.pieces && options.tokenizer)
    throw_error(ErrorKind::kUsage, "--tokenizer: --load-model {} aligns words, not pieces",
                *options.load);
  return model;
}

Workers workers_of(const AlignmentOptions& options) {
  return [count = options.workers](size_t size, const std::function<void(size_t)>& work) {
    run_in_workers(count, size, work);
  };
}

AlignmentModel train(const CorpusLines& lines, const AlignedUnits& text, const Splitters& splitters,
                     const AlignmentOptions& options) {
  AlignmentModel model;
  model.text = text;
  SentencePairs pairs;
  LineWarnings warnings;
  CorpusPairReader reader(lines, splitters, &warnings);
  int64_t usable = 0;
  for (RawPair raw; reader.next(raw);) {
    const Sides sides = reader.split(raw);
    std::vector<int32_t> source, target;
    const bool is_alignable = std::ranges::all_of(sides, [](const SideWords& side) {
      return !side.words.empty() && side.words.size() <= WordAligner::kLongest;
    });
    if (is_alignable) {
      for (const std::string& word : sides[0].words) source.push_back(model.sources.add(word));
      for (const std::string& word : sides[1].words) target.push_back(model.targets.add(word));
      ++usable;
    }
    pairs.add(source, target);
  }
  warnings.log();
  if (usable == 0)
    throw_error(ErrorKind::kData, "{}: has no pair of lines with words",
                lines.corpus().source.name());
  const auto iterations = options.aligner.diagonal_iterations + options.aligner.jump_iterations;
  LineProgress progress("trained on", iterations * std::ssize(pairs));
  const TrainingWatch watch{[&](int64_t count) { progress.add(count); },
                            [](const std::string& message) { spdlog::info("{}", message); }};
  model.aligner = std::make_unique<WordAligner>(pairs, model.sources.size(), model.targets.size(),
                                                options.aligner, workers_of(options), watch);
  spdlog::info("{} pairs of lines, {} pairs of words, {} of memory", format_count(usable),
               format_count(model.aligner->table().size()), format_bytes(resident_memory()));
  return model;
}

// The alignment of a line.
struct AlignedLine {
  RawPair raw{};
  int64_t number = 0;
  Links links{};
  std::array<Links, 2> directions{};
  std::string scores{};  // "" if the line has no alignment
  bool too_long = false;
};

void align_line(const AlignmentModel& model, const CorpusPairReader& reader, Symmetrization how,
                AlignedLine& line) {
  const Sides sides = reader.split(line.raw);
  std::vector<int32_t> source, target;
  for (const std::string& word : sides[0].words) source.push_back(model.sources.find(word));
  for (const std::string& word : sides[1].words) target.push_back(model.targets.find(word));
  const AlignedPair pair = model.aligner->align(source, target);
  line.links =
      word_links(symmetrize(pair.links[kForward], pair.links[kReverse], how), sides[0], sides[1]);
  for (const ModelDirection d : kDirections)
    line.directions[d] = word_links(pair.links[d], sides[0], sides[1]);
  line.too_long = std::max(source.size(), target.size()) > WordAligner::kLongest;
  line.scores =
      source.empty() || target.empty() || line.too_long
          ? ""
          : fmt::format("{:.4f}\t{:.4f}",
                        pair.log_likelihood[kForward] / static_cast<double>(target.size()),
                        pair.log_likelihood[kReverse] / static_cast<double>(source.size()));
}

std::string text_of(const Links& links) { return pharaoh(Alignment(links.begin(), links.end())); }

// Files of the results.
class AlignmentWriter {
 public:
  explicit AlignmentWriter(const AlignmentOptions& options) {
    add_lines(options.output, [](const AlignedLine& line) { return text_of(line.links); });
    add_lines(options.forward,
              [](const AlignedLine& line) { return text_of(line.directions[kForward]); });
    add_lines(options.reverse,
              [](const AlignedLine& line) { return text_of(line.directions[kReverse]); });
    add_lines(options.scores, [](const AlignedLine& line) { return line.scores; });
    if (options.lexicon) lexicon_.emplace(*options.lexicon);
    if (options.save) model_.emplace(*options.save);
  }
  void write(const AlignedLine& line) {
    for (auto& [file, text] : outputs_) file.write(text(line) + "\n");
  }
  // All files appear together.
  void commit(const AlignmentModel& model) {
    std::vector<AtomicFile*> files;
    for (auto& [file, text] : outputs_) files.push_back(&file);
    if (lexicon_) {
      write_lexicon(model, *lexicon_);
      files.push_back(&*lexicon_);
    }
    if (model_) {
      save_alignment_model(model, *model_);
      files.push_back(&*model_);
    }
    commit_all(files);
  }

 private:
  using Text = std::function<std::string(const AlignedLine&)>;
  struct Output {
    Output(const std::string& path, Text of) : file(path), text(std::move(of)) {}
    AtomicFile file;
    Text text;
  };
  void add_lines(const std::optional<std::string>& path, Text text) {
    if (path) outputs_.emplace_back(*path, std::move(text));
  }

  std::deque<Output> outputs_{};
  std::optional<AtomicFile> lexicon_{}, model_{};
};

// Compares the alignments of the first lines with a manual alignment.
class GoldAlignment {
 public:
  explicit GoldAlignment(const std::string& file) : file_(file) {
    LineReader reader(file);
    for (std::string line; reader.next(line);) {
      const std::string fault = metric_.fault_of(line, LineRole::kReference);
      if (!fault.empty())
        throw_error(ErrorKind::kData, "{}:{}: {}", file, reader.line_number(), fault);
      lines_.push_back(line);
    }
    if (lines_.empty()) throw_error(ErrorKind::kData, "{}: is empty", file);
  }
  // Throws Error(kData) for more lines than the text has, for a link outside of its sentence pair, and
  // for a file without links.
  void check(CorpusPairReader text) const {
    RawPair pair;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!text.next(pair))
        throw_error(ErrorKind::kData, "{}: has {} lines, but the text has {}", file_,
                    format_count(std::ssize(lines_)), format_count(static_cast<int64_t>(i)));
      check_links(i, text.count_words(pair));
    }
    const auto has_link = [](const std::string& line) { return !split_words(line).empty(); };
    if (std::ranges::none_of(lines_, has_link))
      throw_error(ErrorKind::kData,
                  "{}: has no link in {} lines, expected those of a manual alignment, such as  0-0 "
                  "1?2; give another file, or leave --gold out",
                  file_, format_count(std::ssize(lines_)));
  }
  void add(const Links& links) {
    if (statistics_.size() == lines_.size()) return;
    statistics_.push_back(metric_.statistics(text_of(links), {lines_[statistics_.size()]}));
  }
  std::string result() const {
    constexpr int kDigits = 2;
    return format_score(metric_, metric_.from_sum(sum_statistics(statistics_)), 1, kDigits);
  }

 private:
  void check_links(size_t line, const std::array<int64_t, 2>& words) const {
    for (const std::string& link : split_words(lines_[line])) {
      const auto pair = parse_word_pair(link, "-?p");
      if (!pair || (pair->first < words[0] && pair->second < words[1])) continue;
      throw_error(
          ErrorKind::kData,
          "{}:{}: the link {} is outside of the sentence pair, which has {} source words and "
          "{} target words, counted from 0; correct the line, or give the text that it "
          "belongs to",
          file_, line + 1, link, words[0], words[1]);
    }
  }

  std::string file_;
  AlignmentErrorRate metric_{};
  Lines lines_{};
  std::vector<Statistics> statistics_{};
};

void align_corpus(const AlignmentModel& model, const CorpusLines& lines, const Splitters& splitters,
                  const AlignmentOptions& options, GoldAlignment* gold) {
  constexpr size_t kBatch = 4096, kChunk = 64;
  AlignmentWriter writer(options);
  LineWarnings warnings;
  CorpusPairReader reader(lines, splitters, options.load ? &warnings : nullptr);
  LineProgress progress("aligned", std::nullopt);
  std::vector<AlignedLine> batch(kBatch);
  for (size_t size = kBatch; size == kBatch;) {
    for (size = 0; size < kBatch && reader.next(batch[size].raw); ++size)
      batch[size].number = reader.line_number();
    run_in_workers(options.workers, (size + kChunk - 1) / kChunk, [&](size_t chunk) {
      for (size_t i = chunk * kChunk; i < std::min(size, (chunk + 1) * kChunk); ++i)
        align_line(model, reader, options.symmetrization, batch[i]);
    });
    for (size_t i = 0; i < size; ++i) {
      writer.write(batch[i]);
      if (gold) gold->add(batch[i].links);
      if (batch[i].too_long)
        warnings.add(fmt::format("longer than {} words, not aligned", WordAligner::kLongest),
                     batch[i].number, "");
    }
    progress.add(static_cast<int64_t>(size));
  }
  warnings.log();
  const std::string result = gold ? gold->result() : "";
  writer.commit(model);
  if (!gold) return;
  if (options.output == "-") {
    spdlog::info("{}", result);
  } else {
    print_result(result + "\n");
  }
}

// The file of a SentencePiece model or a packed one, or the files of a folder of `heed vocab`. Those of runs
// and models are known to refuse_outputs_in_runs().
void add_tokenizer_files(const std::string& path, std::vector<NamedFile>& inputs) {
  const fs::path folder(path);
  if (is_plain_file(folder)) inputs.push_back({"--tokenizer", folder});
  if (!is_there(folder / kTextConfig)) return;
  const Codecs codecs = load_tokenizers(path);
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename();
    const bool is_read = name == kTextConfig || std::ranges::any_of(codecs, [&](const auto& codec) {
                           return name.starts_with(codec.first + ".");
                         });
    if (is_read) inputs.push_back({"--tokenizer", entry.path()});
  }
}

void check_paths(const AlignmentOptions& options, const ChosenCorpus& corpus) {
  std::vector<NamedFile> inputs{{"--source", corpus.source.path}}, outputs;
  if (!corpus.is_table()) inputs.push_back({"--target", corpus.target.path});
  if (options.load) inputs.push_back({"--load-model", *options.load});
  if (options.gold) inputs.push_back({"--gold", *options.gold});
  if (options.tokenizer) add_tokenizer_files(*options.tokenizer, inputs);
  outputs.push_back({"-o", options.output});
  for (const auto& [name, file] : {std::pair("--forward", &options.forward),
                                   {"--reverse", &options.reverse},
                                   {"--scores", &options.scores},
                                   {"--lexicon", &options.lexicon},
                                   {"--save-model", &options.save}}) {
    if (*file) outputs.push_back({name, **file});
  }
  for (const NamedFile& output : outputs) check_output_path(output.path);
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

}  // namespace

void run_alignment(const AlignmentOptions& options) {
  const ChosenCorpus corpus = choose_corpus(options.corpus, "heed align");
  check_paths(options, corpus);
  const auto advice = [] {
    return std::string(
        "the pairs of words of the text; align parts of it, or train on a part by "
        "--save-model and align the rest by --load-model");
  };
  with_memory_for(advice, [&] {
    const CorpusLines lines(corpus);
    std::optional<GoldAlignment> gold;
    if (options.gold) gold.emplace(*options.gold);
    std::optional<AlignmentModel> model;
    if (options.load) model = load(options);
    const AlignedUnits text = model ? model->text : survey_units(lines, options);
    const Splitters splitters = splitters_for(text, options);
    if (gold) gold->check(CorpusPairReader(lines, splitters, nullptr));
    if (!model) model = train(lines, text, splitters, options);
    align_corpus(*model, lines, splitters, options, gold ? &*gold : nullptr);
  });
}

}  // namespace heed
