#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

namespace {

// The whole text is one number, written as the config demands it: no sign +, no leading zeros.
template <class Number>
bool parse(const std::string& text, Number& value) {
  const size_t digits = text.starts_with('-') ? 1 : 0;
  if (text.size() > digits + 1 && text[digits] == '0' && text[digits + 1] != '.') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

CLI::Validator whole_number(int64_t low, int64_t high) {
  const std::string expected = high == std::numeric_limits<int64_t>::max()
                                   ? fmt::format("a whole number of at least {}", low)
                                   : fmt::format("a whole number from {} to {}", low, high);
  return CLI::Validator(
      [=](std::string& text) {
        int64_t value = 0;
        if (parse(text, value) && value >= low && value <= high) return std::string();
        return fmt::format("found '{}', expected {}", text, expected);
      },
      "");
}

CLI::Validator whole_number(const IntRange& range) { return whole_number(range.low, range.high); }

CLI::Validator real_number(double low, double high) {
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        if (parse(text, value) && value >= low && value <= high) return std::string();
        return fmt::format("found '{}', expected a number from {} to {}", text, low, high);
      },
      "");
}

// CLI11 reads brackets wherever it takes any number of values without a bound, so they have one.
constexpr int kMostValues = 1 << 20;

CLI::Option* add_list(CLI::App& command, const char* names, std::vector<std::string>& values,
                      const char* help) {
  return command.add_option(names, values, help)->expected(1, kMostValues)->allow_extra_args(false);
}

CLI::Option* add_positionals(CLI::App& command, const char* name, std::vector<std::string>& values,
                             const char* help) {
  // A positional takes values up to its minimum, which nothing else asks for where all are taken.
  return command.add_option(name, values, help)
      ->expected(kMostValues, -1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_repeated(CLI::App& command, const char* names, std::vector<std::string>& values,
                          const char* help) {
  return command.add_option(names, values, help)->allow_extra_args(false)->type_name("");
}

namespace {

// What is wrong with --set search.KEY=VALUE where the command has an option for the key and it was
// given too, or "".
std::string given_twice(const CLI::App& command, const std::string& setting) {
  const std::string prefix = "search.";
  if (!setting.starts_with(prefix)) return "";
  std::string option = "--" + setting.substr(prefix.size(), setting.find('=') - prefix.size());
  std::ranges::replace(option, '_', '-');
  if (option.starts_with("--max-length-")) option = "--max-length";  // -ratio, -extra
  const CLI::Option* other = command.get_option_no_throw(option);
  if (other == nullptr || other->count() == 0) return "";
  return fmt::format("{} is given beside {}; leave one of them out", setting, option);
}

}  // namespace

void add_search_set(CLI::App& command, std::vector<std::string>& set) {
  add_repeated(command, "--set", set,
               "search.KEY=VALUE instead of the value in the model's config; repeatable")
      ->type_name("KEY=VALUE")
      ->check(CLI::Validator(
          [&command](std::string& setting) { return given_twice(command, setting); }, ""));
}

void group_options(CLI::App& command) {
  static const std::string kNoGroup = CLI::OptionDefaults().get_group();
  static const std::map<std::string, std::string> groups = {{"input", kInputGroup},
                                                            {"source", kInputGroup},
                                                            {"target", kInputGroup},
                                                            {"reference", kInputGroup},
                                                            {"tag", kInputGroup},
                                                            {"line", kInputGroup},
                                                            {"model", kInputGroup},
                                                            {"baseline", kInputGroup},
                                                            {"set", "Search"},
                                                            {"beam", "Search"},
                                                            {"length-penalty", "Search"},
                                                            {"coverage-penalty", "Search"},
                                                            {"min-length", "Search"},
                                                            {"max-length", "Search"},
                                                            {"nbest", "Search"},
                                                            {"no-repeat-ngram", "Search"},
                                                            {"replace-unknown", "Search"},
                                                            {"metric", "Metrics"},
                                                            {"tokenize", "Metrics"},
                                                            {"lowercase", "Metrics"},
                                                            {"smooth", "Metrics"},
                                                            {"smooth-value", "Metrics"},
                                                            {"effective-order", "Metrics"},
                                                            {"stem", "Metrics"},
                                                            {"sentence-break", "Metrics"},
                                                            {"output", "Output"},
                                                            {"interactive", "Output"},
                                                            {"attention", "Output"},
                                                            {"alignments", "Output"},
                                                            {"format", "Output"},
                                                            {"digits", "Output"},
                                                            {"svg", "Output"},
                                                            {"html", "Output"},
                                                            {"words", "Output"},
                                                            {"layer", "Output"},
                                                            {"head", "Output"},
                                                            {"batch", "Speed"},
                                                            {"workers", "Speed"},
                                                            {"device", "Speed"}};
  constexpr size_t kFew = 8;
  for (CLI::App* sub : command.get_subcommands(nullptr)) group_options(*sub);
  if (command.get_options().size() <= kFew) return;
  for (CLI::Option* option : command.get_options(nullptr)) {
    if (option->get_lnames().empty() || option->get_group() != kNoGroup) continue;
    const auto found = groups.find(option->get_lnames().front());
    if (found != groups.end()) option->group(found->second);
  }
}

void refuse_empty_names(CLI::App& command) {
  const auto is_empty = [](const std::string& value) {
    return std::string(value.empty() ? "found '', expected a name" : "");
  };
  for (CLI::App* sub : command.get_subcommands(nullptr)) refuse_empty_names(*sub);
  for (CLI::Option* option : command.get_options(nullptr)) {
    const std::string type = option->get_type_name();
    if (type.ends_with("FILE") || type == "FOLDER" || type == "MODEL")
      option->check(CLI::Validator(is_empty, ""));
  }
}

CLI::Option* add_tag(CLI::App& command, std::optional<std::string>& tag) {
  return command
      .add_option("--tag", tag,
                  "Tag of all lines, such as the target language, for a model with tags")
      ->type_name("NAME");
}

void add_device(CLI::App& command, std::string& device) {
  command
      .add_option("--device", device, "auto, cpu or cuda:N; auto uses a GPU if there is one (auto)")
      ->type_name("DEVICE");
}

void add_search_options(CLI::App& command, SearchOptions& search, const SearchHelp& help) {
  add_search_set(command, search.set);
  command.add_option("--beam", search.beam, "Beam size; 1 is greedy search (the model's, else 5)")
      ->type_name("N")
      ->check(whole_number(kBeams));
  command
      .add_option("--length-penalty", search.length_penalty,
                  "α of GNMT's length penalty; 0 turns it off (the model's, else 1.0)")
      ->type_name("ALPHA")
      ->check(real_number(0, 100));
  command
      .add_option("--coverage-penalty", search.coverage_penalty,
                  fmt::format("β of GNMT's coverage penalty; 0 turns it off (the model's, else {})",
                              help.coverage_penalty))
      ->type_name("BETA")
      ->check(real_number(kWeights.low, kWeights.high));
  command
      .add_option("--min-length", search.min_length,
                  fmt::format("Minimum length of a {} in tokens (the model's, else {})",
                              help.result, help.min_length))
      ->type_name("N")
      ->check(whole_number(kLengthsOrNone));
  command
      .add_option("--max-length", search.max_length,
                  fmt::format("Maximum length of a {} in tokens (the model's, else {})",
                              help.result, help.max_length))
      ->type_name("N")
      ->check(whole_number(kLengths));
  command
      .add_option(
          "--no-repeat-ngram", search.no_repeat_ngram,
          fmt::format(
              "No n-gram of N tokens occurs twice in a {}; 0 turns it off (the model's, else {})",
              help.result, help.no_repeat_ngram))
      ->type_name("N")
      ->check(whole_number(kLengthsOrNone));
  command.add_option("--batch", search.batch, "Batch size in lines (64)")
      ->type_name("N")
      ->check(whole_number(kSentences));
  command
      .add_option("--workers", search.workers,
                  "Decoding threads, each with its own batch (one for each core)")
      ->type_name("N")
      ->check(whole_number(kThreads));
  add_device(command, search.device);
}

}  // namespace heed
