// A model with smaller vocabularies, for `heed trim`.
#pragma once

#include "model/saved_model.h"

namespace heed {

// The model with these codecs, whose vocabularies are parts of its own: tensors with a row for each token
// have the rows of the tokens that stay. Tokens that search suppresses and the vocabulary no longer has
// are left out of its settings. Throws Error(kModel) that lists tensors that depend on the vocabularies in
// another way.
LoadedModel with_vocabularies(const LoadedModel& model, const Codecs& codecs);

}  // namespace heed
