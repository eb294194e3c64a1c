#include <zlib.h>

#include "base/compression/codec.h"
#include "base/error.h"

namespace heed {

namespace {

constexpr int kGzipOnly = 15 + 16;  // zlib's code for: window of 32 KiB, gzip header

Bytef* zlib_bytes(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

class GzipDecoder final : public StreamDecoder {
 public:
  GzipDecoder() { HEED_CHECK(inflateInit2(&stream_, kGzipOnly) == Z_OK); }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  void decode(std::string_view& from, std::span<char>& to, bool /*at_end*/) override {
    if (from.empty()) return;
    if (!inside_member_) inflateReset(&stream_);
    inside_member_ = true;
    stream_.next_in = zlib_bytes(from.data());
    stream_.avail_in = static_cast<uInt>(from.size());
    stream_.next_out = zlib_bytes(to.data());
    stream_.avail_out = static_cast<uInt>(to.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    from.remove_prefix(from.size() - stream_.avail_in);
    to = to.last(stream_.avail_out);
    if (result == Z_STREAM_END) {
      inside_member_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw_damage(stream_.msg ? stream_.msg : "no reason given");
    }
  }
  bool is_complete() const override { return !inside_member_; }

 private:
  z_stream stream_{};
  bool inside_member_ = true;  // a file is one or more members one after the other
};

class GzipEncoder final : public StreamEncoder {
 public:
  GzipEncoder() {
    constexpr int kMemory = 8;  // zlib's default
    HEED_CHECK(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemory,
                            Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;

  void encode(std::string_view bytes, std::string& compressed) override {
    run(bytes, compressed, Z_NO_FLUSH);
  }
  void finish(std::string& compressed) override { run({}, compressed, Z_FINISH); }

 private:
  void run(std::string_view bytes, std::string& compressed, int flush) {
    stream_.next_in = zlib_bytes(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      char block[kEncodedBlock];
      stream_.next_out = zlib_bytes(block);
      stream_.avail_out = sizeof(block);
      HEED_CHECK(deflate(&stream_, flush) != Z_STREAM_ERROR);
      compressed.append(block, sizeof(block) - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }
  z_stream stream_{};
};

}  // namespace

std::unique_ptr<StreamDecoder> make_gzip_decoder() { return std::make_unique<GzipDecoder>(); }

std::unique_ptr<StreamEncoder> make_gzip_encoder() { return std::make_unique<GzipEncoder>(); }

}  // namespace heed
