#include "run/new_config.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/shell.h"
#include "config/print_text.h"
#include "data/corpus_survey.h"
#include "search/length_ratio.h"
#include "search/search_config.h"

namespace heed {

namespace {

// The settings that depend on the corpus.
struct SettingsChoice {
  bool words = false;   // few enough distinct words for a word vocabulary
  int64_t pieces = 0;   // else the vocabulary size in subwords
  bool shared = false;  // one vocabulary for both sides
  bool transformer = false;
  int64_t max_length = 0;
  bool truncates = false;       // longer texts, which are too many to leave out
  double max_length_ratio = 0;  // of search; 0: its default
  int64_t batch_tokens = 0;
  int64_t updates_an_epoch = 0;
  int64_t max_updates = 0;
  int64_t validate_every = 0;
  std::string metric = "bleu";  // with its options
};

// The corpora of a config.
struct Corpora {
  ChosenCorpus train;
  std::optional<ChosenCorpus> valid;
  std::vector<ChosenCorpus> test;
};

constexpr int64_t kFewWords = 2'000;
constexpr int64_t kEnoughForTransformer = 20'000;
constexpr double kPiecesAWord = 1.4;
constexpr int64_t kLongestText = 1'000;  // tokens; longer texts are cut to their beginning

int64_t round_up(double value, int64_t step) {
  return static_cast<int64_t>(std::ceil(value / static_cast<double>(step))) * step;
}

// Vocabulary size in pieces. The size of the corpus and the number of its distinct words limit it.
// It is larger than the number of characters, each of which is a piece.
int64_t choose_pieces(const CorpusSurvey& survey, bool shared) {
  const int64_t by_size = survey.pairs < 5'000       ? 2'000
                          : survey.pairs < 200'000   ? 8'000
                          : survey.pairs < 2'000'000 ? 16'000
                                                     : 32'000;
  const int64_t distinct =
      shared ? survey.distinct_words
             : std::min(survey.source.distinct_words, survey.target.distinct_words);
  const int64_t characters =
      shared ? survey.characters : std::max(survey.source.characters, survey.target.characters);
  const int64_t least = round_up(1.2 * static_cast<double>(characters), 100);
  return std::max(least, std::clamp(distinct / 2 / 100 * 100, int64_t{500}, by_size));
}

// Maximum length in tokens that leaves training enough pairs. The number of pieces is an estimate:
// at most the number of characters and the space before the first.
int64_t longest_text(const CorpusSurvey& survey, bool words) {
  const bool none_to_spare = 6 * survey.usable() < 5 * survey.pairs;
  const auto longest_of = [&](const SideSurvey& side) {
    return none_to_spare ? side.longest_length : side.long_length;
  };
  const auto longest =
      static_cast<double>(std::max(longest_of(survey.source), longest_of(survey.target)));
  if (words) return round_up(longest, 10);
  const int64_t most = 1 + (none_to_spare ? survey.most_characters : survey.usual_characters);
  return round_up(std::max(kPiecesAWord * longest, static_cast<double>(most)), 10);
}

// search.max_length_ratio with a quarter to spare; 0: the default is enough.
double search_ratio(const CorpusSurvey& survey) {
  const double ratio = round_up_length_ratio(1.25 * survey.length_ratio);
  return ratio > SearchConfig().max_length_ratio ? ratio : 0;
}

// True for few texts that occur again and again.
bool are_labels(const SideSurvey& side) {
  constexpr int64_t kRepeated = 20, kWords = 3;
  return side.distinct_lines * kRepeated <= side.surveyed_lines && side.long_length <= kWords;
}

// True for phones, letters and the like: few words, nearly all of them short.
bool are_symbols(const SideSurvey& side) {
  constexpr int64_t kFewSymbols = 300;
  constexpr double kNearlyAll = 0.95;
  return !side.unspaced && side.distinct_words <= kFewSymbols && side.short_words >= kNearlyAll;
}

std::string choose_metric(const SideSurvey& target) {
  if (are_labels(target)) return "exact";
  if (are_symbols(target)) return "wer";
  // Word BLEU needs spaces between words.
  if (!target.unspaced) return "bleu";
  return target.chinese ? "bleu, tokenize: zh" : "bleu, tokenize: char";
}

SettingsChoice choose(const CorpusSurvey& survey) {
  SettingsChoice choice;
  const auto has_few_words = [](const SideSurvey& side) {
    return side.distinct_words <= kFewWords && !side.unspaced;
  };
  choice.words = has_few_words(survey.source) && has_few_words(survey.target);
  choice.shared = !choice.words && survey.shared_letters > 0.9;
  choice.pieces = choose_pieces(survey, choice.shared);
  choice.transformer = survey.pairs >= kEnoughForTransformer;
  const double pieces_a_word = choice.words ? 1 : kPiecesAWord;
  const int64_t needed = longest_text(survey, choice.words);
  choice.truncates = needed > kLongestText;
  choice.max_length = std::clamp(needed, int64_t{20}, kLongestText);
  choice.max_length_ratio = search_ratio(survey);
  const double tokens = pieces_a_word * static_cast<double>(survey.target.words);
  choice.batch_tokens = tokens < 100'000 ? 1024 : tokens < 2'000'000 ? 2048 : 4096;
  const double counted =
      tokens + static_cast<double>(survey.pairs);  // the ends of sentences count too
  choice.updates_an_epoch =
      std::max<int64_t>(1, std::llround(counted / static_cast<double>(choice.batch_tokens)));
  const int64_t epochs = survey.pairs < 200'000 ? 30 : 10;
  choice.max_updates = std::clamp<int64_t>(
      round_up(static_cast<double>(epochs * choice.updates_an_epoch), 100), 1'000, 100'000);
  choice.metric = choose_metric(survey.target);
  choice.validate_every = std::clamp<int64_t>(choice.max_updates / 30 / 100 * 100, 100, 2'000);
  return choice;
}

// Path of a file as the config has to name it: relative to the config's folder, or absolute if the
// user gave an absolute path or the config is printed.
std::string from_config(const NewConfigOptions& options, const std::string& path) {
  if (options.output == "-" || fs::path(path).is_absolute()) {
    return print_text(fs::absolute(path).lexically_normal().string());
  }
  return print_text(fs::relative(path, fs::absolute(options.output).parent_path()).string());
}

// "test" of test.tsv and of test.en: the beginning of the file's name, in characters of a key.
std::string set_name(const ChosenCorpus& corpus) {
  std::string name = corpus.source.path.filename().string();
  name.resize(std::min(name.find('.', 1), name.size()));
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  return name;
}

std::string run_name(const ChosenCorpus& corpus) {
  const std::string source = side_name(corpus.source), target = side_name(corpus.target);
  const bool told_apart = !source.empty() && !target.empty() && source != target;
  return print_text("runs/" + (told_apart ? source + "-" + target : std::string("first")));
}

std::string describe(const CorpusSurvey& survey) {
  std::string text = fmt::format("# {} sentence pairs", format_count(survey.pairs));
  if (survey.empty > 0)
    text += fmt::format(", {} with an empty source or target", format_count(survey.empty));
  if (survey.malformed > 0) {
    text += fmt::format(", {} with malformed UTF-8", format_count(survey.malformed));
  }
  if (survey.bad_rows > 0)
    text += fmt::format(", {} without a column or key", format_count(survey.bad_rows));
  text += ".\n";
  const auto side = [&text](const char* name, const SideSurvey& s) {
    text += fmt::format(
        "# {}: {} words, {} distinct; words per line: median {}, 99.5 % have {} or fewer, maximum "
        "{}.\n",
        name, format_count(s.words), format_count(s.distinct_words), s.middle_length, s.long_length,
        s.longest_length);
  };
  side("Source", survey.source);
  side("Target", survey.target);
  return text;
}

// Name of a column or key in the config.
std::string view_key(const TextView& view) {
  const bool is_number = view.form == TextView::Form::kTsv && !view.has_header();
  return is_number ? view.key : print_text(view.key);
}

// The keys of a corpus, one per line. The first line begins with `first`, the others with `indent`.
std::string corpus_keys(const NewConfigOptions& options, const ChosenCorpus& corpus,
                        const std::string& first, const std::string& indent) {
  const auto& [source, target] = corpus;
  if (!corpus.is_table())
    return fmt::format("{}source: {}\n{}target: {}\n", first,
                       from_config(options, source.path.string()), indent,
                       from_config(options, target.path.string()));
  return fmt::format("{}{}: {}\n{}source: {}\n{}target: {}\n", first, source.view.form_name(),
                     from_config(options, source.path.string()), indent, view_key(source.view),
                     indent, view_key(target.view));
}

std::string test_section(const NewConfigOptions& options, const std::vector<ChosenCorpus>& sets) {
  if (sets.empty()) return "";
  std::string text = "  test:                      # test sets, scored once, after training\n";
  std::set<std::string> names;
  for (const ChosenCorpus& corpus : sets) {
    std::string name = set_name(corpus);
    for (size_t i = 2; !names.insert(name).second; ++i)
      name = fmt::format("{}_{}", set_name(corpus), i);
    text += fmt::format("    {}:\n{}", print_text(name),
                        corpus_keys(options, corpus, "      ", "      "));
  }
  return text;
}

std::string data_section(const NewConfigOptions& options, const Corpora& corpora,
                         const SettingsChoice& choice) {
  std::string text =
      "data:\n  # Further corpora are further items of this list; patterns such as train.*.en and "
      "compressed files are allowed.\n  train:\n" +
      corpus_keys(options, corpora.train, "    - ", "      ");
  if (corpora.valid) {
    text += "  valid:                     # validation set, never trained on\n" +
            corpus_keys(options, *corpora.valid, "    ", "    ");
  } else {
    text +=
        "  # A validation set is missing: `heed split` takes one out of the training data. Name it "
        "here:\n  # valid: {source: valid.SOURCE, target: valid.TARGET}\n";
  }
  text += test_section(options, corpora.test);
  if (choice.truncates)
    return text + fmt::format(
                      "  max_length: {:<14} # in tokens, of documents; the rest of a longer one is "
                      "cut off\n  too_long: truncate\n",
                      choice.max_length);
  return text +
         fmt::format("  max_length: {:<14} # in tokens; longer pairs are left out and counted\n",
                     choice.max_length);
}

std::string text_section(const SettingsChoice& choice) {
  if (choice.words) {
    return "text:                          # few distinct words: word vocabularies\n  source: "
           "{type: words}\n  target: {type: words}\n";
  }
  const std::string source =
      fmt::format("  source: {{type: sentencepiece, size: {}}}\n", choice.pieces);
  if (choice.shared) {
    return "text:                          # subwords, one joint vocabulary for source and "
           "target\n" +
           source + "  target: {share: source}\n";
  }
  return "text:                          # subwords, trained on the training data\n" + source +
         fmt::format("  target: {{type: sentencepiece, size: {}}}\n", choice.pieces);
}

std::string model_section(const SettingsChoice& choice) {
  const char* tie = choice.shared ? "all" : "target";
  if (choice.transformer) {
    return fmt::format(
        "model:                         # a small Transformer\n"
        "  embedding: {{width: 256, tie: {}}}\n"
        "  encoder:\n"
        "    type: transformer\n"
        "    layers: 4\n"
        "    width: 256\n"
        "    feed_forward: 1024\n"
        "    dropout: 0.1\n"
        "    self_attention: {{heads: 4}}\n"
        "  decoder:\n"
        "    type: transformer\n"
        "    layers: 4\n"
        "    width: 256\n"
        "    feed_forward: 1024\n"
        "    dropout: 0.1\n"
        "    self_attention: {{heads: 4}}\n"
        "    attention: {{heads: 4}}\n",
        tie);
  }
  return fmt::format(
      "model:                         # recurrent, attention as in Luong 2015: good on small "
      "corpora\n  embedding: {{width: 256, dropout: 0.2, tie: {}}}\n  encoder: {{type: rnn, "
      "cell: lstm, layers: 1, width: 256, dropout: 0.2}}\n  decoder:\n    type: rnn\n    cell: "
      "lstm\n    layers: 1\n    width: 256\n    dropout: 0.2\n    attend: after              # "
      "attention after the cell\n    input_feeding: true\n    output_activation: tanh\n    "
      "deep_output: false\n    attention: {{score: general}}\n",
      tie);
}

std::string train_section(const Corpora& corpora, const SettingsChoice& choice) {
  const int64_t warmup = std::clamp<int64_t>(choice.max_updates / 20, 50, 4'000);
  std::string text = fmt::format(
      "train:\n  batch: {{tokens: {}}}        # per batch, including padding; fewer if memory runs "
      "out\n  optimizer: {{type: adam, rate: 0.001}}   # rate: the learning rate\n  schedule: "
      "{{type: inverse_sqrt, warmup: {}}}\n  label_smoothing: 0.1\n  max_updates: {:<12} # an "
      "epoch is about {} updates\n",
      choice.batch_tokens, warmup, choice.max_updates, format_count(choice.updates_an_epoch));
  if (corpora.valid) {
    text += fmt::format(
        "  validate: {{every: {}, metric: {}, patience: 6}}   # early stopping after 6 without "
        "improvement\n",
        choice.validate_every, choice.metric);
  } else {
    text += fmt::format("  save_every: {}\n", choice.validate_every);
  }
  return text;
}

std::string search_section(const SettingsChoice& choice) {
  if (choice.max_length_ratio == 0) return "";
  return fmt::format(
      "\nsearch:                        # targets are long: this number of tokens for each of the "
      "source\n  max_length_ratio: {:.4g}\n",
      choice.max_length_ratio);
}

// Expected quality for this number of sentence pairs; "" for labels and symbols.
std::string outlook(const CorpusSurvey& survey) {
  constexpr int64_t kFew = 5'000, kSome = 50'000, kMany = 500'000;
  if (are_labels(survey.target) || are_symbols(survey.target)) return "";
  const int64_t pairs = survey.usable();
  if (pairs < kFew) return "correct translations of frequent words and very short sentences only";
  if (pairs < kSome)
    return "good translations of short sentences like these, errors in rare words and long "
           "sentences";
  return pairs < kMany
             ? "good translations of text like this, errors in rare words and other domains"
             : "";
}

constexpr const char* kHelps =
    "More pairs help, of other domains too; so does a model to start from: init.model";

std::string outlook_lines(const CorpusSurvey& survey) {
  const std::string text = outlook(survey);
  return text.empty() ? "" : fmt::format("# Expect {}.\n# {}.\n", text, kHelps);
}

std::string write(const NewConfigOptions& options, const Corpora& corpora,
                  const CorpusSurvey& survey) {
  const SettingsChoice choice = choose(survey);
  const std::string file = options.output == "-" ? "FILE" : shell_word(options.output);
  return fmt::format("# heed train {}\n#\n", file) + describe(survey) + outlook_lines(survey) +
         "# Every key: docs/config.md, or `heed config explain KEY`.\n\n" +
         fmt::format("run: {}\nseed: 1\n\n", run_name(corpora.train)) +
         data_section(options, corpora, choice) + "\n" + text_section(choice) + "\n" +
         model_section(choice) + "\n" + train_section(corpora, choice) + search_section(choice);
}

constexpr const char* kCommand = "heed config new";

std::optional<ChosenCorpus> choose_valid(const NewConfigOptions& options,
                                         const ChosenCorpus& train) {
  if (options.valid)
    return ChosenCorpus{{*options.valid, train.source.view}, {*options.valid, train.target.view}};
  if (options.valid_source) return ChosenCorpus{{*options.valid_source}, {*options.valid_target}};
  return std::nullopt;
}

std::vector<ChosenCorpus> choose_test(const NewConfigOptions& options, const ChosenCorpus& train) {
  std::vector<ChosenCorpus> sets;
  const std::vector<std::string>& files = options.test;
  if (options.corpus.file) {
    for (const std::string& file : files)
      sets.push_back({{file, train.source.view}, {file, train.target.view}});
  } else {
    for (size_t i = 0; i + 1 < files.size(); i += 2) sets.push_back({{files[i]}, {files[i + 1]}});
  }
  return sets;
}

void check_options(const NewConfigOptions& options) {
  if (options.valid_source.has_value() != options.valid_target.has_value()) {
    throw Error(ErrorKind::kUsage,
                "--valid-source and --valid-target go together: give both or neither");
  }
  if (options.corpus.file && options.valid_source)
    throw_error(ErrorKind::kUsage,
                "--valid-source: {} holds both sides, so the validation set is one file as well: "
                "--valid FILE",
                *options.corpus.file);
  if (options.valid && !options.corpus.file)
    throw Error(ErrorKind::kUsage,
                "--valid: of two files, the validation set is two as well: --valid-source and "
                "--valid-target");
  if (!options.corpus.file && options.test.size() % 2 != 0)
    throw_error(ErrorKind::kUsage,
                "--test: found {} file{}, expected pairs of a source and a target file",
                options.test.size(), options.test.size() == 1 ? "" : "s");
  if (options.output != "-" && is_plain_file(options.output)) {
    throw_error(ErrorKind::kUsage, "{}: already exists; name another file, or remove it first",
                options.output);
  }
}

// A validation or test set is read whole.
void check_set(const ChosenCorpus& set) {
  const CorpusSurvey survey = survey_corpus(set.source, set.target);
  if (survey.bad_rows > 0)
    throw_error(ErrorKind::kData, "{}; correct it: of validation and test sets no row is left out",
                survey.first_bad_row);
}

void tell(const CorpusSurvey& survey) {
  if (survey.bad_rows > 0)
    spdlog::warn("{}; such rows are left out, {} of {}", survey.first_bad_row,
                 format_count(survey.bad_rows), format_count(survey.pairs));
  if (survey.joined > 0)
    spdlog::warn("{} pairs have line breaks inside of a text, which are read as spaces",
                 format_count(survey.joined));
  const std::string expected = outlook(survey);
  if (!expected.empty())
    spdlog::info("{} pairs: expect {}. {}", format_count(survey.usable()), expected, kHelps);
}

}  // namespace

void write_new_config(const NewConfigOptions& options) {
  check_options(options);
  const ChosenCorpus train = choose_corpus(options.corpus, kCommand);
  const Corpora corpora{train, choose_valid(options, train), choose_test(options, train)};
  const CorpusSurvey survey = survey_corpus(train.source, train.target);
  if (corpora.valid) check_set(*corpora.valid);
  for (const ChosenCorpus& set : corpora.test) check_set(set);
  tell(survey);
  AtomicFile out(options.output);
  out.write(write(options, corpora, survey));
  out.commit();
  if (options.output != "-") {
    spdlog::info("wrote {}; read it, then: heed train {}", options.output,
                 shell_word(options.output));
  }
}

}  // namespace heed
