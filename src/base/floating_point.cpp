#include "base/floating_point.h"

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <string>
#include <string_view>

#if defined(__APPLE__)
#include <xlocale.h>
#else
#include <locale.h>
#endif

namespace heed {

#if defined(__cpp_lib_to_chars) && !defined(HEED_PLAIN_SYSTEM)

template <class Number>
std::from_chars_result floating_point_from(const char* first, const char* last, Number& value) {
  return std::from_chars(first, last, value);
}

#else

namespace {

double convert(const char* text, char** end, locale_t locale, double) {
  return strtod_l(text, end, locale);
}
float convert(const char* text, char** end, locale_t locale, float) {
  return strtof_l(text, end, locale);
}

}  // namespace

template <class Number>
std::from_chars_result floating_point_from(const char* first, const char* last, Number& value) {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  std::string text(first, last);
  // strtod() takes these too.
  const size_t start = text.starts_with('-') ? 1 : 0;
  const std::string_view number = std::string_view(text).substr(start);
  const bool begins = !number.empty() &&
                      std::string_view("0123456789.iInN").find(number[0]) != std::string_view::npos;
  if (!begins) return {first, std::errc::invalid_argument};
  if (number.starts_with("0x") || number.starts_with("0X")) text.resize(start + 1);
  char* end = nullptr;
  errno = 0;
  const Number found = convert(text.c_str(), &end, locale, Number());
  const char* behind = first + (end - text.c_str());
  if (behind == first) return {first, std::errc::invalid_argument};
  if (errno == ERANGE) return {behind, std::errc::result_out_of_range};
  value = found;
  return {behind, std::errc()};
}

#endif

template std::from_chars_result floating_point_from(const char*, const char*, double&);
template std::from_chars_result floating_point_from(const char*, const char*, float&);

}  // namespace heed
