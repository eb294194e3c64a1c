// What is no mistake in a model's config, but likely not what was meant.
#pragma once

#include <string>
#include <vector>

#include "model/seq2seq.h"

namespace heed {

// A line each: where, what stands there, what a paper has instead.
std::vector<std::string> notes_on(ModelConfig config);

}  // namespace heed
