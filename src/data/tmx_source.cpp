#include "data/tmx_source.h"

#if defined(__EMSCRIPTEN__)

// Browsers read no corpora.
namespace heed {

bool is_tmx(const std::filesystem::path& /*path*/) { return false; }

LineReader open_lines(const TextFile& text) { return LineReader(text.path); }

}  // namespace heed

#else

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "data/xml_parser.h"

namespace heed {

namespace {

constexpr size_t kBlockSize = size_t{1} << 16;

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

// Once for each file, which a command may read several times.
bool is_first_warning(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> given;
  const std::lock_guard lock(mutex);
  return given.insert(path).second;
}

}  // namespace

struct TmxSource::Impl final : XmlParser {
  explicit Impl(const std::filesystem::path& file) : XmlParser(file), path(file) {}

  void begin(std::string_view name, Attributes attributes) override {
    if (depth() == 1 && name != "tmx")
      refuse(fmt::format("found <{}>, expected <tmx>, the root of a translation memory", name));
    if (segment_depth > 0) {
      if (code_depth == 0 && is_code(name)) code_depth = depth();
    } else if (name == "tu") {
      unit = Unit::object();
    } else if (name == "tuv") {
      language = language_attribute(attributes);
    } else if (name == "seg") {
      segment_depth = depth();
      segment.clear();
    }
  }

  void end(std::string_view name) override {
    if (depth() == code_depth) code_depth = 0;
    if (depth() == segment_depth) {
      segment_depth = 0;
      keep_segment();
    } else if (segment_depth == 0 && name == "tu") {
      finish_unit();
    }
  }

  void text(std::string_view text) override {
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

  void take(std::string_view bytes) {
    parse(bytes);
    if (pending() > kLongestLine) refuse_size();
    if (bytes.empty()) warn();
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
  int segment_depth = 0, code_depth = 0;  // of <seg> and of a code inside, 0 outside of them
  std::string language, segment;
  Unit unit = Unit::object();
  size_t unit_bytes = 0;              // of its segments
  int64_t unnamed = 0, repeated = 0;  // texts
  std::string rows;                   // not yet read
  size_t next = 0;                    // byte of these in `rows`
  bool ended = false;
};

TmxSource::TmxSource(const std::filesystem::path& path)
    : ByteSource(path), impl_(std::make_unique<Impl>(path)) {}

TmxSource::~TmxSource() = default;

size_t TmxSource::read(char* bytes, size_t size) {
  Impl& impl = *impl_;
  while (impl.next == impl.rows.size() && !impl.ended) {
    impl.rows.clear();
    impl.next = 0;
    char block[kBlockSize];
    const size_t count = ByteSource::read(block, sizeof(block));
    impl.take({block, count});
    impl.ended = count == 0;
  }
  const size_t count = impl.rows.copy(bytes, size, impl.next);
  impl.next += count;
  return count;
}

bool is_tmx(const std::filesystem::path& path) {
  struct RootReader final : XmlParser {
    using XmlParser::XmlParser;
    void begin(std::string_view name, Attributes) override {
      is_tmx = name == "tmx";
      stop();
    }
    bool is_tmx = false;
  } root(path);
  constexpr size_t kBeginning = size_t{1} << 20;  // of a file whose root is in it
  ByteSource source(path);
  std::vector<char> block(kBlockSize);
  for (size_t total = 0; total < kBeginning;) {
    const size_t count = source.read(block.data(), block.size());
    total += count;
    try {
      if (count == 0 || !root.parse({block.data(), count})) break;
    } catch (const Error&) {
      break;  // it is no XML
    }
  }
  return root.is_tmx;
}

LineReader open_lines(const TextFile& text) {
  if (text.view.form != TextView::Form::kTmx) return LineReader(text.path);
  return LineReader(text.path, std::make_unique<TmxSource>(text.path));
}

}  // namespace heed

#endif
