#if !defined(__EMSCRIPTEN__)

#include <lzma.h>

#include "base/compression/codec.h"
#include "base/error.h"

namespace heed {

namespace {

uint8_t* lzma_bytes(char* bytes) { return reinterpret_cast<uint8_t*>(bytes); }
const uint8_t* lzma_bytes(const char* bytes) { return reinterpret_cast<const uint8_t*>(bytes); }

class XzDecoder final : public StreamDecoder {
 public:
  XzDecoder() {
    constexpr uint32_t kFlags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;
    HEED_CHECK(lzma_stream_decoder(&stream_, kMostDecoderMemory, kFlags) == LZMA_OK);
  }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  void decode(std::string_view& from, std::span<char>& to, bool at_end) override {
    stream_.next_in = lzma_bytes(from.data());
    stream_.avail_in = from.size();
    stream_.next_out = lzma_bytes(to.data());
    stream_.avail_out = to.size();
    const lzma_ret result = lzma_code(&stream_, at_end ? LZMA_FINISH : LZMA_RUN);
    from.remove_prefix(from.size() - stream_.avail_in);
    to = to.last(stream_.avail_out);
    complete_ = result == LZMA_STREAM_END;
    if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR) refuse(result);
  }
  bool is_complete() const override { return complete_; }

 private:
  [[noreturn]] static void refuse(lzma_ret result) {
    switch (result) {
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw CompressionFault(fmt::format("decompressing it needs more than {} MiB of memory",
                                           kMostDecoderMemory >> 20),
                               false);
      case LZMA_OPTIONS_ERROR:
      case LZMA_UNSUPPORTED_CHECK:
        throw CompressionFault("the compressed data use options of xz that are not supported",
                               false);
      case LZMA_FORMAT_ERROR:
        throw_damage("other data follow");
      default:
        throw_damage("incorrect data or checksum");
    }
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool complete_ = false;
};

class XzEncoder final : public StreamEncoder {
 public:
  XzEncoder() {
    HEED_CHECK(lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) == LZMA_OK);
  }
  ~XzEncoder() override { lzma_end(&stream_); }
  XzEncoder(const XzEncoder&) = delete;
  XzEncoder& operator=(const XzEncoder&) = delete;

  void encode(std::string_view bytes, std::string& compressed) override {
    run(bytes, compressed, LZMA_RUN);
  }
  void finish(std::string& compressed) override { run({}, compressed, LZMA_FINISH); }

 private:
  void run(std::string_view bytes, std::string& compressed, lzma_action action) {
    stream_.next_in = lzma_bytes(bytes.data());
    stream_.avail_in = bytes.size();
    do {
      char block[kEncodedBlock];
      stream_.next_out = lzma_bytes(block);
      stream_.avail_out = sizeof(block);
      const lzma_ret result = lzma_code(&stream_, action);
      if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
      HEED_CHECK(result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR);
      compressed.append(block, sizeof(block) - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_xz_decoder() { return std::make_unique<XzDecoder>(); }

std::unique_ptr<StreamEncoder> make_xz_encoder() { return std::make_unique<XzEncoder>(); }

}  // namespace heed

#endif
