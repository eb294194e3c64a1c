// Search options mean the same in every command that searches.
#include <gmock/gmock.h>

#include "base/utf8.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

struct Row {
  const char* name;
  Arguments options;
  bool changes_text = true;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

// An undertrained model with a vocabulary of eight of the ten words, on lines longer than those of
// training. Its probabilities are flat, so its output depends on the search options.
class SearchOptionsOfCommands : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() {
    static const ToyWorkshop unsure;
    static const Outcome training =
        unsure.run({"train", "toy.yaml", "--set", "text.source.vocabulary.max_size=8", "--set",
                    "train.max_updates=80", "--set", "train.validate.metric=loss", "--set",
                    "train.precision=fp32"});
    EXPECT_EQ(training.exit_code, 0) << training.err;
    std::string source;
    for (const std::string& line : lines_of(toy_lines(3, 12))) source += line + " " + line + "\n";
    write_plainly(unsure / "long.src", source);
    return unsure;
  }
  static std::string out_of(const Arguments& command, const Arguments& options) {
    const Outcome outcome = workshop().run(joined(command, options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  static std::string translation(const Arguments& options) {
    return out_of({"translate", "runs/toy", "-i", "long.src"}, options);
  }
  // Translation with the settings of the run.
  static const std::string& usual_translation() {
    static const std::string usual = translation({});
    return usual;
  }
  // Number of the first line, from 1, whose translation differs.
  static size_t differing_line(const std::string& some, const std::string& other) {
    const std::vector<std::string> a = lines_of(some), b = lines_of(other);
    const auto differs = std::mismatch(a.begin(), a.end(), b.begin()).first;
    return differs == a.end() ? 1 : static_cast<size_t>(differs - a.begin()) + 1;
  }
};

// Options that make translate use the defaults of summarize, unless `options` sets them.
Arguments defaults_of_summarize(const Arguments& options) {
  const auto is_asked = [&](const std::string& option) {
    const std::string name = option.substr(0, std::string("--max-length").size());
    return std::any_of(options.begin(), options.end(), [&](const std::string& given) {
      return given == option || (name == "--max-length" && given.starts_with(name));
    });
  };
  Arguments defaults;
  for (const auto& [option, value] : {std::pair{"--coverage-penalty", "0.01"},
                                      {"--min-length", "3"},
                                      {"--max-length-ratio", "0.5"},
                                      {"--max-length-extra", "20"},
                                      {"--no-repeat-ngram", "3"}})
    if (!is_asked(option)) defaults.insert(defaults.end(), {option, value});
  return defaults;
}

TEST(OptionsOfSearch, WithoutEffectAreRefused) {
  SKIP_WITHOUT_TENSORS();
  const auto refused = [](const Arguments& options, const std::string& message) {
    EXPECT_FAILS(ToyWorkshop::trained().run(joined({"translate", "runs/toy"}, options), "a b c\n"),
                 2, message);
  };
  refused({"--diversity-strength", "2"}, "--diversity-strength needs --diversity-groups 2 or more");
  refused({"--length-normalization", "plain", "--length-penalty", "0"},
          "--length-normalization needs a --length-penalty above 0");
  refused({"--min-length", "8", "--max-length-ratio", "0", "--max-length-extra", "3"},
          "--min-length 8 is more than --max-length-extra 3");
}

TEST_P(SearchOptionsOfCommands, MeanTheSame) {
  const auto& [name, options, changes_text] = GetParam();
  const std::string &usual = usual_translation(), found = translation(options);
  EXPECT_EQ(found != usual, changes_text) << found;
  write_plainly(workshop() / "usual", usual);
  write_plainly(workshop() / "found", found);

  EXPECT_EQ(out_of({"summarize", "runs/toy", "-i", "long.src"}, options),
            translation(joined(defaults_of_summarize(options), options)));

  const Arguments evaluate{"evaluate", "-r", "long.src", "-m", "bleu", "exact", "--digits", "4"};
  EXPECT_EQ(out_of(evaluate, joined({"--model", "runs/toy", "-s", "long.src"}, options)),
            out_of(evaluate, {"-i", "found"}));

  if (options[0] == "--batch" || options[0] == "--workers") return;  // plots show one sentence
  const Arguments plot{"plot",
                       "attention",
                       "runs/toy",
                       "-i",
                       "long.src",
                       "--line",
                       std::to_string(differing_line(usual, found))};
  const std::string drawn = out_of(plot, options);
  const Arguments reading = options[0] == "--max-source-length" ? options : Arguments();
  EXPECT_EQ(drawn, out_of(plot, joined(reading, {"--target", "found"})));
  EXPECT_EQ(drawn != out_of(plot, {"--target", "usual"}), changes_text);
}

INSTANTIATE_TEST_SUITE_P(
    All, SearchOptionsOfCommands,
    testing::Values(
        Row{"beam", {"--beam", "1"}},                      //
        Row{"length_penalty", {"--length-penalty", "8"}},  //
        Row{"length_normalization", {"--length-normalization", "plain"}},
        Row{"diversity_groups", {"--diversity-groups", "5"}},
        Row{"diversity_strength", {"--diversity-strength", "0", "--diversity-groups", "5"}},
        Row{"coverage_penalty", {"--coverage-penalty", "9"}},  //
        Row{"min_length", {"--min-length", "12"}},
        Row{"max_length_ratio", {"--max-length-ratio", "0", "--max-length-extra", "3"}},
        Row{"max_source_length", {"--max-source-length", "2"}},
        Row{"patience", {"--patience", "0.2"}}, Row{"allow_unknown", {"--allow-unknown", "false"}},
        Row{"no_repeat_ngram", {"--no-repeat-ngram", "1"}},
        Row{"repetition_penalty", {"--repetition-penalty", "6"}},
        Row{"min_new_tokens", {"--min-new-tokens", "12"}},
        Row{"suppress_tokens", {"--suppress-tokens", "e", "--suppress-tokens", "f"}},
        Row{"begin_suppress_tokens", {"--begin-suppress-tokens", "a"}},
        Row{"max_length", {"--max-length", "3"}}, Row{"set", {"--set", "search.beam=1"}},       //
        Row{"distinct", {"--distinct", "true"}, false}, Row{"batch", {"--batch", "1"}, false},  //
        Row{"workers", {"--workers", "2"}, false},                                              //
        Row{"device", {"--device", "cpu"}, false}),
    [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace heed
