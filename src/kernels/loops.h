// All loops in the vector extension of the compiler, in the order in which they need each other, and
// the table of them; for the file of each instruction set (vector_loops.h).
#pragma once

#include "kernels/vector_loops.h"

#include "kernels/dropout_loops.h"
#include "kernels/square_loops.h"

#include "kernels/additive_score_loops.h"
#include "kernels/cross_entropy_loops.h"
#include "kernels/recurrent_loops.h"
#include "kernels/sentence_attention_loops.h"
#include "kernels/sublayer_loops.h"
#include "kernels/transformer_loops.h"

#include "kernels/sets.h"

namespace heed {
namespace {

constexpr Kernels table_of(const char* name) {
  return {
      .name = name,
      .columns = kColumns,
      .lanes = kLanes,
      .has_fast_int8 = kHasFastInt8,
#define KERNEL(result, kernel, parameters) .kernel = kernel,
#include "kernels/kernels.def"
#undef KERNEL
  };
}

}  // namespace
}  // namespace heed
