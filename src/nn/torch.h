// The parts of libtorch that the project uses, for .cpp files. <torch/torch.h> brings everything
// else as well and makes every file that includes it three times as slow to compile. Headers
// include the narrow <torch/types.h>, by nn/tensor.h.
#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>
