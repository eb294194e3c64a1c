// Which engine of search computes a model.
#pragma once

#include <memory>

#include "kernels/kernels.h"
#include "search/engine.h"
#include "translate/text_model.h"

namespace heed {

// TransformerEngine for a single network of its shape, in float32 on a CPU whose vectors it knows; libtorch's
// for all others, and for all with HEED_PLAIN=1. Error(kUsage) for a precision that libtorch's lacks.
std::unique_ptr<const Engine> make_engine(const TextModel& model, Precision precision);

}  // namespace heed
