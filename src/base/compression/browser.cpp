// Models in browsers have no text that is compressed by these formats.
#if defined(__EMSCRIPTEN__)

#include "base/compression/codec.h"
#include "base/compression/zip_member.h"
#include "base/error.h"

namespace heed {

namespace {

[[noreturn]] void refuse() {
  throw CompressionFault("browsers decompress gzip alone", /*damaged=*/false);
}

}  // namespace

std::unique_ptr<StreamDecoder> make_xz_decoder() { refuse(); }
std::unique_ptr<StreamEncoder> make_xz_encoder() { refuse(); }
std::unique_ptr<StreamDecoder> make_zstd_decoder() { refuse(); }
std::unique_ptr<StreamEncoder> make_zstd_encoder() { refuse(); }

struct ZipMember::Impl {};
ZipMember::ZipMember(const Descriptor& /*file*/, const StoredText& /*text*/) { refuse(); }
ZipMember::~ZipMember() = default;
size_t ZipMember::read(char* /*bytes*/, size_t /*size*/) { refuse(); }

}  // namespace heed

#endif
