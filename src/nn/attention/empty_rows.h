// Sentences with nothing to read: their context is 0, whatever a projection adds to nothing.
#pragma once

#include "nn/sources.h"
#include "nn/state.h"

namespace heed {

// Notes in the state, under "empty" [R], which sentences have no readable place; nothing if there is
// none, so that the others need not look.
void put_empty_rows(const Source& source, StateView state);
// context [R,T,V], 0 in those rows.
Tensor without_empty_rows(const Tensor& context, const StateView& state);

}  // namespace heed
