// Largest magnitudes of the inputs of matrix products while a model translates, for the scales of
// activations in 8 bits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/saved_model.h"

namespace heed {

// Inputs of each weight, by the name of the parameter: the mean over the sentences of their largest
// magnitudes, and the standard deviation.
struct InputMagnitude {
  double mean = 0, deviation = 0;
};
// Translates the lines by greedy search. source: name of the only source.
std::map<std::string, InputMagnitude> measure_inputs(const LoadedModel& model,
                                                     const std::string& source,
                                                     const std::vector<std::string>& lines);

}  // namespace heed
