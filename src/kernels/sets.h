// Tables of the instruction sets, each made in its own file.
#pragma once

#include "kernels/kernels.h"

namespace heed {

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvxVnniKernels, kAvx512Kernels, kAvx512VnniKernels,
    kAvx512Bf16Kernels;
const Kernels& amx_kernels();
#elif defined(__aarch64__)
extern const Kernels kNeonDotKernels, kNeonI8mmKernels, kNeonBf16Kernels;
#endif

}  // namespace heed
