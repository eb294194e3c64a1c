// The `init:` block of a config: parameters that a run starts with instead of random ones.
//
//   init:
//     model: ../runs/tatoeba            # a run, a checkpoint or a model folder
//     extend_vocabulary: true
//   init:
//     embeddings: {source: cc.en.300.vec}
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

struct InitConfig final : Settings {
  enum class Missing { kError, kWarn };
  static constexpr const char *kOptimizer = "optimizer", *kSchedule = "schedule";
  std::optional<std::string> model;
  Missing missing = Missing::kError;
  bool extend_vocabulary = false;
  std::vector<std::string> reset = {kOptimizer, kSchedule};
  std::map<std::string, std::string> embeddings;  // by side
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  bool resets(const char* what) const;  // or there is no other model
  // Adds a problem for each setting that train.lora cannot be used with.
  void check_lora(Problems& problems) const;
};

// Embeddings of what is not in `sides` are problems. Whether model and files exist is seen when a run
// begins: one that is resumed needs them no more.
void check_init(const InitConfig& init, const std::vector<std::string>& sides, Problems& problems);

}  // namespace heed
