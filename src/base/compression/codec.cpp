#include "base/compression/codec.h"

#include "base/error.h"

namespace heed {

void throw_damage(std::string_view reason) {
  throw CompressionFault(fmt::format("the compressed data are damaged ({})", reason), true);
}

std::unique_ptr<StreamDecoder> make_decoder(Compression compression) {
  HEED_CHECK(compression != Compression::kZip);
  if (compression == Compression::kGzip) return make_gzip_decoder();
  return compression == Compression::kXz ? make_xz_decoder() : make_zstd_decoder();
}

std::unique_ptr<StreamEncoder> make_encoder(Compression compression) {
  HEED_CHECK(compression != Compression::kZip);
  if (compression == Compression::kGzip) return make_gzip_encoder();
  return compression == Compression::kXz ? make_xz_encoder() : make_zstd_encoder();
}

}  // namespace heed
