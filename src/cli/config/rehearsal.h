// The part of `heed config check` that needs libtorch; it is in the library with tensors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/prepared_data.h"

namespace heed {

// The steps of a dry run (train/training_steps.h).
class Rehearsal : public PreparationSteps {
 public:
  // Builds the network, and loads init.model into it. Returns notes about the start of the run.
  // Throws the errors of Training.
  virtual std::vector<std::string> build(const RunSpec& spec, const PreparedData& data) = 0;
};

}  // namespace heed

// Function exported by the library.
extern "C" void heed_open_rehearsal(std::unique_ptr<heed::Rehearsal>& rehearsal);
