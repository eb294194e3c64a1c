// Recognizes files that are not text by their first bytes and names the command that converts each
// to text.
#include <string_view>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/shell.h"
#include "base/utf8.h"

namespace heed {

namespace {

using namespace std::string_view_literals;

// The operand of a command that reads the file.
std::string operand(const fs::path& path) {
  return path == "-" ? "" : " " + shell_word(path.string());
}

void refuse_utf16(const fs::path& path, std::string_view beginning) {
  const auto encoding = find_utf16(beginning);
  if (!encoding) return;
  throw_error(ErrorKind::kData, "{0}: {1}, expected UTF-8; convert it: iconv -f {1} -t UTF-8{2}",
              input_name(path), *encoding, operand(path));
}

struct Compression {
  std::string_view magic;  // first bytes of a file
  const char *name, *unpacked_by;
};

constexpr Compression kCompressions[] = {{"\xFD"
                                          "7zXZ",
                                          "xz", "xz -dc"},
                                         {"\x28\xB5\x2F\xFD", "zstd", "zstd -dc"},
                                         {"BZh91AY&SY", "bzip2", "bzip2 -dc"},
                                         {"PK\x03\x04", "zip", "unzip -p"}};

void refuse_compressed(const fs::path& path, std::string_view beginning) {
  for (const auto& [magic, name, unpacked_by] : kCompressions) {
    if (!beginning.starts_with(magic)) continue;
    throw_error(ErrorKind::kData,
                "{}: compressed by {}, expected text, plain or compressed by gzip; unpack it: {}{}",
                input_name(path), name, unpacked_by, operand(path));
  }
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

bool is_office_file(std::string_view beginning) {
  constexpr size_t kEntry = 30;  // bytes before the name of an archive's first file
  return beginning.starts_with("PK\x03\x04") && beginning.size() > kEntry &&
         beginning.substr(kEntry).starts_with("[Content_Types].xml");
}

bool is_tar(std::string_view beginning) {
  constexpr size_t kMagicAt = 257;
  return beginning.size() > kMagicAt && beginning.substr(kMagicAt).starts_with("ustar");
}

void refuse_binary(const fs::path& path, std::string_view beginning) {
  const std::string base = fs::path(path).replace_extension().string();
  for (const auto& [magic, name, needs, command] : kBinaries) {
    if (!beginning.starts_with(magic)) continue;
    throw_error(ErrorKind::kData, "{}: {}, expected lines of text; convert it ({}): {}",
                input_name(path), name, needs,
                fmt::format(fmt::runtime(command), shell_word(path.string()), shell_word(base)));
  }
  if (is_office_file(beginning))
    throw_error(ErrorKind::kData,
                "{}: an Office file, expected lines of text; save it as tab-separated text",
                input_name(path));
  if (is_tar(beginning))
    throw_error(ErrorKind::kData, "{}: a tar archive, expected lines of text; unpack it: tar -xf{}",
                input_name(path), operand(path));
}

}  // namespace

void refuse_other_formats(const fs::path& path, std::string_view beginning) {
  refuse_binary(path, beginning);
  refuse_utf16(path, beginning);
  refuse_compressed(path, beginning);
}

}  // namespace heed
