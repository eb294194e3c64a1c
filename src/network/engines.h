// Chooses the engine of search for a model.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "network/network_model.h"
#include "search/engine.h"

namespace heed {

// Engines of inference/ for supported networks in float32 on a CPU; ModelEngine for all others, and
// for all with HEED_PLAIN=1. Error(kUsage) for a precision other than kFloat with ModelEngine.
std::shared_ptr<const Engine> make_engine(const NetworkModel& model, Precision precision);
// The model with that engine; parameters that change later are not seen by it.
TextModel with_engine(const NetworkModel& model, Precision precision = Precision::kFloat);

}  // namespace heed
