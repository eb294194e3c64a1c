#include "cli/help_formatter.h"

#include <sstream>

#include "base/utf8.h"

namespace heed {

namespace {

constexpr size_t kColumns = 80;

// Breaks text at spaces into lines of at most `width` columns; a longer word gets a separate line.
std::string wrap(const std::string& text, size_t width) {
  std::string lines, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

bool takes_all(const CLI::Option* option) {
  constexpr int kMany = 1000;
  return option->get_expected_min() > kMany;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  const std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  return CLI::detail::find_and_replace(text, "\n\n\n", "\n\n");
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  std::ostringstream out;
  const std::string help = wrap(sub->get_description(), kColumns - column_width_);
  CLI::detail::format_help(out, sub->get_display_name(true), help, column_width_);
  return out.str();
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  if (!takes_all(option)) return CLI::Formatter::make_option_usage(option);
  const std::string name = make_option_name(option, true) + "...";
  return option->get_required() ? name : "[" + name + "]";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text;
  if (takes_all(option)) {
    text = "...";
  } else if (option->get_type_size() != 0 && !option->get_type_name().empty()) {
    text = " " + get_label(option->get_type_name());
  }
  // Dots mark options that take several values at once. Other options take one value each time they
  // are given.
  const bool is_repeated = option->get_expected_max() == CLI::detail::expected_max_vector_size;
  const bool is_list = option->get_expected_max() > 1 && !is_repeated;
  if (is_list && !takes_all(option)) text += " ...";
  if (is_repeated && !takes_all(option)) text += " (repeatable)";
  return option->get_required() ? text + " " + get_label("REQUIRED") : text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrap(option->get_description(), kColumns - column_width_);
}

}  // namespace heed
