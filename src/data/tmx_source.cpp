#include "data/tmx_source.h"

#if defined(__EMSCRIPTEN__)

// Browsers read no corpora.
namespace heed {

bool is_tmx(const std::filesystem::path& /*path*/) { return false; }

LineReader open_lines(const TextFile& text) { return LineReader(text.path); }

}  // namespace heed

#else

#include <expat.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "base/shell.h"

namespace heed {

namespace {

constexpr size_t kBlockSize = size_t{1} << 16;

using Parser = std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)>;

Parser make_parser() {
  Parser parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  return parser;
}

// Elements of codes of the original format, such as tags of bold text.
bool is_code(std::string_view element) {
  constexpr std::array<std::string_view, 5> kCodes{"bpt", "ept", "ph", "it", "ut"};
  return std::ranges::count(kCodes, element) > 0;
}

// Each run of spaces with a line break becomes a line feed, at the ends nothing.
std::string fold_breaks(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  std::string folded;
  for (size_t begin = 0; begin < text.size();) {
    const size_t space = std::min(text.find_first_of(kSpaces, begin), text.size());
    const size_t end = std::min(text.find_first_not_of(kSpaces, space), text.size());
    folded += text.substr(begin, space - begin);
    const std::string_view run = text.substr(space, end - space);
    if (run.find('\n') == std::string_view::npos)
      folded += run;
    else if (space > 0 && end < text.size())
      folded += '\n';
    begin = end;
  }
  return folded;
}

std::string language_attribute(const XML_Char** attributes) {
  std::string language;
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view name = attributes[0];
    if (name == "xml:lang") return attributes[1];
    if (name == "lang") language = attributes[1];  // TMX 1.1
  }
  return language;
}

// Once for each file, which a command may read several times.
bool is_first_warning(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> given;
  const std::lock_guard lock(mutex);
  return given.insert(path).second;
}

}  // namespace

struct TmxSource::Impl {
  explicit Impl(const std::filesystem::path& path) : path(path), parser(make_parser()) {
    XML_SetUserData(parser.get(), this);
    XML_SetElementHandler(parser.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser.get(), on_text);
    XML_SetEntityDeclHandler(parser.get(), on_entity);
    XML_SetSkippedEntityHandler(parser.get(), on_skipped_entity);
  }

  // Functions that expat calls. Exceptions must not pass through it.
  static Impl& impl_of(void* data) { return *static_cast<Impl*>(data); }
  static void on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
    impl_of(data).guarded([&](Impl& impl) { impl.start(name, attributes); });
  }
  static void on_end(void* data, const XML_Char* name) {
    impl_of(data).guarded([&](Impl& impl) { impl.end(name); });
  }
  static void on_text(void* data, const XML_Char* text, int size) {
    impl_of(data).guarded([&](Impl& impl) { impl.add({text, static_cast<size_t>(size)}); });
  }
  static void on_entity(void* data, const XML_Char* name, int, const XML_Char*, int,
                        const XML_Char*, const XML_Char*, const XML_Char*, const XML_Char*) {
    impl_of(data).guarded([&](Impl& impl) {
      impl.refuse(
          fmt::format("the entity '{}' is declared, which is not supported; replace it by its "
                      "text",
                      name));
    });
  }
  static void on_skipped_entity(void* data, const XML_Char* name, int) {
    impl_of(data).guarded([&](Impl& impl) {
      impl.refuse(
          fmt::format("the entity '{}' is unknown, because DTDs are not read; replace it by "
                      "its text",
                      name));
    });
  }
  template <class Action>
  void guarded(Action action) try {
    if (!error) action(*this);
  } catch (...) {
    error = std::current_exception();
    XML_StopParser(parser.get(), XML_FALSE);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw_error(ErrorKind::kData, "{}:{}:{}: {}", input_name(path),
                XML_GetCurrentLineNumber(parser.get()),
                XML_GetCurrentColumnNumber(parser.get()) + 1, what);
  }

  void start(std::string_view name, const XML_Char** attributes) {
    constexpr int kDeepest = 100;
    if (++depth == 1 && name != "tmx")
      refuse(fmt::format("found <{}>, expected <tmx>, the root of a translation memory", name));
    if (depth > kDeepest)
      refuse(fmt::format("elements are nested more than {} deep; correct the file", kDeepest));
    if (segment_depth > 0) {
      if (code_depth == 0 && is_code(name)) code_depth = depth;
    } else if (name == "tu") {
      unit = Unit::object();
    } else if (name == "tuv") {
      language = language_attribute(attributes);
    } else if (name == "seg") {
      segment_depth = depth;
      segment.clear();
    }
  }

  void end(std::string_view name) {
    if (depth == code_depth) code_depth = 0;
    if (depth == segment_depth) {
      segment_depth = 0;
      keep_segment();
    } else if (segment_depth == 0 && name == "tu") {
      finish_unit();
    }
    --depth;
  }

  void add(std::string_view text) {
    if (segment_depth == 0 || code_depth > 0) return;
    segment += text;
    if (segment.size() > kLongestLine) refuse_size();
  }

  void keep_segment() {
    constexpr size_t kMostLanguages = 1000;
    unit_bytes += segment.size();
    if (unit_bytes > kLongestLine || unit.size() > kMostLanguages) refuse_size();
    if (language.empty()) {
      ++unnamed;
    } else if (!unit.emplace(language, fold_breaks(segment)).second) {
      ++repeated;
    }
  }

  void finish_unit() {
    unit_bytes = 0;
    const std::string row = unit.dump();
    if (row.size() >= kLongestLine) refuse_size();
    rows.append(row).push_back('\n');
  }

  [[noreturn]] void refuse_size() const {
    refuse(
        fmt::format("this unit has more than {} MiB; a unit is a sentence or a document: break it "
                    "up",
                    kLongestLine >> 20));
  }

  void parse(std::string_view bytes) {
    const auto size = static_cast<int>(bytes.size());
    const XML_Status status = XML_Parse(parser.get(), bytes.data(), size, bytes.empty());
    if (error) std::rethrow_exception(error);
    if (status != XML_STATUS_OK) refuse_xml(XML_GetErrorCode(parser.get()));
    given += bytes.size();
    // Expat keeps an unfinished tag or comment.
    const auto parsed =
        static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser.get())));
    if (given > parsed + kLongestLine) refuse_size();
    if (bytes.empty()) warn();
  }

  [[noreturn]] void refuse_xml(XML_Error code) const {
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (code == XML_ERROR_UNKNOWN_ENCODING)
      refuse(
          "unknown encoding, expected UTF-8, UTF-16 or ISO-8859-1; convert the file by iconv, and "
          "correct the encoding in its first line");
    refuse(fmt::format("is not well-formed XML ({}); correct the file, or export it again",
                       XML_ErrorString(code)));
  }

  void warn() const {
    if (unnamed + repeated == 0 || !is_first_warning(path)) return;
    if (unnamed > 0)
      spdlog::warn("{}: {} texts have no language (xml:lang) and are left out", path.string(),
                   format_count(unnamed));
    if (repeated > 0)
      spdlog::warn("{}: {} texts are further ones of a language in their unit and are left out",
                   path.string(), format_count(repeated));
  }

  using Unit = nlohmann::ordered_json;
  const std::filesystem::path path;
  const Parser parser;
  std::exception_ptr error;
  uint64_t given = 0;  // bytes
  int depth = 0;
  int segment_depth = 0, code_depth = 0;  // of <seg> and of a code inside, 0 outside of them
  std::string language, segment;
  Unit unit = Unit::object();
  size_t unit_bytes = 0;              // of its segments
  int64_t unnamed = 0, repeated = 0;  // texts
  std::string rows;                   // not yet read
  size_t begin = 0;                   // of these in `rows`
  bool ended = false;
};

TmxSource::TmxSource(const std::filesystem::path& path)
    : ByteSource(path), impl_(std::make_unique<Impl>(path)) {}

TmxSource::~TmxSource() = default;

size_t TmxSource::read(char* bytes, size_t size) {
  Impl& impl = *impl_;
  while (impl.begin == impl.rows.size() && !impl.ended) {
    impl.rows.clear();
    impl.begin = 0;
    char block[kBlockSize];
    const size_t count = ByteSource::read(block, sizeof(block));
    impl.parse({block, count});
    impl.ended = count == 0;
  }
  const size_t count = impl.rows.copy(bytes, size, impl.begin);
  impl.begin += count;
  return count;
}

bool is_tmx(const std::filesystem::path& path) {
  constexpr size_t kBeginning = size_t{1} << 20;  // of a file whose root is in it
  const Parser parser = make_parser();
  struct Found {
    XML_Parser parser;
    bool is_tmx = false;
  } found{parser.get()};
  XML_SetUserData(parser.get(), &found);
  XML_SetStartElementHandler(parser.get(), [](void* data, const XML_Char* name, const XML_Char**) {
    auto& root = *static_cast<Found*>(data);
    root.is_tmx = std::string_view(name) == "tmx";
    XML_StopParser(root.parser, XML_FALSE);
  });
  ByteSource source(path);
  std::vector<char> block(kBlockSize);
  for (size_t total = 0; total < kBeginning;) {
    const size_t count = source.read(block.data(), block.size());
    total += count;
    if (count == 0 ||
        XML_Parse(parser.get(), block.data(), static_cast<int>(count), 0) != XML_STATUS_OK)
      break;
  }
  return found.is_tmx;
}

LineReader open_lines(const TextFile& text) {
  if (text.view.form != TextView::Form::kTmx) return LineReader(text.path);
  return LineReader(text.path, std::make_unique<TmxSource>(text.path));
}

}  // namespace heed

#endif
