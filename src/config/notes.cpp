#include "config/notes.h"

#include "config/kinds_in.h"

namespace heed {

std::vector<std::string> notes_on(const Visited& settings, const std::string& path) {
  std::vector<std::string> all;
  visit_kinds(settings, [&](const std::string& at, const Settings& kind) {
    const auto* noting = dynamic_cast<const Noting*>(&kind);
    if (noting == nullptr) return;
    for (const std::string& note : noting->notes())
      all.push_back(fmt::format("{}.{}.{}", path, at, note));
  });
  return all;
}

}  // namespace heed
