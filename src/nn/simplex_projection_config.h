// The projections on the simplex that a config can name (simplex_projection.h).
#pragma once

namespace heed {

enum class SimplexProjection { kSparsemax, kEntmax15 };

}  // namespace heed
