// True if heed's own kernels may replace operations of libtorch. HEED_PLAIN=1 in the environment
// disables them, to compare results.
#pragma once

namespace heed {

bool fast_paths();

}  // namespace heed
