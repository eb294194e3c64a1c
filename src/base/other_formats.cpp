// Files that are not text, by their first bytes, and the command that makes text of each.
#include <algorithm>
#include <string_view>

#include "base/compression/compressed_name.h"
#include "base/descriptor.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/file.h"
#include "base/shell.h"
#include "base/utf8.h"

namespace heed {

namespace {

using namespace std::string_view_literals;

std::string operand(const fs::path& path) {
  return path == "-" ? "FILE" : shell_word(path.string());
}

void refuse_utf16(const fs::path& path, std::string_view beginning) {
  const auto encoding = find_utf16(beginning);
  if (!encoding) return;
  throw_error(ErrorKind::kData, "{}: {}, expected UTF-8; convert it: {}", input_name(path),
              *encoding, utf8_command(*encoding, path));
}

struct OtherCompression {
  std::string_view magic;  // first bytes of a file
  const char *name, *command;
};

constexpr OtherCompression kOtherCompressions[] = {{"BZh91AY&SY", "bzip2", "bzip2 -dc"},
                                                   {"7z\xBC\xAF\x27\x1C", "7-Zip", "7z x -so"}};

// train.en.bz2 → train.en, a.7z → a.txt
std::string unpacked_name(const fs::path& path) {
  if (format_of_name(path) == nullptr)
    return new_name(path, path.stem().has_extension() ? "" : ".txt");
  const std::string ending = without_compression(path).extension().string();
  return new_name(path, ending.empty() ? ".txt" : ending);
}

void refuse_compressed(const fs::path& path, std::string_view beginning) {
  for (const auto& [magic, name, command] : kOtherCompressions) {
    if (!beginning.starts_with(magic)) continue;
    throw_error(
        ErrorKind::kData,
        "{}: compressed by {}, expected text, plain or compressed by gzip, xz, zstd or zip; "
        "unpack it: {}",
        input_name(path), name, filter_command(command, path, unpacked_name(path)));
  }
  if (const CompressionFormat* second = format_of_bytes(beginning))
    throw_error(ErrorKind::kData,
                "{}: compressed twice, inside by {}, expected text that is compressed once; unpack "
                "it: {}",
                input_name(path), second->name,
                filter_command(second->command, path, unpacked_name(path)));
}

struct Binary {
  std::string_view magic;
  const char *name, *needs;
  const char* command;  // {0}: the file, {1}: a new one beside it, without its ending
};

constexpr Binary kBinaries[] = {
    {"PAR1\x15"sv, "a Parquet file", "pip install pandas pyarrow",
     R"~(python3 -c "import pandas, sys; pandas.read_parquet(sys.argv[1]).to_json(sys.argv[2], )~"
     R"~(orient='records', lines=True, force_ascii=False)" {0} {1}.jsonl)~"},
    {"ARROW1\0\0"sv, "an Arrow file", "pip install pandas pyarrow",
     R"~(python3 -c "import pandas, sys; pandas.read_feather(sys.argv[1]).to_json(sys.argv[2], )~"
     R"~(orient='records', lines=True, force_ascii=False)" {0} {1}.jsonl)~"},
    {"\xFF\xFF\xFF\xFF"sv, "an Arrow stream", "pip install datasets",
     R"~(python3 -c "import datasets, sys; datasets.Dataset.from_file(sys.argv[1]).to_json()~"
     R"~(sys.argv[2], force_ascii=False)" {0} {1}.jsonl)~"},
    {"%PDF-"sv, "a PDF", "apt-get install poppler-utils", "pdftotext {0} {1}.txt"},
};

// Files of word processors, spreadsheets and slides: archives with files of these names or of this
// type.
struct Office {
  const char *mark, *name, *advice;
};

constexpr const char* kSavePlain =
    "save it as plain text in UTF-8, or convert it: soffice --headless --convert-to 'txt:Text "
    "(encoded):UTF8' {}";
constexpr const char* kSaveTable = "save it as tab-separated text, the encoding UTF-8";
constexpr const char* kSaveText = "save it as text in UTF-8";

constexpr Office kOffices[] = {
    {"word/", "a Word file", kSavePlain},
    {"application/vnd.oasis.opendocument.text", "an OpenDocument text", kSavePlain},
    {"xl/", "an Excel file", kSaveTable},
    {"application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument table", kSaveTable},
    {"application/vnd.oasis.opendocument", "an OpenDocument file", kSaveText},
    {"[Content_Types].xml", "an Office file", kSaveText}};

bool is_tar(std::string_view beginning) {
  constexpr size_t kMagicAt = 257;
  return beginning.size() > kMagicAt && beginning.substr(kMagicAt).starts_with("ustar");
}

bool is_picture(std::string_view beginning) {
  return beginning.starts_with("\x89PNG\r\n") || beginning.starts_with("\xFF\xD8\xFF") ||
         beginning.starts_with("GIF8");
}

// Text has no such share of bytes 0.
bool has_many_zeros(std::string_view beginning) {
  constexpr int64_t kLeast = 32, kShare = 50;
  const int64_t zeros = std::ranges::count(beginning, '\0');
  return zeros >= kLeast && kShare * zeros >= std::ssize(beginning);
}

void refuse_binary(const fs::path& path, std::string_view beginning) {
  const std::string base = fs::path(path).replace_extension().string();
  for (const auto& [magic, name, needs, command] : kBinaries) {
    if (!beginning.starts_with(magic)) continue;
    throw_error(ErrorKind::kData, "{}: {}, expected lines of text; convert it ({}): {}",
                input_name(path), name, needs,
                fmt::format(fmt::runtime(command), shell_word(path.string()), shell_word(base)));
  }
  refuse_office_file(path, beginning);
  if (is_tar(beginning))
    throw_error(ErrorKind::kData,
                "{}: a tar archive, expected lines of text; unpack it: tar -xf {}",
                input_name(path), operand(path));
  if (is_picture(beginning))
    throw_error(ErrorKind::kData, "{}: a picture, expected lines of text", input_name(path));
}

}  // namespace

void refuse_office_file(const fs::path& path, std::string_view beginning) {
  const auto refuse = [&](const char* name, const char* advice) {
    throw_error(ErrorKind::kData, "{}: {}, expected lines of text; {}", input_name(path), name,
                fmt::format(fmt::runtime(advice), operand(path)));
  };
  if (beginning.starts_with("{\\rtf")) refuse("an RTF file", kSavePlain);
  // Signature of Word and Excel files before 2007.
  if (beginning.starts_with("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"))
    refuse("an Office file", path.extension() == ".doc" ? kSavePlain : kSaveText);
  if (!beginning.starts_with("PK\x03\x04")) return;
  for (const auto& [mark, name, advice] : kOffices)
    if (beginning.find(mark) != std::string_view::npos) refuse(name, advice);
}

void refuse_other_formats(const fs::path& path, std::string_view beginning) {
  refuse_binary(path, beginning);
  refuse_utf16(path, beginning);
  refuse_compressed(path, beginning);
  if (has_many_zeros(beginning))
    throw_error(ErrorKind::kData, "{}: binary data, expected lines of text", input_name(path));
}

}  // namespace heed
