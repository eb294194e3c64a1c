#include "cli/arguments.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "config/scalars.h"
#include "config/sizes.h"
#include "report/pictures.h"

namespace heed {

CLI::Validator as_in_config(ScalarField field) {
  field.get = nullptr;  // they are bound to a variable that may be gone when the value is read
  field.set = nullptr;
  return CLI::Validator(
      [field](std::string& text) {
        Node value;
        value.form = Node::Form::kScalar;
        value.text = text;
        return read_scalar(field, value).complaint;
      },
      "");
}

CLI::Validator whole_number(const IntRange& range) {
  return as_in_config({.type = ScalarField::Type::kInt, .int_range = range});
}

CLI::Validator real_number(const Range& range) {
  return as_in_config({.type = ScalarField::Type::kReal, .range = range});
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

CLI::Validator picture_name(const std::vector<std::string>& endings) {
  return CLI::Validator(
      [endings](std::string& path) {
        if (std::ranges::count(endings, ending_of(path)) > 0) return std::string();
        return fmt::format("{}: expected a name that ends in .{}", path,
                           fmt::join(endings, " or ."));
      },
      "");
}

CLI::Option* add_pictures(CLI::App& command, std::vector<std::string>& files, const char* help) {
  return add_repeated(command, "-o,--output", files, help)
      ->type_name("FILE")
      ->check(picture_name({"svg", "html", "pdf", "png"}));
}

void group_options(CLI::App& command) {
  static const std::string kNoGroup = CLI::OptionDefaults().get_group();
  static const std::map<std::string, std::string> groups = {
      {"input", kInputGroup},      {"source", kInputGroup},
      {"target", kInputGroup},     {"reference", kInputGroup},
      {"tag", kInputGroup},        {"line", kInputGroup},
      {"model", kInputGroup},      {"baseline", kInputGroup},
      {"nbest", kSearchGroup},     {"replace-unknown", kSearchGroup},
      {"metric", "Metrics"},       {"tokenize", "Metrics"},
      {"lowercase", "Metrics"},    {"smooth", "Metrics"},
      {"smooth-value", "Metrics"}, {"effective-order", "Metrics"},
      {"stem", "Metrics"},         {"sentence-break", "Metrics"},
      {"output", "Output"},        {"interactive", "Output"},
      {"attention", "Output"},     {"alignments", "Output"},
      {"format", "Output"},        {"digits", "Output"},
      {"no-bold", "Output"},       {"svg", "Output"},
      {"html", "Output"},          {"words", "Output"},
      {"layer", "Output"},         {"head", "Output"},
      {"title", "Output"},         {"no-title", "Output"},
      {"width", "Output"},         {"label", "Output"},
      {"batch", "Speed"},          {"workers", "Speed"},
      {"device", "Speed"},         {"precision", "Speed"}};
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

void add_models(CLI::App& command, std::vector<std::string>& models) {
  constexpr const char* kHelp =
      "A run, a checkpoint or a model folder; several are an ensemble and must share vocabularies";
  add_positionals(command, "MODEL", models, kHelp)->required()->type_name("");
}

CLI::Option* add_tag(CLI::App& command, std::optional<std::string>& tag) {
  return command
      .add_option("--tag", tag,
                  "Tag of all lines, such as the target language, for a model with tags")
      ->type_name("NAME");
}

std::vector<CLI::Option*> add_direction(CLI::App& command, Direction& direction) {
  return {command
              .add_option("--source-language", direction.source,
                          "Language of the lines, for a model of many languages: its code in the "
                          "model or in ISO 639, such as eng_Latn or en")
              ->type_name("CODE"),
          command
              .add_option("--target-language", direction.target,
                          "Language to translate into, for a model of many languages")
              ->type_name("CODE")};
}

void add_device(CLI::App& command, std::string& device) {
  command
      .add_option("--device", device, "auto, cpu or cuda:N; auto uses a GPU if there is one (auto)")
      ->type_name("DEVICE");
}

void add_decoding_options(CLI::App& command, DecodingOptions& decoding, const char* unit) {
  command.add_option("--batch", decoding.batch, fmt::format("Batch size in {}", unit))
      ->type_name("N")
      ->check(whole_number(kSentences));
  command
      .add_option(
          "--workers", decoding.workers,
          "Decoding threads, each with its own batch (one for each core that the process may use)")
      ->type_name("N")
      ->check(whole_number(kThreads));
  add_device(command, decoding.device);
}

void add_precision(CLI::App& command, std::optional<Precision>& precision,
                   const std::string& help) {
  const char* of_translation =
      "fp32, or for a standard model on a CPU bf16 or int8: weights and activations in 16 or 8 "
      "bits, faster, BLEU within a few tenths (that of a packed model, else fp32)";
  command
      .add_option_function<std::string>(
          "--precision",
          [&precision](const std::string& word) { precision = precision_words().at(word); },
          help.empty() ? of_translation : help)
      ->type_name("NAME")
      ->check(CLI::IsMember(precision_words()));
}

}  // namespace heed
