#include "data/augment/augmented_epoch.h"

#include "base/log.h"
#include "data/augment/augmenter.h"

namespace heed {

std::string AugmentCount::text() const {
  std::vector<std::string> changes;
  for (size_t i = 0; i < by_modifier.size(); ++i) {
    if (by_modifier[i] > 0)
      changes.push_back(fmt::format("{} {}", modifier_names()[i], format_count(by_modifier[i])));
  }
  std::string text =
      fmt::format("augmented {} of {} pairs{}{}", format_count(augmented), format_count(pairs),
                  changes.empty() ? "" : ": ", fmt::join(changes, ", "));
  if (unfit > 0)
    text += fmt::format("; {} would exceed a limit of data and stay{} as {}", format_count(unfit),
                        unfit == 1 ? "s" : "", unfit == 1 ? "it is" : "they are");
  return text;
}

}  // namespace heed
