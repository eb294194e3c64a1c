// The JSON header of a safetensors file: types, shapes and offsets of the tensors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/safetensors.h"

namespace heed {

// F32, I64, …; nullopt if the format or this program does not support the type.
std::optional<std::string> type_word(torch::ScalarType type);

// The header of tensors that lie one behind the other in the order in which the format's own
// library puts them: widest type first, then by name. Padded with spaces to a multiple of 8 bytes.
std::string make_header(const TensorEntries& entries);
// Their names in that order.
std::vector<std::string> file_order(const TensorEntries& entries);

// Reads a header and checks it against the bytes that follow it: each tensor once, as many bytes as
// type and shape need, one behind the other from the first byte to the last. Throws
// std::runtime_error that names the fault.
TensorEntries parse_header(std::string_view header, uint64_t data_size);

}  // namespace heed
