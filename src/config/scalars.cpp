#include "config/scalars.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/error.h"
#include "config/numbers.h"
#include "config/ranges.h"
#include "config/synonyms.h"

namespace heed {

namespace {

using Type = ScalarField::Type;

struct Unit {
  char letter;
  double seconds;
};
constexpr std::array<Unit, 4> kUnits{{{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}}};

std::string with_range(const std::string& what, const std::string& range) {
  return range.empty() ? what : fmt::format("{}, {}", what, range);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  }
  return text;
}

std::string expected_value(const ScalarField& field) {
  switch (field.type) {
    case Type::kBool:
      return "true or false";
    case Type::kInt:
      return with_range("a whole number", range_text(field.int_range));
    case Type::kReal:
      return with_range("a number", range_text(field.range));
    case Type::kText:
      return "a text";
    case Type::kPath:
      return "a path";
    case Type::kDuration:
      return "a time such as 90s, 45m, 2h or 1d";
    case Type::kWord:
      return listed(field.words);
  }
  return "";
}

Scalar refused(const ScalarField& field, const Node& node, const std::string& hint) {
  return {.complaint =
              fmt::format("found {}, expected {}{}", describe(node), expected_text(field), hint)};
}

std::string bool_hint(const std::string& text) {
  std::string word = text;
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const char* yes : {"yes", "on", "y", "true", "1"}) {
    if (word == yes) return "; write true";
  }
  for (const char* no : {"no", "off", "n", "false", "0"}) {
    if (word == no) return "; write false";
  }
  return "";
}

Scalar read_bool(const ScalarField& field, const Node& node) {
  if (node.text == "true" || node.text == "false") return {.text = node.text};
  return refused(field, node, bool_hint(node.text));
}

Scalar read_int(const ScalarField& field, const Node& node) {
  const std::optional<int64_t> value = to_integer(node.text);
  if (!value) return refused(field, node, integer_hint(node.text, field.int_range));
  if (!contains(field.int_range, *value)) return refused(field, node, "");
  return {.text = node.text};
}

Scalar read_real(const ScalarField& field, const Node& node) {
  const std::optional<double> value = to_number(node.text);
  if (!value) return refused(field, node, number_hint(node.text));
  if (!contains(field.range, *value)) return refused(field, node, "");
  return {.text = node.text};
}

Scalar read_duration(const ScalarField& field, const Node& node) {
  const std::string& text = node.text;
  if (is_number(text))
    return refused(field, node, fmt::format("; a unit is missing: {0}s, {0}m, {0}h or {0}d", text));
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.letter)) continue;
    const std::optional<double> count =
        to_number(std::string_view(text).substr(0, text.size() - 1));
    if (!count) break;
    const double seconds = *count * unit.seconds;
    if (!std::isfinite(seconds) || !contains(field.range, seconds))
      return refused(field, node, ", above 0");
    return {.text = fmt::format("{}", seconds)};
  }
  return refused(field, node, "");
}

Scalar read_word(const ScalarField& field, const Node& node) {
  if (std::find(field.words.begin(), field.words.end(), node.text) != field.words.end())
    return {.text = node.text};
  return refused(field, node, synonym_or_suggestion(node.text, field.words));
}

Scalar read_path(const ScalarField& field, const Node& node) {
  if (node.text.empty() || node.text.find('\0') != std::string::npos)
    return refused(field, node, "");
  return {.text = node.text};
}

bool takes_quotes(Type type) {
  return type == Type::kText || type == Type::kPath || type == Type::kWord;
}

}  // namespace

std::string expected_text(const ScalarField& field) {
  return expected_value(field) + (field.optional ? ", or ~ for none" : "");
}

Scalar read_scalar(const ScalarField& field, const Node& node) {
  if (node.is(Node::Form::kNull) && field.optional) return {};
  if (node.is(Node::Form::kNull) && field.type == Type::kText) {
    return refused(field, node, "; write '' for an empty one");
  }
  if (!node.is(Node::Form::kScalar)) return refused(field, node, "");
  if (node.quoted && !takes_quotes(field.type))
    return refused(field, node, "; write it without quotes");
  switch (field.type) {
    case Type::kBool:
      return read_bool(field, node);
    case Type::kInt:
      return read_int(field, node);
    case Type::kReal:
      return read_real(field, node);
    case Type::kDuration:
      return read_duration(field, node);
    case Type::kWord:
      return read_word(field, node);
    case Type::kPath:
      return read_path(field, node);
    case Type::kText:
      break;
  }
  return {.text = node.text};
}

std::string write_scalar(const ScalarField& field, const std::string& canonical) {
  if (field.type != Type::kDuration) return canonical;
  const double seconds = to_number(canonical).value_or(0);
  for (const Unit& unit : kUnits) {
    const double count = seconds / unit.seconds;
    constexpr double kMostWholeUnits = 1e9;
    if (count == std::floor(count) && count >= 1 && count < kMostWholeUnits) {
      return fmt::format("{:.0f}{}", count, unit.letter);
    }
  }
  return fmt::format("{}s", seconds);
}

}  // namespace heed
