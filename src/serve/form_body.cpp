#include "serve/form_body.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "request/http_error.h"
#include "request/json_body.h"

namespace heed {

namespace {

template <class... Args>
[[noreturn]] void refuse_form(fmt::format_string<Args...> format, Args&&... args) {
  throw_http_error(HttpStatus::kBadRequest, format, std::forward<Args>(args)...);
}

constexpr std::string_view kUrlEncoded = "application/x-www-form-urlencoded";
constexpr std::string_view kMultipart = "multipart/form-data";
constexpr std::string_view kSpaces = " \t\r\n";

// The value of a header without its parameters, in lower case.
std::string type_of(const HttpRequest& request) {
  const std::string header = request.header("content-type");
  return lower_case(trimmed(std::string_view(header).substr(0, header.find(';')), kSpaces));
}

bool is_json(const std::string& body) {
  const size_t first = body.find_first_not_of(kSpaces);
  return first != std::string::npos && body[first] == '{';
}

// The fields of a form. A field that is there again becomes a list.
class FormFields {
 public:
  explicit FormFields(const ServeLimits& limits) : most_(limits.values()) {}

  void add(std::string name, std::string value) {
    constexpr size_t kFields = 100, kBytes = 100;
    if (++count_ > most_) refuse_form("the body has more than {} fields", most_);
    if (name.size() > kBytes)
      refuse_form("the body has a field whose name has more than {} bytes", kBytes);
    if (object_.size() == kFields && !object_.contains(name))
      refuse_form("the body has more than {} different fields", kFields);
    Json& field = object_[name];
    if (field.is_null())
      field = std::move(value);
    else if (field.is_string())
      field = Json::array({std::move(field), std::move(value)});
    else
      field.push_back(std::move(value));
  }
  Json take() { return std::move(object_); }

 private:
  const int64_t most_;
  int64_t count_ = 0;
  Json object_ = Json::object();
};

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string url_decoded(std::string_view text) {
  constexpr int kBase = 16;
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        refuse_form("the form has a % without two hexadecimal digits behind it; write % as %25");
      decoded += static_cast<char>(kBase * high + low);
      i += 2;
    }
  }
  return decoded;
}

Json parse_url_encoded(std::string_view body, const ServeLimits& limits) {
  FormFields fields(limits);
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('&', begin), body.size());
    const std::string_view field = body.substr(begin, end - begin);
    begin = end + 1;
    if (field.empty()) continue;
    const size_t equals = std::min(field.find('='), field.size());
    const std::string_view value = field.substr(std::min(equals + 1, field.size()));
    fields.add(url_decoded(field.substr(0, equals)), url_decoded(value));
  }
  return fields.take();
}

// The value of a parameter of a header: of boundary="x" x; nullopt if it is missing.
std::optional<std::string> header_parameter(std::string_view header, std::string_view name) {
  for (size_t begin = header.find(';'); begin != std::string_view::npos;) {
    const std::string_view rest = trimmed(header.substr(begin + 1), kSpaces);
    const size_t equals = rest.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const bool is_it = lower_case(trimmed(rest.substr(0, equals), kSpaces)) == name;
    std::string_view value = rest.substr(equals + 1);
    const bool is_quoted = value.starts_with('"');
    if (is_quoted) value.remove_prefix(1);
    const size_t end = std::min(value.find(is_quoted ? '"' : ';'), value.size());
    if (is_it) return std::string(trimmed(value.substr(0, end), is_quoted ? "" : kSpaces));
    header = value.substr(end);
    begin = header.find(';');
  }
  return std::nullopt;
}

// The header of a part that names its field.
std::string_view disposition_of(std::string_view headers) {
  constexpr std::string_view kName = "content-disposition:";
  for (size_t begin = 0; begin < headers.size();) {
    const size_t end = std::min(headers.find("\r\n", begin), headers.size());
    const std::string_view line = headers.substr(begin, end - begin);
    if (lower_case(line.substr(0, kName.size())) == kName) return line;
    begin = end + 2;
  }
  return {};
}

// Parts of RFC 7578, each between lines of "--BOUNDARY".
Json parse_multipart(std::string_view body, const std::string& boundary,
                     const ServeLimits& limits) {
  constexpr std::string_view kLine = "\r\n", kEndOfHeaders = "\r\n\r\n";
  const std::string mark = "--" + boundary, next = "\r\n" + mark;
  FormFields fields(limits);
  size_t begin = body.starts_with(mark) ? mark.size() : body.find(next);
  if (begin != mark.size() && begin != std::string_view::npos) begin += next.size();
  while (begin != std::string_view::npos && !body.substr(begin).starts_with("--")) {
    std::string_view rest = body.substr(begin);
    const size_t end = rest.find(next);
    const size_t headers = rest.find(kEndOfHeaders);
    if (!rest.starts_with(kLine) || end == std::string_view::npos || headers > end)
      refuse_form(
          "a part of the form is cut: expected its headers, an empty line, and the boundary at its "
          "end");
    const std::string_view disposition = disposition_of(rest.substr(0, headers));
    const auto name = header_parameter(disposition, "name");
    if (!name) refuse_form("a part of the form has no name");
    const size_t value = headers + kEndOfHeaders.size();
    if (!header_parameter(disposition, "filename") && value <= end)
      fields.add(*name, std::string(rest.substr(value, end - value)));
    begin += end + next.size();
  }
  if (begin == std::string_view::npos) refuse_form("the form does not begin with its boundary");
  return fields.take();
}

Json parse_form(const HttpRequest& request, const ServeLimits& limits) {
  if (type_of(request) == kUrlEncoded) return parse_url_encoded(request.body, limits);
  const auto boundary = header_parameter(request.header("content-type"), "boundary");
  if (!boundary || boundary->empty())
    refuse_form("Content-Type: the boundary of the form is missing");
  return parse_multipart(request.body, *boundary, limits);
}

}  // namespace

bool has_form(const HttpRequest& request) {
  const std::string type = type_of(request);
  return (type == kUrlEncoded && !is_json(request.body)) || type == kMultipart;
}

Json parse_fields(const HttpRequest& request, const ServeLimits& limits) {
  Json fields = Json::object();
  if (has_form(request))
    fields = parse_form(request, limits);
  else if (!request.body.empty())
    fields = parse_object(request.body, limits);
  for (const auto& [name, value] : request.query)
    if (!fields.contains(name)) fields[name] = value;
  return fields;
}

const Json& RequestFields::get() const {
  if (failure_) std::rethrow_exception(failure_);
  if (!fields_) {
    try {
      fields_ = parse_fields(request_, limits_);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }
  return *fields_;
}

}  // namespace heed
