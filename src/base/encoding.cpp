#include "base/encoding.h"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "base/compression/compressed_name.h"
#include "base/compression/stored_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr const char* kWestern = "WINDOWS-1252";

// ICU's name as iconv and Python know it; "": of no use.
std::string known_name(std::string name) {
  if (name == "ISO-8859-1" || name == "windows-1252") return kWestern;
  if (name.starts_with("UTF-") || name.starts_with("IBM")) return "";
  if (name.ends_with("-I")) name.resize(name.size() - 2);  // Hebrew in the order of reading
  return name;
}

// "": ICU is not sure of any.
std::string detect(const std::string& text) {
  constexpr int32_t kLeastConfidence = 20;  // of 100
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status),
                                                                            &ucsdet_close);
  ucsdet_setText(detector.get(), text.data(), static_cast<int32_t>(text.size()), &status);
  int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &status);
  if (U_FAILURE(status)) return "";
  for (int32_t i = 0; i < count; ++i) {
    if (ucsdet_getConfidence(matches[i], &status) < kLeastConfidence) break;
    const std::string name = known_name(ucsdet_getName(matches[i], &status));
    if (U_SUCCESS(status) && !name.empty()) return name;
  }
  return "";
}

bool is_ascii(const std::string& line) {
  return std::ranges::all_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// One character a byte, so that a malformed byte stands for a character.
bool is_of_bytes(const std::string& encoding) {
  return encoding.starts_with("WINDOWS-") || encoding.starts_with("windows-") ||
         encoding.starts_with("ISO-8859") || encoding.starts_with("KOI8");
}

std::string shown_name(const std::string& encoding) {
  return encoding == kWestern ? "ISO 8859-1 (Windows-1252)" : encoding;
}

std::string utf8_name(const std::filesystem::path& file) {
  return new_name(file, ".utf8" + without_compression(file).extension().string());
}

// {}: the encoding. Python's decoder asks for the character of each malformed byte.
constexpr const char* kMixedCommand =
    R"~(python3 -c "import codecs, sys; codecs.register_error('old', lambda e: )~"
    R"~((e.object[e.start:e.end].decode('{}', 'replace'), e.end)); sys.stdout.buffer.write()~"
    R"~(open(sys.argv[1], 'rb').read().decode('utf-8', 'old').encode())")~";

}  // namespace

std::string utf8_command(const std::string& encoding, const std::filesystem::path& file) {
  return filter_command(fmt::format("iconv -f {} -t UTF-8", encoding), file, utf8_name(file));
}

bool TextEncoding::is_mixed() const {
  constexpr int64_t kByAccident = 20;  // one of so many lines may be UTF-8 too
  return kByAccident * well_formed > malformed;
}

TextEncoding find_encoding(const std::filesystem::path& file, int64_t lines) {
  constexpr size_t kSample = size_t{64} << 10;  // bytes
  TextEncoding found;
  if (!is_stored_text(file)) return found;
  LineReader reader(file);
  std::string sample;
  for (std::string line; reader.line_number() < lines && reader.next(line);) {
    if (is_ascii(line)) continue;
    if (is_utf8(line)) {
      ++found.well_formed;
      continue;
    }
    ++found.malformed;
    if (sample.size() < kSample) sample += line + '\n';
  }
  if (found.malformed > 0) found.name = detect(sample);
  return found;
}

std::string conversion_advice(const TextEncoding& encoding, const std::filesystem::path& file) {
  if (encoding.is_mixed()) {
    if (!is_of_bytes(encoding.name)) return "the other lines are UTF-8; correct these";
    const std::string command = fmt::format(fmt::runtime(kMixedCommand), encoding.name);
    return fmt::format("they look like {}, the other lines like UTF-8; convert the bytes: {}",
                       shown_name(encoding.name), filter_command(command, file, utf8_name(file)));
  }
  if (encoding.name.empty())
    return "convert it: " + utf8_command("ENCODING", encoding.malformed > 0 ? file : "-");
  return fmt::format("the file looks like {}; convert it: {}", shown_name(encoding.name),
                     utf8_command(encoding.name, file));
}

bool MalformedLines::are_many() const {
  constexpr int64_t kLeast = 10, kShare = 1'000;
  return malformed >= kLeast && kShare * malformed > lines;
}

bool MalformedLines::are_too_many() const {
  constexpr int64_t kShare = 100;
  return (are_many() && kShare * malformed > lines) || 2 * malformed > lines;
}

std::string MalformedLines::text() const {
  return fmt::format("{}: {} of {} lines are malformed UTF-8; {}", name, format_count(malformed),
                     format_count(lines), conversion_advice(find_encoding(file), file));
}

void refuse_malformed(std::vector<MalformedLines> files) {
  std::ranges::sort(files, std::ranges::greater(), &MalformedLines::malformed);
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (std::ranges::count(files.begin(), file, file->file, &MalformedLines::file) > 0) continue;
    if (file->are_too_many()) throw Error(ErrorKind::kData, file->text());
    if (file->are_many()) spdlog::warn("{}", file->text());
  }
}

}  // namespace heed
