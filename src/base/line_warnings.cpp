#include "base/line_warnings.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr size_t kNamed = 3;

}  // namespace

void LineWarnings::add(const std::string& kind, int64_t line, const std::string& detail) {
  const std::lock_guard lock(mutex_);
  auto found = std::ranges::find(kinds_, kind, &Kind::name);
  if (found == kinds_.end()) found = kinds_.insert(kinds_.end(), Kind{kind});
  ++found->count;
  found->first.emplace(line, detail.empty() ? fmt::format("line {}", line)
                                            : fmt::format("line {} ({})", line, detail));
  if (found->first.size() > kNamed) found->first.erase(std::prev(found->first.end()));
}

std::vector<std::string> LineWarnings::take() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> messages;
  for (const Kind& kind : std::exchange(kinds_, {})) {
    const int64_t more = kind.count - static_cast<int64_t>(kind.first.size());
    std::vector<std::string> named;
    for (const auto& [line, text] : kind.first) named.push_back(text);
    messages.push_back(
        fmt::format("{}: {}{}", kind.name, fmt::join(named, ", "),
                    more > 0 ? fmt::format(" and {} more", format_count(more)) : ""));
  }
  return messages;
}

void LineWarnings::log() {
  for (const std::string& message : take()) spdlog::warn("{}", message);
}

std::string well_formed(const std::string& text, int64_t line, LineWarnings* warnings) {
  const size_t malformed = find_malformed(text);
  if (malformed == std::string::npos) return text;
  if (warnings != nullptr)
    warnings->add(kMalformedText, line, fmt::format("byte {}", malformed + 1));
  return replace_malformed(text);
}

}  // namespace heed
