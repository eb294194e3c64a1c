#include "config/fields.h"

#include <charconv>
#include <type_traits>

#include "base/floating_point.h"

namespace heed {

namespace {

using Type = ScalarField::Type;

std::string to_text(bool value) { return value ? "true" : "false"; }
std::string to_text(int64_t value) { return fmt::format("{}", value); }
std::string to_text(const std::string& value) { return value; }
// The shortest text that reads back as the same number, and that looks like a real one.
std::string to_text(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

void from_text(const std::string& text, bool& value) { value = text == "true"; }
void from_text(const std::string& text, std::string& value) { value = text; }
template <class Number>
requires std::is_arithmetic_v<Number>
void from_text(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto read = [&] {
    if constexpr (std::is_floating_point_v<Number>) {
      return floating_point_from(text.data(), end, value);
    } else {
      return std::from_chars(text.data(), end, value);
    }
  };
  const auto [rest, error] = read();
  HEED_CHECK(error == std::errc() && rest == end, "'{}'", text);
}

template <class T>
ScalarField bind(Type type, T& value) {
  ScalarField field{.type = type};
  field.get = [&value] { return std::optional(to_text(value)); };
  field.set = [&value](const std::optional<std::string>& text) {
    HEED_CHECK(text.has_value());
    from_text(*text, value);
  };
  return field;
}

template <class T>
ScalarField bind(Type type, std::optional<T>& value) {
  ScalarField field{.type = type};
  field.optional = true;
  field.get = [&value] { return value ? std::optional(to_text(*value)) : std::nullopt; };
  field.set = [&value](const std::optional<std::string>& text) {
    value.reset();
    if (text) from_text(*text, value.emplace());
  };
  return field;
}

template <class T>
ScalarField bind_int(T& value, IntRange range) {
  ScalarField field = bind(Type::kInt, value);
  field.int_range = range;
  return field;
}

template <class T>
ScalarField bind_real(Type type, T& value, Range range) {
  ScalarField field = bind(type, value);
  field.range = range;
  return field;
}

template <class T>
ScalarField bind_path(T& value, PathRoot root) {
  ScalarField field = bind(Type::kPath, value);
  field.root = root;
  return field;
}

}  // namespace

void Fields::show(const char* name, ScalarField field, const char* help) {
  if (!writes()) field.set = nullptr;
  on_scalar(name, field, help);
}

void Fields::show(const char* name, OptionalSectionField field, const char* help) {
  if (!writes()) field.make = nullptr, field.clear = nullptr;
  on_optional_section(name, field, help);
}

void Fields::show(const char* name, KindField field, const char* help) {
  if (!writes()) field.select = nullptr, field.clear = nullptr;
  on_kind(name, field, help);
}

void Fields::show(const char* name, ListField field, const char* help) {
  if (!writes()) field.clear = nullptr, field.append = nullptr;
  on_list(name, field, help);
}

void Fields::show(const char* name, MapField field, const char* help) {
  if (!writes()) field.clear = nullptr, field.insert = nullptr;
  on_map(name, field, help);
}

void Fields::field(const char* name, bool& value, const char* help) {
  show(name, bind(Type::kBool, value), help);
}

void Fields::field(const char* name, std::optional<bool>& value, const char* help) {
  show(name, bind(Type::kBool, value), help);
}

void Fields::field(const char* name, int64_t& value, IntRange range, const char* help) {
  show(name, bind_int(value, range), help);
}

void Fields::field(const char* name, std::optional<int64_t>& value, IntRange range,
                   const char* help) {
  show(name, bind_int(value, range), help);
}

void Fields::field(const char* name, double& value, Range range, const char* help) {
  show(name, bind_real(Type::kReal, value, range), help);
}

void Fields::field(const char* name, std::optional<double>& value, Range range, const char* help) {
  show(name, bind_real(Type::kReal, value, range), help);
}

void Fields::field(const char* name, std::string& value, const char* help) {
  show(name, bind(Type::kText, value), help);
}

void Fields::field(const char* name, std::optional<std::string>& value, const char* help) {
  show(name, bind(Type::kText, value), help);
}

void Fields::path(const char* name, std::string& value, PathRoot root, const char* help) {
  show(name, bind_path(value, root), help);
}

void Fields::path(const char* name, std::optional<std::string>& value, PathRoot root,
                  const char* help) {
  show(name, bind_path(value, root), help);
}

void Fields::paths(const char* name, std::map<std::string, std::string>& values, const char* plain,
                   PathRoot root, const char* help) {
  MapField field = map_field(values);
  field.plain = plain;
  field.visit_item = [&values, root, help](const std::string& key, Fields& f) {
    f.path(key.c_str(), values.at(key), root, help);
  };
  field.visit_fresh = [root, help](Fields& f) {
    std::string none;
    f.path("", none, root, help);
  };
  show(name, field, help);
}

void Fields::duration(const char* name, double& seconds, const char* help) {
  show(name, bind_real(Type::kDuration, seconds, kAboveZero), help);
}

void Fields::duration(const char* name, std::optional<double>& seconds, const char* help) {
  show(name, bind_real(Type::kDuration, seconds, kAboveZero), help);
}

void Fields::list(const char* name, std::vector<std::string>& values, const char* help) {
  ListField field = list_field(values);
  field.of_words = true;
  field.visit_item = [&values, help](size_t i, Fields& f) { f.field("", values[i], help); };
  field.visit_fresh = [help](Fields& f) {
    std::string fresh;
    f.field("", fresh, help);
  };
  show(name, field, help);
}

}  // namespace heed
