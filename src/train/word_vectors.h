// Pretrained word vectors from a file: the text format of word2vec, with a line of two numbers
// first, that of GloVe, without it, and the binary format of word2vec. The content shows which one
// it is.
#pragma once

#include <cstdint>
#include <filesystem>

#include "nn/tensor.h"
#include "text/codec.h"

namespace heed {

struct VectorCoverage {
  int64_t found = 0, tokens = 0;  // of the vocabulary, without the special tokens
};

// Fills the rows of `embedding` [V,E] whose tokens are in the file, and leaves the others. A subword
// that begins a word is looked up as it is written, else without its mark. Throws Error(kData) with
// file and line if the width of a vector is not E or a number cannot be read, Error(kIo).
VectorCoverage read_word_vectors(const std::filesystem::path& path, const Codec& codec,
                                 const Tensor& embedding);

}  // namespace heed
