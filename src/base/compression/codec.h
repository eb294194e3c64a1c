// Compressed text as a stream of bytes: gzip, xz and zstd.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/compression/compressed_name.h"

namespace heed {

// The data cannot be decompressed: they are damaged, or need more memory than is allowed.
struct CompressionFault : std::runtime_error {
  CompressionFault(const std::string& what, bool damaged)
      : std::runtime_error(what), is_damage(damaged) {}
  bool is_damage;
};
[[noreturn]] void throw_damage(std::string_view reason);

// Memory of a decoder in bytes: twice what `xz -9` and `zstd --ultra -22` need.
inline constexpr uint64_t kMostDecoderMemory = uint64_t{256} << 20;

// Streams that follow each other are read as one.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  // Reads from `from` and writes to `to`, and moves both behind what was read and written. at_end: no
  // bytes follow those of `from`. Throws CompressionFault.
  virtual void decode(std::string_view& from, std::span<char>& to, bool at_end) = 0;
  // True if the data may end behind what was read.
  virtual bool is_complete() const = 0;
};

class StreamEncoder {
 public:
  virtual ~StreamEncoder() = default;
  // Appends compressed bytes.
  virtual void encode(std::string_view bytes, std::string& compressed) = 0;
  virtual void finish(std::string& compressed) = 0;
};

// Compression: all but kZip.
std::unique_ptr<StreamDecoder> make_decoder(Compression compression);
std::unique_ptr<StreamEncoder> make_encoder(Compression compression);

// Each in the file of its name.
std::unique_ptr<StreamDecoder> make_gzip_decoder();
std::unique_ptr<StreamEncoder> make_gzip_encoder();
std::unique_ptr<StreamDecoder> make_xz_decoder();
std::unique_ptr<StreamEncoder> make_xz_encoder();
std::unique_ptr<StreamDecoder> make_zstd_decoder();
std::unique_ptr<StreamEncoder> make_zstd_encoder();

inline constexpr size_t kEncodedBlock = size_t{1} << 16;

}  // namespace heed
