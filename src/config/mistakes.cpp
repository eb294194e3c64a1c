#include "config/mistakes.h"

#include <algorithm>

#include "base/error_lines.h"

namespace heed {

void throw_if_any(const std::vector<Problem>& problems, const std::string& where,
                  const std::vector<std::string>& first, const std::vector<std::string>& last) {
  constexpr size_t kMost = 100;
  if (problems.empty()) return;
  std::vector<std::string> lines = first;
  if (problems.size() > 1)
    lines.push_back(fmt::format("{} mistakes in {}", problems.size(), where));
  for (size_t i = 0; i < std::min(kMost, problems.size()); ++i) lines.push_back(problems[i].text());
  if (problems.size() > kMost)
    lines.push_back(fmt::format("… and {} more", problems.size() - kMost));
  lines.insert(lines.end(), last.begin(), last.end());
  throw ErrorLines(ErrorKind::kUsage, std::move(lines));
}

std::string first_mistake(const Error& error) {
  const auto* several = dynamic_cast<const ErrorLines*>(&error);
  if (several == nullptr || several->lines().size() < 2) return first_line(error.what());
  return several->lines()[1];  // behind their number
}

std::string changes_text(const std::vector<ChangedSetting>& changes) {
  std::vector<std::string> texts;
  for (const ChangedSetting& change : changes)
    texts.push_back(fmt::format("{}: was {}, is {}", change.key, change.before, change.now));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace heed
