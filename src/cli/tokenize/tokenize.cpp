#include <unistd.h>

#include <charconv>

#include "base/error.h"
#include "base/file.h"
#include "base/line_progress.h"
#include "base/line_warnings.h"
#include "base/log.h"
#include "base/same_file.h"
#include "base/suggest.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "cli/tokenizer_path.h"

namespace heed {

namespace {

struct TokenizeOptions {
  std::string path;
  std::string input = "-", output = "-";
  std::optional<std::string> side;
  bool ids = false, decode = false, words = false;
};

// The side that was named, or the one there is.
const Codec& choose_codec(const Codecs& codecs, const TokenizeOptions& options) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : codecs) names.push_back(name);
  if (options.side) {
    const auto found = codecs.find(*options.side);
    if (found != codecs.end()) return *found->second;
    throw_error(ErrorKind::kUsage, "--side {}: {} has {}{}", *options.side, options.path,
                fmt::join(names, ", "), did_you_mean(*options.side, names));
  }
  for (const auto& [name, codec] : codecs) {
    if (codec == codecs.begin()->second) continue;
    throw_error(ErrorKind::kUsage, "{}: has a tokenizer each for {}; name one by --side",
                options.path, fmt::join(names, ", "));
  }
  return *codecs.begin()->second;
}

std::vector<std::string> words_between_spaces(std::string_view line) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < line.size();) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) words.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Throws Error(kData).
Ids parse_ids(const std::string& line, const Codec& codec, const std::string& place) {
  Ids ids;
  for (const std::string& word : words_between_spaces(line)) {
    int32_t id = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size() || id < 0 ||
        id >= codec.vocabulary().size())
      throw_error(ErrorKind::kData, "{}: found '{}', expected an id from 0 to {}", place, word,
                  codec.vocabulary().size() - 1);
    ids.push_back(id);
  }
  return ids;
}

std::string place_of(const TokenizeOptions& options, int64_t line) {
  return options.input == "-" ? fmt::format("standard input, line {}", line)
                              : fmt::format("{}:{}", options.input, line);
}

// The tokens of a line that is to be joined, as they are written; warns of special ones, which are not.
std::vector<std::string> written_tokens(const std::string& line, const Codec& codec,
                                        const TokenizeOptions& options, int64_t number,
                                        LineWarnings& warnings) {
  std::vector<std::string> written, left_out;
  const auto take = [&](const std::string& token, bool is_written) {
    (is_written ? written : left_out).push_back(token);
  };
  if (options.ids) {
    for (const int32_t id : parse_ids(line, codec, place_of(options, number)))
      take(codec.vocabulary().piece(id), !codec.pieces({id}).empty());
  } else {
    for (const std::string& token : words_between_spaces(line))
      take(token, !is_special_piece(token) || !codec.decode({token}).empty());
  }
  if (!left_out.empty())
    warnings.add("special tokens, left out of the text", number,
                 fmt::format("{}", fmt::join(left_out, " ")));
  return written;
}

std::string join_tokens(const std::string& line, const Codec& codec, const TokenizeOptions& options,
                        int64_t number, LineWarnings& warnings) {
  bool separated = false;
  std::string text =
      codec.decode(written_tokens(line, codec, options, number, warnings), separated);
  if (separated) warnings.add("line separators in the text, written as spaces", number, "");
  return text;
}

std::string convert(const std::string& line, const Codec& codec, const TokenizeOptions& options) {
  if (options.words) return fmt::format("{}", fmt::join(codec.tokenizer().words(line), " "));
  if (options.ids) return fmt::format("{}", fmt::join(codec.encode(line), " "));
  std::vector<std::string> pieces;
  codec.encode(line, &pieces);
  return fmt::format("{}", fmt::join(pieces, " "));
}

int run_tokenize(const TokenizeOptions& options) {
  refuse_same_files({{"-i", options.input}}, {{"-o", options.output}});
  refuse_outputs_in_runs({{"-o", options.output}});
  const Codecs codecs = load_tokenizers(options.path);
  const Codec& codec = choose_codec(codecs, options);
  LineReader reader(options.input);
  AtomicFile out(options.output);
  LineWarnings warnings;
  const bool from_terminal = options.input == "-" && isatty(STDIN_FILENO) == 1;
  std::optional<LineProgress> progress;
  if (stderr_is_terminal() && options.output != "-")
    progress.emplace(options.decode ? "joined" : "tokenized", std::nullopt);
  for (std::string line; reader.next(line);) {
    const int64_t number = reader.line_number();
    const std::string text = well_formed(line, number, &warnings);
    out.write((options.decode ? join_tokens(text, codec, options, number, warnings)
                              : convert(text, codec, options)) +
              "\n");
    if (from_terminal) out.flush();
    if (progress) progress->add(1);
  }
  out.commit();
  warnings.log();
  return 0;
}

}  // namespace

void add_tokenize(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "tokenize", "Split text into the tokens of a model or of `heed vocab`, or join them");
  auto options = std::make_shared<TokenizeOptions>();
  command->add_option("TOKENIZER", options->path, kTokenizerHelp)->required()->type_name("");
  command->add_option("-i,--input", options->input, "Text, plain or compressed (standard input)")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "Output file, instead of standard output")
      ->type_name("FILE");
  command
      ->add_option("--side", options->side,
                   "source, target or the name of a source, where their tokenizers differ")
      ->type_name("NAME");
  auto* ids = command->add_flag("--ids", options->ids,
                                "Write numbers in place of tokens; read them to join");
  auto* decode = command->add_flag("--decode", options->decode, "Join tokens to text");
  command
      ->add_flag("--words", options->words,
                 "Write the words that alignments, labels of words and edges count, with a space "
                 "between two")
      ->excludes(ids)
      ->excludes(decode);
  command->callback([&chosen, options] { chosen = [options] { return run_tokenize(*options); }; });
}

}  // namespace heed
