#include "cli/search_options.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/search_settings.h"
#include "config/scalars.h"
#include "config/sizes.h"

namespace heed {

namespace {

constexpr const char* kMaxLength = "--max-length";

std::string option_of(const std::string& key) {
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  return option;
}

// Message for --set search.KEY=VALUE together with an option for the same key; "" if there is none.
std::string given_twice(const CLI::App& command, const std::string& setting) {
  if (!setting.starts_with(kSearchPrefix)) return "";
  const size_t begin = kSearchPrefix.size();
  const std::string key = setting.substr(begin, setting.find('=') - begin);
  std::vector<std::string> options{option_of(key)};
  if (key.starts_with("max_length_")) options.emplace_back(kMaxLength);
  for (const std::string& option : options) {
    const CLI::Option* other = command.get_option_no_throw(option);
    if (other != nullptr && other->count() > 0)
      return fmt::format("{} is given beside {}; leave one of them out", setting, option);
  }
  return "";
}

std::string help_of(const std::string& meaning, const std::string& usual) {
  std::string help = fmt::format("{} (the model's, else {})", meaning, usual);
  const auto first = static_cast<unsigned char>(help.front());
  if (first < 0x80) help.front() = static_cast<char>(std::toupper(first));
  return help;
}

// Declares an option for each key.
class OptionFields final : public Fields {
 public:
  OptionFields(CLI::App& command, SearchOptions& search) : command_(command), search_(search) {}

 protected:
  void on_scalar(const char* name, const ScalarField& field, const char* help) override {
    command_
        .add_option_function<std::string>(
            option_of(name),
            [values = &search_.values, key = std::string(name)](const std::string& value) {
              (*values)[key] = value;
            },
            help_of(help, write_scalar(field, field.get().value_or("~"))))
        ->type_name(type_name(field))
        ->check(as_in_config(field))
        ->group(kSearchGroup);
  }
  void on_section(const char* name, Settings&, const char*) override { refuse(name); }
  void on_optional_section(const char* name, const OptionalSectionField&, const char*) override {
    refuse(name);
  }
  void on_kind(const char* name, const KindField&, const char*) override { refuse(name); }
  void on_list(const char* name, const ListField& field, const char* help) override {
    if (!field.of_words) refuse(name);
    add_list(command_, option_of(name).c_str(), search_.lists[name], help_of(help, "none").c_str())
        ->type_name("TOKEN")
        ->group(kSearchGroup);
  }
  void on_map(const char* name, const MapField&, const char*) override { refuse(name); }
  void on_tree(const char* name, Node&, const char*) override { refuse(name); }

 private:
  [[noreturn]] static void refuse(const char* name) {
    HEED_CHECK(false, "search.{}: an option takes values", name);
  }
  static const char* type_name(const ScalarField& field) {
    switch (field.type) {
      case ScalarField::Type::kInt:
        return "N";
      case ScalarField::Type::kReal:
        return "NUMBER";
      case ScalarField::Type::kBool:
        return "true|false";
      default:
        return "NAME";
    }
  }

  CLI::App& command_;
  SearchOptions& search_;
};

}  // namespace

void add_search_options(CLI::App& command, SearchOptions& search, const SearchConfig& usual) {
  OptionFields fields(command, search);
  Visited(usual)->fields(fields);
  command
      .add_option(
          kMaxLength, search.max_length,
          "Maximum length in target tokens, independent of the source; instead of the two above")
      ->type_name("N")
      ->check(whole_number(kLengths))
      ->excludes("--max-length-ratio")
      ->excludes("--max-length-extra")
      ->group(kSearchGroup);
  add_repeated(command, "--set", search.set,
               "search.KEY=VALUE instead of the value in the model's config")
      ->type_name("KEY=VALUE")
      ->check(CLI::Validator(
          [&command](std::string& setting) { return given_twice(command, setting); }, ""))
      ->group(kSearchGroup);
}

void add_sampling_options(CLI::App& command, std::optional<SamplingOptions>& sampling) {
  auto* sample =
      command
          .add_flag_callback(
              "--sample",
              [&sampling] {
                if (!sampling) sampling.emplace();
              },
              "Draw translations from the model's distribution instead of searching for the most "
              "probable; with --nbest N of each line N samples")
          ->group(kSearchGroup);
  for (const char* key : SearchConfig::kOfBeamSearch) sample->excludes(option_of(key));
  const auto add = [&](const char* name, const char* type, const char* help, auto member) {
    using Value = std::remove_reference_t<decltype(SamplingOptions().*member)>;
    return command
        .add_option_function<Value>(
            name,
            [&sampling, member](const Value& value) {
              if (!sampling) sampling.emplace();
              (*sampling).*member = value;
            },
            help)
        ->type_name(type)
        ->needs(sample)
        ->group(kSearchGroup);
  };
  add("--temperature", "NUMBER",
      "Divide logits by this number: less than 1 prefers probable tokens (1)",
      &SamplingOptions::temperature)
      ->check(real_number({0, 100, true}));
  add("--top-k", "N", "Draw from the N most probable tokens only (all)", &SamplingOptions::top_k)
      ->check(whole_number(kPositive));
  add("--top-p", "NUMBER",
      "Draw from the fewest most probable tokens whose probability is at least this (1)",
      &SamplingOptions::top_p)
      ->check(real_number({0, 1, true}));
  add("--seed", "N", "Seed; the same seed draws the same translation of a line (1)",
      &SamplingOptions::seed)
      ->check(whole_number(kNotNegative));
}

}  // namespace heed
