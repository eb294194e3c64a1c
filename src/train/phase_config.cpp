#include "train/phase_config.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "config/print.h"

namespace heed {

void PhaseConfig::fields(Fields& f) {
  f.field("after", after, kPositive, "updates before the phase, all earlier phases included");
  f.tree("train", train,
         "settings of `train` that differ from the phase before: batch, accumulate, optimizer, "
         "schedule, clip, freeze, and the losses and their settings");
  f.tree(
      "data", data,
      "settings of `data` that differ: train, temperature, augment, and how lines that cannot be "
      "used "
      "are handled; vocabularies are learned from the data of all phases");
  f.tree("model", model, "settings of `model` that differ: probabilities of dropout");
  f.list("reset", reset,
         "what starts again with the phase: [optimizer] its state, [schedule] its count of updates "
         "and of validations");
  f.required("after");
}

void PhaseConfig::validate(Problems& problems) const {
  const std::vector<std::string> known = {kOptimizer, kSchedule};
  for (size_t i = 0; i < reset.size(); ++i) {
    if (std::ranges::count(known, reset[i]) == 0)
      problems.add(fmt::format("reset[{}]", i),
                   fmt::format("found '{}', expected optimizer or schedule{}", reset[i],
                               did_you_mean(reset[i], known)));
  }
}

bool PhaseConfig::resets(const char* what) const { return std::ranges::count(reset, what) > 0; }

std::string PhaseConfig::description() const {
  std::vector<std::string> parts;
  for (const auto& [name, tree] :
       {std::pair("train", &train), std::pair("data", &data), std::pair("model", &model)}) {
    if (!tree->entries.empty()) parts.push_back(fmt::format("{}: {}", name, print_inline(*tree)));
  }
  if (!reset.empty()) parts.push_back(fmt::format("reset: [{}]", fmt::join(reset, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace heed
