// Kernels for processors with AVX-512.
#if defined(__x86_64__)
#define HEED_LANES 16
#define HEED_TILE_ROWS 12
#include "kernels/sets.h"
#include "kernels/vector_loops.h"

#include "kernels/dropout_loops.h"
#include "kernels/square_loops.h"

#include "kernels/additive_score_loops.h"
#include "kernels/cross_entropy_loops.h"
#include "kernels/lstm_loops.h"
#include "kernels/sentence_attention_loops.h"
#include "kernels/sublayer_loops.h"

namespace heed {

extern const Kernels kAvx512Kernels = HEED_KERNELS("avx512", kColumns, kLanes);

}  // namespace heed
#endif
