// The JSON header of a safetensors file: types, shapes and offsets of the tensors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

enum class ElementType {
  kInt64,
  kFloat64,
  kFloat32,
  kInt32,
  kBFloat16,
  kFloat16,
  kInt8,
  kUInt8,
  kBool
};

// F32, I64, …
const char* type_word(ElementType type);
uint64_t bytes_of(ElementType type);  // of an element

// Entry of a tensor in the header; begin and end are byte offsets behind the header.
struct TensorEntry {
  ElementType type = ElementType::kFloat32;
  std::vector<int64_t> shape;
  int64_t numbers() const {  // elements of the tensor
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  }
  uint64_t begin = 0, end = 0;
};
using TensorEntries = std::map<std::string, TensorEntry>;

// The header of tensors that lie one behind the other in the order in which the format's own
// library puts them: widest type first, then by name. Padded with spaces to a multiple of 8 bytes.
// metadata: what the file says of itself.
std::string make_header(const TensorEntries& entries,
                        const std::map<std::string, std::string>& metadata = {});
// Their names in that order.
std::vector<std::string> file_order(const TensorEntries& entries);

// Reads a header and checks it against the bytes that follow it: each tensor once, as many bytes as
// type and shape need, one behind the other from the first byte to the last. Throws
// std::runtime_error that names the fault.
TensorEntries parse_header(std::string_view header, uint64_t data_size);

}  // namespace heed
