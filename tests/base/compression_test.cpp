// Compressed texts. The libraries of the formats, and zipfile of Python, write what heed reads and read
// what it writes.
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstdlib>
#include <thread>

#include "base/compression/compressed_name.h"
#include "base/compression/stored_text.h"
#include "base/error.h"
#include "base/file.h"
#include "temporary_folder.h"

namespace heed {
namespace {

using Texts = std::vector<std::string>;

std::string by_zlib(const std::string& text) {
  const TemporaryFolder folder;
  gzFile file = gzopen((folder / "a").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_plainly(folder / "a");
}

std::string by_liblzma(const std::string& text) {
  std::string bytes(lzma_stream_buffer_bound(text.size()), '\0');
  size_t size = 0;
  HEED_CHECK(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                     reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                                     reinterpret_cast<uint8_t*>(bytes.data()), &size,
                                     bytes.size()) == LZMA_OK);
  bytes.resize(size);
  return bytes;
}

std::string by_libzstd(const std::string& text) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress2(context, bytes.data(), bytes.size(), text.data(), text.size());
  HEED_CHECK(!ZSTD_isError(size));
  ZSTD_freeCCtx(context);
  bytes.resize(size);
  return bytes;
}

std::string from_zlib(const fs::path& path, size_t size) {
  std::string text(size + 1, '\0');
  gzFile file = gzopen(path.c_str(), "rb");
  text.resize(static_cast<size_t>(gzread(file, text.data(), static_cast<unsigned>(text.size()))));
  gzclose(file);
  return text;
}

std::string from_liblzma(const fs::path& path, size_t size) {
  const std::string bytes = read_plainly(path);
  std::string text(size + 1, '\0');
  uint64_t limit = UINT64_MAX;
  size_t read = 0, written = 0;
  EXPECT_EQ(lzma_stream_buffer_decode(
                &limit, 0, nullptr, reinterpret_cast<const uint8_t*>(bytes.data()), &read,
                bytes.size(), reinterpret_cast<uint8_t*>(text.data()), &written, text.size()),
            LZMA_OK);
  EXPECT_EQ(read, bytes.size());
  text.resize(written);
  return text;
}

std::string from_libzstd(const fs::path& path, size_t size) {
  const std::string bytes = read_plainly(path);
  std::string text(size + 1, '\0');
  const size_t written = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  EXPECT_FALSE(ZSTD_isError(written)) << ZSTD_getErrorName(written);
  text.resize(ZSTD_isError(written) ? 0 : written);
  return text;
}

struct Format {
  const char* ending;
  std::string (*compress)(const std::string& text);
  std::string (*decompress)(const fs::path& path, size_t size);
};
const std::array<Format, 3> kLibraries{{{".gz", by_zlib, from_zlib},
                                        {".xz", by_liblzma, from_liblzma},
                                        {".zst", by_libzstd, from_libzstd}}};

Texts texts_of(const fs::path& path) {
  Texts lines;
  LineReader reader(path);
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

// Lines that hardly compress, of `size` bytes or more.
std::string varied_text(size_t size) {
  std::string text;
  for (uint64_t i = 1; text.size() < size; ++i)
    text += std::to_string(i * 0x9E3779B97F4A7C15) + "\n";
  return text;
}

TEST(Compression, IsReadByContent) {
  const TemporaryFolder folder;
  const std::string large = varied_text(1 << 20), even(1 << 19, 'x');
  for (const Format& format : kLibraries) {
    for (const std::string& text : {std::string(), std::string("a\n\nb"), large, even}) {
      write_plainly(folder / "plain", text);
      write_plainly(folder / "text", format.compress(text));
      EXPECT_TRUE(texts_of(folder / "text") == texts_of(folder / "plain")) << format.ending;
    }
    EXPECT_FALSE(LineReader(folder / "text").is_plain());
  }
}

TEST(Compression, MayHaveSeveralStreams) {
  const TemporaryFolder folder;
  for (const auto& [ending, compress, decompress] : kLibraries) {
    write_plainly(folder / "text", compress("a\nb") + compress("") + compress("c\nd\n"));
    EXPECT_EQ(texts_of(folder / "text"), (Texts{"a", "bc", "d"})) << ending;
  }
  // The beginning of a file of pzstd.
  write_plainly(folder / "text",
                std::string("\x50\x2A\x4D\x18\x04\0\0\0size", 12) + by_libzstd("a\n"));
  EXPECT_EQ(texts_of(folder / "text"), Texts{"a"});
  // Padding of xz is a multiple of four bytes.
  write_plainly(folder / "text", by_liblzma("a\n") + std::string(4, '\0') + by_liblzma("b\n"));
  EXPECT_EQ(texts_of(folder / "text"), (Texts{"a", "b"}));
}

TEST(Compression, IsWholeAndUndamaged) {
  const TemporaryFolder folder;
  const std::string text = varied_text(500);
  for (const auto& [ending, compress, decompress] : kLibraries) {
    const std::string whole = compress(text);
    for (size_t length = 6; length < whole.size(); ++length) {
      write_plainly(folder / "cut", whole.substr(0, length));
      EXPECT_ERROR(texts_of(folder / "cut"), ErrorKind::kIo, "too early");
    }
    // Bytes 4 to 9 of gzip are no part of the text.
    for (size_t at = 10; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      write_plainly(folder / "damaged", damaged);
      EXPECT_THROW(texts_of(folder / "damaged"), Error) << ending << " " << at;
    }
    write_plainly(folder / "tail", whole + "something else");
    EXPECT_ERROR(texts_of(folder / "tail"), ErrorKind::kIo, "damaged");
  }
}

TEST(Compression, IsNotDoneTwice) {
  const TemporaryFolder folder;
  for (const auto& [ending, compress, decompress] : kLibraries) {
    const fs::path path = folder / ("a.en" + std::string(ending));
    write_plainly(path, compress(by_zlib("a\n")));
    EXPECT_ERROR(texts_of(path), ErrorKind::kData, "compressed twice, inside by gzip");
    EXPECT_ERROR(texts_of(path), ErrorKind::kData, "| gzip -dc /dev/stdin > ");
  }
}

TEST(Compression, BombsAreRefusedByTheirLine) {
  const TemporaryFolder folder;
  for (const auto& [ending, compress, decompress] : kLibraries) {
    write_plainly(folder / "bomb", compress("short\n" + std::string(kLongestLine + 1, 'x')));
    LineReader bomb(folder / "bomb");
    std::string line;
    ASSERT_TRUE(bomb.next(line));
    EXPECT_ERROR(bomb.next(line), ErrorKind::kData, "bomb:2: this line has more than 16 MiB");
  }
}

// xz --lzma2=dict=512MiB, zstd --long=31
TEST(Compression, LimitsMemory) {
  const TemporaryFolder folder;
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = uint32_t{512} << 20;
  const std::array<lzma_filter, 2> filters{
      {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}}};
  std::string xz(1000, '\0');
  size_t size = 0;
  ASSERT_EQ(lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters.data()), LZMA_CHECK_CRC64,
                                      nullptr, reinterpret_cast<const uint8_t*>("a\n"), 2,
                                      reinterpret_cast<uint8_t*>(xz.data()), &size, xz.size()),
            LZMA_OK);
  write_plainly(folder / "text", xz.substr(0, size));
  EXPECT_ERROR(texts_of(folder / "text"), ErrorKind::kData, "needs more than 256 MiB of memory");
  // Magic number, no size of content, a window of 2^31 bytes.
  write_plainly(folder / "text",
                std::string("\x28\xB5\x2F\xFD\x00\xA8", 6) + std::string(100, 'x'));
  EXPECT_ERROR(texts_of(folder / "text"), ErrorKind::kData, "needs more than 128 MiB of memory");
}

// Each byte for itself, so that the format is not known at the first one.
TEST(Compression, IsReadFromAPipe) {
  for (const auto& [ending, compress, decompress] : kLibraries) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const std::string bytes = compress("a\nb\n");
    std::thread writer([&, file = ends[1]] {
      for (const char byte : bytes) EXPECT_EQ(write(file, &byte, 1), 1);
      close(file);
    });
    EXPECT_EQ(texts_of("/dev/fd/" + std::to_string(ends[0])), (Texts{"a", "b"})) << ending;
    writer.join();
    close(ends[0]);
  }
}

TEST(Compression, OfAnOutputIsInItsName) {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string(), std::string("a\n"), varied_text(3 << 20)}) {
    for (const auto& [ending, compress, decompress] : kLibraries) {
      const fs::path path = folder / ("out" + std::string(ending));
      AtomicFile file(path);
      for (size_t at = 0; at < text.size(); at += 1000) file.write(text.substr(at, 1000));
      file.commit();
      EXPECT_TRUE(decompress(path, text.size()) == text) << ending;
    }
  }
  EXPECT_EQ(folder.names(), (Texts{"out.gz", "out.xz", "out.zst"}));
  EXPECT_ERROR(AtomicFile(folder / "out.zip"), ErrorKind::kUsage, "zip archives are not written");
}

TEST(Compression, IsNoPartOfAName) {
  for (const char* name : {"a.en", "a.en.gz", "a.en.xz", "a.en.zst", "a.en.zip"})
    EXPECT_EQ(without_compression(name), "a.en");
  EXPECT_EQ(without_compression("gz"), "gz");
}

class Zip : public testing::Test {
 protected:
  // Statements of Python with z = a ZipFile that is written.
  fs::path write(const std::string& name, const std::string& statements) const {
    write_plainly(folder_ / "write.py",
                  "import sys\nfrom zipfile import *\nz = ZipFile(sys.argv[1], 'w')\n" +
                      statements + "\nz.close()\n");
    const std::string command =
        fmt::format("python3 {} {}", (folder_ / "write.py").string(), (folder_ / name).string());
    EXPECT_EQ(std::system(command.c_str()), 0) << statements;
    return folder_ / name;
  }
  TemporaryFolder folder_;
};

constexpr const char* kOpus =
    "for name, text in ('README', 'r'), ('LICENSE', 'l'), ('d/T.de-en.de', 'eins\\nzwei\\n'), "
    "('d/T.de-en.en', 'one\\ntwo\\n'): z.writestr(name, text, ZIP_DEFLATED)";

TEST_F(Zip, WithOneTextIsThatText) {
  const fs::path one = write("one.zip",
                             "z.comment = b'PK'\nz.writestr('folder/', '')\n"
                             "z.writestr('__MACOSX/._a', 'x')\nz.writestr('.hidden', 'x')\n"
                             "z.writestr('folder/a.en', 'one\\ntwo\\n')");
  EXPECT_EQ(texts_of(one), (Texts{"one", "two"}));
  EXPECT_FALSE(LineReader(one).is_plain());
  EXPECT_EQ(texts_of(one / "folder/a.en"), (Texts{"one", "two"}));
  EXPECT_EQ(texts_of(one / ".hidden"), Texts{"x"});
  write("large.zip", "z.writestr('a', 'a line\\n' * 1000000, ZIP_DEFLATED)");
  EXPECT_EQ(texts_of(folder_ / "large.zip").size(), 1'000'000U);
}

TEST_F(Zip, Zip64IsRead) {
  const fs::path file =
      write("a.zip",
            "f = z.open('a', 'w', force_zip64=True); f.write(b'one\\n'); f.close()\n"
            "import zipfile; zipfile.ZIP_FILECOUNT_LIMIT = 0");
  EXPECT_EQ(texts_of(file), Texts{"one"});
}

TEST_F(Zip, WithSeveralTextsNeedsAName) {
  const fs::path opus = write("opus.zip", kOpus);
  EXPECT_ERROR(texts_of(opus), ErrorKind::kData,
               "the archive has 4 members, expected one text: README, LICENSE, d/T.de-en.de, "
               "d/T.de-en.en; name one as " +
                   (opus / "README").string());
  EXPECT_EQ(texts_of(opus / "d/T.de-en.de"), (Texts{"eins", "zwei"}));
  EXPECT_ERROR(texts_of(opus / "d/T.de-en.em"), ErrorKind::kData,
               "has no such member, found: README, LICENSE, d/T.de-en.de, d/T.de-en.en; did you "
               "mean 'd/T.de-en.e");
  write_plainly(folder_ / "plain", "a\n");
  EXPECT_ERROR(texts_of(folder_ / "plain/a"), ErrorKind::kIo, "neither a folder nor a zip archive");
  EXPECT_TRUE(is_stored_text(opus / "d/T.de-en.de"));
  EXPECT_FALSE(is_stored_text(folder_ / "none/a"));
}

TEST_F(Zip, OfOtherKindsIsRefused) {
  for (const auto& [statements, part] :
       {std::pair{"z.writestr('../a', 'x')", "a path that leads out of the archive"},
        {"z.writestr('/a', 'x')", "a path that leads out of the archive"},
        {"z.writestr('a', 'x', ZIP_BZIP2)", "compressed by bzip2"},
        {"z.writestr('a', 'x', ZIP_LZMA)", "compressed by lzma"},
        {"z.writestr('a', 'x')\nz.filelist[0].flag_bits |= 1", "encrypted"},
        {"import gzip; z.writestr('a.gz', gzip.compress(b'x'))",
         "compressed twice, inside by gzip"},
        {"import io; b = io.BytesIO(); ZipFile(b, 'w').close(); z.writestr('b.zip', b.getvalue())",
         "compressed twice, inside by zip"},
        {"pass", "the archive is empty"},
        {"z.writestr('a/', '')", "the archive has no text"},
        {"z.writestr('[Content_Types].xml', ''); z.writestr('word/document.xml', '')",
         "a Word file"}})
    EXPECT_ERROR(texts_of(write("a.zip", statements)), ErrorKind::kData, part);
  const fs::path twice = write("twice.zip",
                               "import warnings; warnings.simplefilter('ignore')\n"
                               "z.writestr('a', 'x'); z.writestr('a', 'y'); z.writestr('b', 'y')");
  EXPECT_ERROR(texts_of(twice / "a"), ErrorKind::kData, "2 members of this name");
}

TEST_F(Zip, IsWholeAndUndamaged) {
  const std::string whole = read_plainly(write(
      "a.zip", "z.writestr('a', ''.join('%d\\n' % (i * i) for i in range(100)), ZIP_DEFLATED)"));
  for (size_t length = 4; length < whole.size(); ++length) {
    write_plainly(folder_ / "cut", whole.substr(0, length));
    EXPECT_ERROR(texts_of(folder_ / "cut"), ErrorKind::kIo, "truncated");
  }
  write_plainly(folder_ / "tail", whole + "more");
  EXPECT_ERROR(texts_of(folder_ / "tail"), ErrorKind::kIo, "other data follow it");
  int64_t undamaged = 0;
  constexpr size_t kText = 31;  // behind the local header
  const size_t directory = whole.find("PK\x01\x02");
  ASSERT_NE(directory, std::string::npos);
  for (size_t at = kText; at < directory; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    write_plainly(folder_ / "damaged", damaged);
    try {  // the last byte may end data whose text and checksum are whole
      EXPECT_TRUE(texts_of(folder_ / "damaged") == texts_of(folder_ / "a.zip")) << at;
      ++undamaged;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo) << at;
    }
  }
  EXPECT_LE(undamaged, 1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], whole.data(), whole.size()), std::ssize(whole));
  close(ends[1]);
  EXPECT_ERROR(texts_of("/dev/fd/" + std::to_string(ends[0])), ErrorKind::kData,
               "expected a file, not a pipe");
  close(ends[0]);
}

}  // namespace
}  // namespace heed
