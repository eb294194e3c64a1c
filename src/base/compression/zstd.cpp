#if !defined(__EMSCRIPTEN__)

#include <zstd.h>
#include <zstd_errors.h>

#include "base/compression/codec.h"
#include "base/error.h"

namespace heed {

namespace {

constexpr int kLargestWindow = 27;  // log2 of bytes, that of `zstd --ultra`

struct Free {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class ZstdDecoder final : public StreamDecoder {
 public:
  ZstdDecoder() {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kLargestWindow);
  }

  void decode(std::string_view& from, std::span<char>& to, bool /*at_end*/) override {
    ZSTD_inBuffer input{from.data(), from.size(), 0};
    ZSTD_outBuffer output{to.data(), to.size(), 0};
    // Without input only what is left of a block is written.
    const size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(result)) refuse(result);
    if (input.pos > 0 || output.pos > 0) complete_ = result == 0;
    from.remove_prefix(input.pos);
    to = to.subspan(output.pos);
  }
  bool is_complete() const override { return complete_; }

 private:
  [[noreturn]] static void refuse(size_t result) {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        throw CompressionFault(
            fmt::format("decompressing it needs more than {} MiB of memory (zstd --long)",
                        (1 << kLargestWindow) >> 20),
            false);
      case ZSTD_error_dictionary_wrong:
        throw CompressionFault("it was compressed with a dictionary", false);
      default:
        throw_damage(ZSTD_getErrorName(result));
    }
  }
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
  bool complete_ = false;
};

class ZstdEncoder final : public StreamEncoder {
 public:
  ZstdEncoder() {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void encode(std::string_view bytes, std::string& compressed) override {
    run(bytes, compressed, ZSTD_e_continue);
  }
  void finish(std::string& compressed) override { run({}, compressed, ZSTD_e_end); }

 private:
  void run(std::string_view bytes, std::string& compressed, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      char block[kEncodedBlock];
      ZSTD_outBuffer output{block, sizeof(block), 0};
      const size_t rest = ZSTD_compressStream2(context_.get(), &output, &input, directive);
      HEED_CHECK(!ZSTD_isError(rest), "{}", ZSTD_getErrorName(rest));
      compressed.append(block, output.pos);
      done = directive == ZSTD_e_end ? rest == 0 : input.pos == input.size;
    }
  }
  std::unique_ptr<ZSTD_CCtx, Free> context_{ZSTD_createCCtx()};
};

}  // namespace

std::unique_ptr<StreamDecoder> make_zstd_decoder() { return std::make_unique<ZstdDecoder>(); }

std::unique_ptr<StreamEncoder> make_zstd_encoder() { return std::make_unique<ZstdEncoder>(); }

}  // namespace heed

#endif
