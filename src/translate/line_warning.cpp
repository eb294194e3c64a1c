#include "translate/line_warning.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/replace_all.h"
#include "base/utf8.h"

namespace heed {

const char* name_of(WarningKind kind) {
  switch (kind) {
    case WarningKind::kMalformed:
      return "malformed";
    case WarningKind::kSourceCut:
      return "source_cut";
    case WarningKind::kSourceLong:
      return "source_long";
    case WarningKind::kSourceUnlike:
      return "source_unlike";
    case WarningKind::kUnknown:
      return "unknown";
    case WarningKind::kTargetLanguage:
      return "target_language";
    case WarningKind::kTab:
      return "tab";
    case WarningKind::kEmptyParts:
      return "empty_parts";
    case WarningKind::kNotSplit:
      return "not_split";
    case WarningKind::kCut:
      return "cut";
    case WarningKind::kEndedEarly:
      return "ended_early";
    case WarningKind::kRepeated:
      return "repeated";
    case WarningKind::kCopied:
      return "copied";
    case WarningKind::kTargetLong:
      return "target_long";
    case WarningKind::kConstraint:
      return "constraint";
    case WarningKind::kConstraintUnknown:
      return "constraint_unknown";
    case WarningKind::kFewDistinct:
      return "few_distinct";
    case WarningKind::kSeparators:
      return "separators";
    case WarningKind::kTerm:
      return "term";
    case WarningKind::kMarkup:
      return "markup";
    case WarningKind::kProtected:
      return "protected";
  }
  HEED_CHECK(false, "an unknown kind of warning");
}

std::string LineWarning::text() const {
  return detail.empty() ? message : fmt::format("{} ({})", message, detail);
}

void add_to(LineWarnings* warnings, const WarningList& list, int64_t number) {
  if (warnings == nullptr) return;
  for (const LineWarning& warning : list) warnings->add(warning.message, number, warning.detail);
}

std::string well_formed(const std::string& text, WarningList& warnings) {
  const auto warn = [&](const char* message, size_t place) {
    warnings.push_back({WarningKind::kMalformed, message, fmt::format("byte {}", place + 1)});
  };
  std::string result = text;
  if (const size_t malformed = find_malformed(text); malformed != std::string::npos) {
    warn(kMalformedText, malformed);
    result = replace_malformed(text);
  }
  if (const size_t zero = text.find('\0'); zero != std::string::npos) {
    warn("a zero byte (U+0000), read as U+FFFD", zero);
    result = replace_all(std::move(result), std::string_view("\0", 1), "\uFFFD");
  }
  return result;
}

}  // namespace heed
