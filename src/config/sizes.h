// Ranges of sizes, counts and weights that several settings have in common, those of the command line
// among them. Each bound is far above what is of use; what the sizes of a model need together is
// compared with the memory of the machine (model/model_size.h).
#pragma once

#include "config/settings.h"

namespace heed {

inline constexpr IntRange kWidths{1, 1'000'000};
inline constexpr IntRange kWidthsOrNone{0, 1'000'000};
inline constexpr IntRange kLayers{1, 1000};
inline constexpr IntRange kHeads{1, 1024};
inline constexpr IntRange kRounds{1, 100};      // of one computation after another
inline constexpr IntRange kLengths{1, 65'000};  // of sentences, and distances in them
inline constexpr IntRange kLengthsOrNone{0, 65'000};
inline constexpr IntRange kTablePositions{1, 1'000'000};  // of a table with a row for each position
inline constexpr IntRange kThreads{1, 1024};
inline constexpr IntRange kBeams{1, 1000};
inline constexpr IntRange kSentences{1, 100'000};  // of a batch
inline constexpr Range kWeights{0, 1e6};           // of a loss, a penalty or a slope

}  // namespace heed
