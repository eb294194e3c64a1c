// Embeddings and output layer of a model of Marian, by their names.
#pragma once

#include <cstdint>
#include <string>

#include "exchange/toolkit_model.h"

namespace heed {

struct MarianTables {
  int64_t width = 0;         // of the embeddings
  bool bias = true;          // of the output layer
  std::string tie = "none";  // heed's word
  std::string output = "decoder_ff_logit_out";

  const char* source_embedding() const { return shares_inputs() ? "Wemb" : "encoder_Wemb"; }
  const char* target_embedding() const { return shares_inputs() ? "Wemb" : "decoder_Wemb"; }
  bool shares_inputs() const { return tie == "all" || tie == "inputs"; }
  bool ties_output() const { return tie == "all" || tie == "target"; }
};

// Take a matrix [rows, columns], or a row [1, size], which older files have as [size]. Refuse the model
// for another shape.
Tensor marian_matrix(ToolkitParameters& from, const std::string& name, int64_t rows,
                     int64_t columns);
Tensor marian_row(ToolkitParameters& from, const std::string& name, int64_t size);

}  // namespace heed
