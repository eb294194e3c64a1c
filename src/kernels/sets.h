// Tables of the instruction sets, each compiled in its own file.
#pragma once

#include "kernels/kernels.h"

namespace heed {

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvx512Kernels, kAvx512VnniKernels;
#endif

}  // namespace heed
