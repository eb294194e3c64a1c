// Whether code of our own may stand in for plain operations of libtorch. HEED_PLAIN=1 in the environment
// switches all of it off: to compare results, or where one is suspected of a mistake.
#pragma once

namespace heed {

bool fast_paths();

}  // namespace heed
