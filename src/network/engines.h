// Which engine of search computes a model.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "network/network_model.h"
#include "search/engine.h"

namespace heed {

// TransformerEngine for a single network of its shape, in float32 on a CPU whose vectors it knows; libtorch's
// for all others, and for all with HEED_PLAIN=1. Error(kUsage) for a precision that libtorch's lacks.
std::unique_ptr<const Engine> make_engine(const NetworkModel& model, Precision precision);
// The model with that engine, of its parameters as they are now.
TextModel with_engine(const NetworkModel& model, Precision precision = Precision::kFloat);

}  // namespace heed
