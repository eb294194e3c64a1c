#include "metric/nbest_list.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/error.h"

namespace heed {

namespace {

constexpr std::string_view kBar = " ||| ";

bool is_nbest_line(const std::string& line) {
  const size_t first = line.find(kBar), last = line.rfind(kBar);
  if (first == std::string::npos || first == 0 || last == first) return false;
  const bool is_number = std::all_of(line.begin(), line.begin() + static_cast<int64_t>(first),
                                     [](char c) { return c >= '0' && c <= '9'; });
  const std::string score = line.substr(last + kBar.size());
  char* end = nullptr;
  std::strtod(score.c_str(), &end);
  return is_number && end != score.c_str() && *end == '\0';
}

}  // namespace

void refuse_nbest_list(const std::vector<std::string>& lines, const std::string& name) {
  if (lines.empty() || !is_nbest_line(lines.front())) return;
  throw_error(ErrorKind::kData,
              "{}: an n-best list (NUMBER ||| TEXT ||| SCORE), expected plain text, a line for "
              "each source line; translate without --nbest writes it",
              name);
}

}  // namespace heed
