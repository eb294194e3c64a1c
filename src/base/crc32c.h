// CRC-32C (Castagnoli), the checksum of TFRecord files; zlib's crc32 has another polynomial.
#pragma once

#include <cstdint>
#include <string_view>

namespace heed {

uint32_t crc32c(std::string_view bytes);

}  // namespace heed
