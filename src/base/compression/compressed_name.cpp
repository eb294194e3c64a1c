#include "base/compression/compressed_name.h"

#include <algorithm>
#include <array>

namespace heed {

namespace {

using namespace std::string_view_literals;

constexpr std::array<CompressionFormat, 4> kFormats{
    {{Compression::kGzip, "gzip", ".gz", "gzip -dc"},
     {Compression::kXz, "xz", ".xz", "xz -dc"},
     {Compression::kZstd, "zstd", ".zst", "zstd -dc"},
     {Compression::kZip, "zip", ".zip", "unzip -p"}}};

struct Magic {
  Compression compression;
  std::string_view bytes;
};
constexpr std::array<Magic, 5> kMagics{{{Compression::kGzip, "\x1F\x8B"sv},
                                        {Compression::kXz, "\xFD\x37\x7A\x58\x5A\0"sv},
                                        {Compression::kZstd, "\x28\xB5\x2F\xFD"sv},
                                        {Compression::kZip, "PK\x03\x04"sv},
                                        {Compression::kZip, "PK\x05\x06"sv}}};  // without members

// A frame without text, which pzstd writes first: 0x184D2A50 to 0x184D2A5F.
constexpr std::string_view kSkippableFrame = "\x2A\x4D\x18"sv;

bool begins_skippable_frame(std::string_view beginning) {
  return !beginning.empty() && (static_cast<unsigned char>(beginning.front()) & 0xF0) == 0x50 &&
         kSkippableFrame.starts_with(beginning.substr(1, kSkippableFrame.size()));
}

const CompressionFormat* format_of(Compression compression) {
  return std::ranges::find(kFormats, compression, &CompressionFormat::compression);
}

}  // namespace

const CompressionFormat* format_of_name(const std::filesystem::path& file) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const CompressionFormat& format) { return file.extension() == format.ending; });
  return found == kFormats.end() ? nullptr : found;
}

const CompressionFormat* format_of_bytes(std::string_view beginning) {
  for (const auto& [compression, bytes] : kMagics)
    if (beginning.starts_with(bytes)) return format_of(compression);
  const bool is_skippable =
      beginning.size() > kSkippableFrame.size() && begins_skippable_frame(beginning);
  return is_skippable ? format_of(Compression::kZstd) : nullptr;
}

bool may_begin_format(std::string_view beginning) {
  if (beginning.empty() || format_of_bytes(beginning) != nullptr) return false;
  return begins_skippable_frame(beginning) || std::ranges::any_of(kMagics, [&](const Magic& magic) {
           return magic.bytes.starts_with(beginning);
         });
}

std::filesystem::path without_compression(std::filesystem::path file) {
  if (format_of_name(file) != nullptr) file.replace_extension();
  return file;
}

}  // namespace heed
