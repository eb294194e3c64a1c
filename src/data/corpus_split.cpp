#include "data/corpus_split.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "base/compression/compressed_name.h"
#include "base/compression/stored_text.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "base/same_file.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "data/cleaning.h"
#include "data/held_out.h"
#include "data/text_reader.h"

namespace heed {

namespace {

constexpr std::array<const char*, 3> kPartNames{"train", "valid", "test"};  // by CorpusPart

// A file that is divided line by line.
struct DividedFile {
  fs::path path;
  std::string ending;  // of the new files: train.ENDING
  bool has_header = false;
};

fs::path new_path(const SplitOptions& options, const DividedFile& file, CorpusPart part) {
  return fs::path(options.output) /
         fmt::format("{}.{}", kPartNames[static_cast<size_t>(part)], file.ending);
}

// The ending of its name; of a file without one, or where two have the same, the whole name.
std::string new_ending(const fs::path& path, const std::vector<fs::path>& all) {
  const fs::path name = without_compression(path).filename();
  const std::string extension = name.extension().string();
  const auto same = std::ranges::count_if(all, [&](const fs::path& other) {
    return without_compression(other).extension() == extension;
  });
  return extension.size() > 1 && same == 1 ? extension.substr(1) : name.string();
}

std::vector<DividedFile> divided_files(const ChosenCorpus& corpus, const SplitOptions& options) {
  std::vector<fs::path> paths{corpus.source.path};
  if (!corpus.is_table()) paths.push_back(corpus.target.path);
  paths.insert(paths.end(), options.with.begin(), options.with.end());
  std::vector<DividedFile> files;
  for (const fs::path& path : paths)
    files.push_back(
        {path, new_ending(path, paths), files.empty() && corpus.source.view.has_header()});
  return files;
}

// The content of the corpus, by line.
struct CorpusContent {
  std::vector<SentenceGroups::Hashes> sides{2};  // of the usable pairs
  std::vector<bool> usable;                      // of each line
  CorpusCount count;
  std::string first_left_out{};             // its place
  std::vector<MalformedLines> malformed{};  // of each side
};

void check_ends(const std::vector<bool>& has, const std::deque<TextReader>& readers,
                const std::vector<TextFile>& files) {
  for (size_t i = 1; i < has.size(); ++i) {
    if (has[i] == has[0]) continue;
    const size_t longer = has[i] ? i : 0, shorter = has[i] ? 0 : i;
    throw_error(
        ErrorKind::kData,
        "{}: has more lines than {}, which has {}; line N of one must belong to line N of the "
        "other",
        files[longer].name(), files[shorter].name(), format_count(readers[shorter].line_number()));
  }
}

Verdict verdict_on(std::vector<std::string>& lines, const std::deque<TextReader>& readers) {
  for (size_t side = 0; side < lines.size(); ++side) {
    const LineNotes& notes = readers[side].notes();
    if (notes.malformed) return {.fault = LineFault::kMalformed, .side = side};
    if (!notes.fault.empty()) return {.fault = LineFault::kBadRow, .side = side};
  }
  return clean_lines(lines, Cleaning());
}

CorpusContent read_content(const ChosenCorpus& corpus, const SplitOptions& options) {
  std::vector<TextFile> files{corpus.source, corpus.target};
  for (const std::string& path : options.with) files.push_back({path});
  std::deque<TextReader> readers(files.begin(), files.end());
  CorpusContent content;
  for (const TextFile& side : {corpus.source, corpus.target})
    content.malformed.push_back({side.path, side.name()});
  std::vector<std::string> lines(2);
  for (std::string other;;) {
    std::vector<bool> has;
    for (size_t i = 0; i < files.size(); ++i)
      has.push_back(readers[i].next(i < lines.size() ? lines[i] : other));
    check_ends(has, readers, files);
    if (!has[0]) return content;
    ++content.count.pairs;
    for (size_t side = 0; side < lines.size(); ++side)
      content.malformed[side].add(readers[side].notes().malformed || !is_utf8(lines[side]));
    const Verdict verdict = verdict_on(lines, readers);
    const bool usable = verdict.fault == LineFault::kNone;
    content.usable.push_back(usable);
    if (!usable) {
      content.count.leave_out(verdict.fault);
      if (content.first_left_out.empty()) content.first_left_out = readers[verdict.side].place();
      continue;
    }
    ++content.count.kept;
    for (size_t side = 0; side < lines.size(); ++side)
      content.sides[side].push_back(SentenceGroups::hash(lines[side]));
  }
}

HeldOut wanted_of(const SplitOptions& options, const CorpusContent& content,
                  const std::string& name) {
  constexpr int64_t kUsual = 2'000, kTwentieth = 20;
  const int64_t pairs = content.count.kept;
  const int64_t usual = std::clamp<int64_t>(pairs / kTwentieth, 1, kUsual);
  const HeldOut wanted{options.valid.value_or(usual), options.test.value_or(usual)};
  if (wanted.valid == 0 && wanted.test == 0)
    throw_error(ErrorKind::kUsage, "{}: no pair of {} is to be held out; set --valid or --test",
                name, format_count(pairs));
  if (wanted.valid + wanted.test >= pairs)
    throw_error(
        ErrorKind::kUsage,
        "--valid {} and --test {}: {} has {} usable pairs, and some are to stay in training",
        format_count(wanted.valid), format_count(wanted.test), name, format_count(pairs));
  return wanted;
}

// Returns the part of each line; nullopt: it is left out.
using LineParts = std::vector<std::optional<CorpusPart>>;

LineParts parts_of_lines(const CorpusContent& content, const std::vector<CorpusPart>& parts) {
  LineParts lines;
  size_t next = 0;
  for (const bool usable : content.usable)
    lines.push_back(usable ? std::optional(parts[next++]) : std::nullopt);
  return lines;
}

using Outputs = std::map<CorpusPart, AtomicFile>;

void divide(const DividedFile& file, const LineParts& parts, Outputs& outputs) {
  LineReader reader(file.path);
  std::string line;
  if (file.has_header && reader.next(line))
    for (auto& [part, output] : outputs) output.write(line + "\n");
  size_t number = 0;
  for (; reader.next(line) && number < parts.size(); ++number) {
    if (parts[number]) outputs.at(*parts[number]).write(line + "\n");
  }
  if (number < parts.size() || reader.next(line))
    throw_error(ErrorKind::kData, "{}: was changed while it was read; start again",
                file.path.string());
}

// The parts that are asked for.
std::vector<CorpusPart> written_parts(const SplitOptions& options) {
  std::vector<CorpusPart> parts{CorpusPart::kTrain};
  if (options.valid != 0) parts.push_back(CorpusPart::kValid);
  if (options.test != 0) parts.push_back(CorpusPart::kTest);
  return parts;
}

void check_paths(const SplitOptions& options, const std::vector<DividedFile>& files) {
  std::vector<NamedFile> inputs, outputs;
  for (const DividedFile& file : files) {
    if (file.path == "-" || (is_there(file.path) && !is_stored_text(file.path)))
      throw_error(ErrorKind::kUsage, "{}: is read more than once, expected a file, not a pipe",
                  file.path.string());
    inputs.push_back({"input", file.path});
    for (const CorpusPart part : written_parts(options)) {
      outputs.push_back({"-o", new_path(options, file, part)});
      if (!options.force && is_there(outputs.back().path))
        throw_error(ErrorKind::kUsage,
                    "{}: already exists; name another folder, or replace it by "
                    "--force",
                    outputs.back().path.string());
    }
  }
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

void write_parts(const SplitOptions& options, const std::vector<DividedFile>& files,
                 const LineParts& parts) {
  make_folders(options.output);
  std::deque<Outputs> all;
  std::vector<AtomicFile*> written;
  for (const DividedFile& file : files) {
    Outputs& outputs = all.emplace_back();
    for (const CorpusPart part : written_parts(options))
      written.push_back(&outputs.try_emplace(part, new_path(options, file, part)).first->second);
    divide(file, parts, outputs);
  }
  commit_all(written);
}

int64_t count_of(const std::vector<CorpusPart>& parts, CorpusPart part) {
  return std::ranges::count(parts, part);
}

void tell_of_content(const CorpusContent& content, const SentenceGroups& groups) {
  if (content.first_left_out.empty()) {
    spdlog::info("{}", content.count.text());
  } else {
    spdlog::warn("{}; the first is {}", content.count.text(), content.first_left_out);
  }
  spdlog::info(
      "{} groups of pairs that have a source or a target sentence in common, the largest of {}",
      format_count(groups.count()), format_count(groups.largest()));
}

void warn_of_fewer(const char* name, int64_t wanted, int64_t found) {
  if (found == wanted) return;
  spdlog::warn("{}: {} pairs, not {}: no other group fits in without being divided", name,
               format_count(found), format_count(wanted));
}

std::string next_command(const SplitOptions& options, const ChosenCorpus& corpus,
                         const std::vector<DividedFile>& files) {
  const auto path = [&](size_t file, CorpusPart part) {
    return shell_word(new_path(options, files[file], part).string());
  };
  using enum CorpusPart;
  std::string command = "heed config new";
  if (corpus.is_table()) {
    command += fmt::format(" {} --source {} --target {}", path(0, kTrain),
                           shell_word(corpus.source.view.key), shell_word(corpus.target.view.key));
    if (options.valid != 0) command += fmt::format(" --valid {}", path(0, kValid));
    if (options.test != 0) command += fmt::format(" --test {}", path(0, kTest));
  } else {
    command += fmt::format(" --source {} --target {}", path(0, kTrain), path(1, kTrain));
    if (options.valid != 0)
      command +=
          fmt::format(" --valid-source {} --valid-target {}", path(0, kValid), path(1, kValid));
    if (options.test != 0) command += fmt::format(" --test {} {}", path(0, kTest), path(1, kTest));
  }
  return command + " -o FILE.yaml";
}

}  // namespace

void split_corpus(const SplitOptions& options) {
  const ChosenCorpus corpus = choose_corpus(options.corpus, "heed split");
  if (corpus.source.view.form == TextView::Form::kTmx)
    throw_error(
        ErrorKind::kUsage,
        "{0}: a translation memory has no lines to divide; convert it first: heed convert {1} "
        "--source {2} --target {3} -o {4}",
        corpus.source.path.string(), shell_word(corpus.source.path.string()),
        shell_word(corpus.source.view.key), shell_word(corpus.target.view.key),
        shell_word(new_name(corpus.source.path, ".tsv")));
  if (corpus.is_table() && !options.with.empty())
    throw Error(ErrorKind::kUsage, "--with: belongs to two files; of a table all columns go along");
  const std::vector<DividedFile> files = divided_files(corpus, options);
  check_paths(options, files);
  CorpusContent content = read_content(corpus, options);
  refuse_malformed(content.malformed);
  content.count.name = corpus.is_table()
                           ? corpus.source.path.string()
                           : fmt::format("{} + {}", corpus.source.name(), corpus.target.name());
  const HeldOut wanted = wanted_of(options, content, content.count.name);
  const SentenceGroups groups(content.sides);
  const std::vector<CorpusPart> parts = hold_out(groups, wanted, options.seed);
  tell_of_content(content, groups);
  const int64_t valid = count_of(parts, CorpusPart::kValid),
                test = count_of(parts, CorpusPart::kTest);
  warn_of_fewer("valid", wanted.valid, valid);
  warn_of_fewer("test", wanted.test, test);
  write_parts(options, files, parts_of_lines(content, parts));
  spdlog::info("{}: {} pairs in train, {} in valid, {} in test; next: {}", options.output,
               format_count(content.count.kept - valid - test), format_count(valid),
               format_count(test), next_command(options, corpus, files));
}

}  // namespace heed
